"""The progress bar of `openlineage-facets validate`."""

from __future__ import annotations

import io
import sys

import pytest

from openlineage_facets.cli import progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def replace_stderr(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Replace standard error in the test itself: pytest restores it after fixtures."""
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    return stream


def test_nothing_is_shown_while_a_check_is_short(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = replace_stderr(monkeypatch)
    with progress.progress_bar(1 << 40) as update:
        update(1 << 39)
    assert terminal.getvalue() == ""


def test_a_bar_is_shown_after_a_delay_whatever_the_size(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = replace_stderr(monkeypatch)
    monkeypatch.setattr(progress, "_DELAY", 0.0)
    with progress.progress_bar(2000) as update:
        update(1000)
    assert "1.0/2.0 kB" in terminal.getvalue()


def test_nothing_is_shown_without_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "_DELAY", 0.0)
    with progress.progress_bar(2000) as update:
        update(1000)
    assert capsys.readouterr().err == ""
