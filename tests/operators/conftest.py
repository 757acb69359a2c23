"""Fixture: an environment without lineage settings."""

from __future__ import annotations

import os
from importlib.util import find_spec

import pytest

# Airflow has an environment of its own, where `make test-airflow` runs these.
collect_ignore = [] if find_spec("airflow") else ["airflow"]


@pytest.fixture(autouse=True)
def _nothing_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith("OPENLINEAGE"):
            monkeypatch.delenv(name)
