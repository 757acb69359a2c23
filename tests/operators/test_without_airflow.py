"""Without Airflow's provider, the error names the package to install."""

from __future__ import annotations

import sys

import pytest

from openlineage_facets.operators import TaskInstanceLineage


def test_the_error_names_the_package_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "airflow.providers.openlineage.extractors", None)
    with pytest.raises(ImportError, match="pip install apache-airflow-providers-openlineage"):
        TaskInstanceLineage().to_airflow()
