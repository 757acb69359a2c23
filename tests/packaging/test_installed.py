"""Installed with pydantic only, the package composes, serializes, parses and is typed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from openlineage_facets import __version__

pytestmark = pytest.mark.check

COMPOSE = """
from openlineage_facets import InputDataset, Job, Run, RunEvent, parse_event, producer
from openlineage_facets.facets import NominalTimeRunFacet, SchemaDatasetFacet, SQLJobFacet, schema_dataset

with producer("https://example.com/v7/etl"):
    event = RunEvent(
        event_type="START",
        run=Run(facets=[NominalTimeRunFacet(nominal_start_time="2026-11-21T00:00:00.123456789Z")]),
        job=Job(namespace="etl", name="orders.daily", facets=[SQLJobFacet(query="select 1")]),
        inputs=[
            InputDataset(
                namespace="s3://lake",
                name="raw/orders",
                facets=[SchemaDatasetFacet(fields=[schema_dataset.SchemaDatasetFacetFields(name="id")])],
            )
        ],
    )
read = parse_event(event.to_json())
assert read == event
assert read.to_json() == event.to_json()
print(read.run.facets.nominal_time.nominal_start_time)
"""

ABSENT = ["pyspark", "pyarrow", "jsonschema", "hypothesis", "datamodel_code_generator", "codegen", "tests"]


def run(python: Path, script: str, cwd: Path) -> str:
    done = subprocess.run([python, "-I", "-c", script], capture_output=True, text=True, check=False, cwd=cwd)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_the_environment_contains_only_the_requirements(environment: Path, tmp_path: Path) -> None:
    script = f"""
import json
from importlib.metadata import distributions
from importlib.util import find_spec
here = sorted(one.metadata["Name"].lower() for one in distributions())
print(json.dumps([here, [name for name in {ABSENT!r} if find_spec(name)]]))
"""
    installed, wrongly_there = json.loads(run(environment, script, tmp_path))
    assert wrongly_there == []
    assert {"openlineage-facets", "pydantic", "pydantic_core"} <= set(installed)
    assert len(installed) < 10


def test_it_composes_serializes_and_parses_an_event(environment: Path, tmp_path: Path) -> None:
    assert run(environment, COMPOSE, tmp_path) == "2026-11-21T00:00:00.123456789Z"


def test_the_installed_package_is_used(environment: Path, tmp_path: Path) -> None:
    script = "import openlineage_facets as it; print(it.__file__, it.__version__)"
    file, version = run(environment, script, tmp_path).rsplit(" ", 1)
    assert Path(file).is_relative_to(environment.parent.parent)
    assert version == __version__


def test_every_exported_name_loads(environment: Path, tmp_path: Path) -> None:
    script = """
import openlineage_facets, openlineage_facets.facets
for package in (openlineage_facets, openlineage_facets.facets):
    for name in package.__all__:
        getattr(package, name)
print("all")
"""
    assert run(environment, script, tmp_path) == "all"


def test_type_checkers_see_its_types(environment: Path, tmp_path: Path) -> None:
    (tmp_path / "job.py").write_text(
        "from typing_extensions import assert_type\n"
        "from openlineage_facets import Job, Run, RunEvent\n"
        "event = RunEvent(run=Run(), job=Job(namespace='etl', name='orders'))\n"
        "assert_type(event.run.run_id, str)\n"
        "Job(namespace='etl', nam='orders')\n"
    )
    command = ["pyright", "--outputjson", "--pythonpath", str(environment), "job.py"]
    done = subprocess.run(
        [sys.executable, "-m", *command], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    errors = json.loads(done.stdout)["generalDiagnostics"]
    assert {one["range"]["start"]["line"] for one in errors} == {4}, errors
