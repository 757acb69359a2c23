"""The progress bar of `openlineage-facets validate`."""

from __future__ import annotations

import io
import sys

import pytest

from openlineage_facets.cli import progress
from tests.cases import each


@each(
    ("is_terminal", "delay", "shown"),
    [(True, 0.0, "1.0/2.0 kB"), (True, 60.0, ""), (False, 0.0, "")],
    ids=["a long check", "a short check", "without a terminal"],
)
def test_a_bar_is_shown_on_a_terminal_after_a_delay(
    is_terminal: bool, delay: float, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(stream, "isatty", lambda: is_terminal)
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(progress, "_DELAY", delay)
    with progress.progress_bar(2000) as update:
        update(1000)
    assert shown in stream.getvalue()
    assert bool(stream.getvalue()) is bool(shown)
