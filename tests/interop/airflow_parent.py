"""Airflow with its OpenLineage provider, whose task and DAG run become the parent and root of a SparkRun."""

from __future__ import annotations

import json
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.conftest import ROOT
from tests.interop.exchanges import Exchange, Reply
from tests.interop.listener import read_here
from tests.interop.programs import NotInstalled, run, version_in
from tests.interop.spark_job import EVENTS

HOME = Path(__file__).with_name("airflow_home")


def airflow() -> Iterator[Exchange]:
    """Read the provider's events, and compare the parent of the SparkRun with the task that started it."""
    python = ROOT / ".venv-airflow" / "bin" / "python"
    if not python.exists():
        raise NotInstalled("it could not be installed: run `make test-airflow`")
    version = f"{version_in(python, 'apache-airflow')}, provider "
    version += version_in(python, "apache-airflow-providers-openlineage")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        theirs = folder / "theirs.ndjson"
        _run_dag(python, folder, theirs)
        events = [json.loads(line) for line in theirs.read_text().splitlines()]
        ours = [json.loads(line) for line in (folder / EVENTS).read_text().splitlines()]
    yield Exchange(
        "Airflow, events of its provider, read here", version, events, list(map(read_here, events))
    )
    expected = _parent(events)
    yield Exchange(
        "Airflow, its task and DAG run as parent and root of SparkRun",
        version,
        [_entities(event["run"]["facets"]["parent"]) for event in ours],
        [Reply(expected)] * len(ours),
    )


def _run_dag(python: Path, folder: Path, events: Path) -> None:
    home = folder / "home"
    shutil.copytree(HOME, home, ignore=shutil.ignore_patterns("__pycache__"))
    environment = {
        "AIRFLOW_HOME": str(home),
        "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
        "AIRFLOW__OPENLINEAGE__NAMESPACE": "etl",
        "AIRFLOW__OPENLINEAGE__TRANSPORT": json.dumps(
            {"type": "file", "log_file_path": str(events), "append": True}
        ),
        # The provider gives up an event after ten seconds, which a busy machine may take.
        "AIRFLOW__OPENLINEAGE__EXECUTION_TIMEOUT": "300",
        "PROJECT": str(ROOT),
        "SPARK_JOB": shlex.join([sys.executable, "-m", "tests.interop.spark_job", str(folder)]),
    }
    for command in (["db", "migrate"], ["dags", "test", "nightly", "2026-11-21"]):
        run([python, "-m", "airflow", *command], cwd=home, environment=environment)


def _parent(events: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the task of the DAG and its run, as a parent facet names them."""
    task, dag = (
        next(event for event in events if event["job"]["name"] == name)
        for name in ("nightly.delays", "nightly")
    )
    return _entities({**task, "root": dag})


def _entities(parent: dict[str, Any]) -> dict[str, Any]:
    """Return the ids of a parent and its root, without facets."""
    named = {
        "run": {"runId": parent["run"]["runId"]},
        "job": {key: parent["job"][key] for key in ("namespace", "name")},
    }
    return {**named, "root": _entities(parent["root"])} if "root" in parent else named
