"""With what it requires and nothing else, the package composes, serializes and parses."""

from __future__ import annotations

import shutil
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path
from zipfile import ZipFile

import pytest

from openlineage_facets import __version__
from tests.packaging.requirements import closure, metadata, required

pytestmark = pytest.mark.check

SCRIPT = """
import sys
sys.path.insert(0, sys.argv[1])

import openlineage_facets
from openlineage_facets import InputDataset, Job, Run, RunEvent, facets, parse_event, producer
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
for package in (openlineage_facets, facets):
    for name in package.__all__:
        getattr(package, name)
print(openlineage_facets.__file__, openlineage_facets.__version__)
print(read.run.facets.nominal_time.nominal_start_time)
"""


def test_it_composes_serializes_and_parses_an_event_and_every_exported_name_loads(
    wheel: Path, tmp_path: Path
) -> None:
    names = closure(required(metadata(wheel).get_all("Requires-Dist", [])))
    assert len(names) < 8
    with ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    for name in names:
        for file in distribution(name).files or ():
            if ".." not in file.parts and "__pycache__" not in file.parts:
                (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file.locate(), tmp_path / file)
    # Without site, only the standard library can be imported, and what is in the folder.
    command = [sys.executable, "-I", "-S", "-c", SCRIPT, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    file, version, time = done.stdout.split()
    assert Path(file) == tmp_path / "openlineage_facets" / "__init__.py"
    assert (version, time) == (__version__, "2026-11-21T00:00:00.123456789Z")
