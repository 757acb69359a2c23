"""No tag and no producer from the environment that the tests run in."""

from __future__ import annotations

import os

import pytest


@pytest.fixture(autouse=True)
def _no_word_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in os.environ:
        if name.upper().startswith("OPENLINEAGE"):
            monkeypatch.delenv(name)
