"""Airflow has an environment of its own, where `make test-airflow` runs its tests."""

from __future__ import annotations

from importlib.util import find_spec

collect_ignore = [] if find_spec("airflow") else ["airflow"]
