"""Remove tags and producer from the environment of the tests."""

from __future__ import annotations

import os

import pytest


@pytest.fixture(autouse=True)
def _clear_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in os.environ:
        if name.upper().startswith("OPENLINEAGE"):
            monkeypatch.delenv(name)
