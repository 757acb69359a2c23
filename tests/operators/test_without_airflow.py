"""Without Airflow's provider, the error names the package to install."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import pytest
from openlineage.client.generated.sql_job import SQLJobFacet

from openlineage_facets.operators import TaskInstanceLineage, airflow_listener
from tests.operators.scheduler import Recorder

TOLD = SimpleNamespace(inputs=[], outputs=[], run_facets={}, job_facets={"sql": SQLJobFacet(query="")})


@pytest.mark.parametrize(
    "convert",
    [
        lambda: TaskInstanceLineage().to_airflow(),
        lambda: airflow_listener(Recorder().listener),
        lambda: TaskInstanceLineage.from_airflow(TOLD),
    ],
    ids=["to_airflow", "airflow_listener", "from_airflow"],
)
def test_the_error_names_the_package_to_install(convert: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    installed = [name for name in sys.modules if name.partition(".")[0] in ("airflow", "openlineage")]
    for name in ("airflow", "openlineage", *installed):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ImportError, match="pip install apache-airflow-providers-openlineage"):
        convert()
