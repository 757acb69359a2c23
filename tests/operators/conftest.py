"""What every test of operator lineage starts from: an environment that says nothing."""

from __future__ import annotations

import os

import pytest


@pytest.fixture(autouse=True)
def _nothing_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith("OPENLINEAGE"):
            monkeypatch.delenv(name)
