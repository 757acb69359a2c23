"""End to end from the wheel: a schema, its package, a PySpark job, validation, typed events, type checks."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.codegen.custom.facets import facet_file, write_schemas
from tests.packaging.installed import built, python_with_wheel
from tools import spark_start

pytestmark = pytest.mark.thorough

JOB = """
from __future__ import annotations

from acme_facets import AcmeCostRunFacet
from pyspark.sql import SparkSession

from openlineage_facets.spark import SparkRun

spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
producer = "https://acme.example.com/etl"
with SparkRun(spark, "etl", "orders.daily", emit="lineage.ndjson", producer=producer) as run:
    spark.range(3).write.mode("overwrite").parquet("daily")
    run.build.run.facet(AcmeCostRunFacet(usd=1.5))
spark.stop()
"""

READ = """
from __future__ import annotations

from acme_facets import AcmeCostRunFacet, RunEventBuilder

from openlineage_facets import RunEvent, parse_event

costs: list[int | float] = []
with open("lineage.ndjson") as lines:
    for line in lines:
        event = parse_event(line)
        assert isinstance(event, RunEvent)
        cost = None if event.run.facets is None else event.run.facets.get("acme_cost")
        if cost is not None:
            assert type(cost) is AcmeCostRunFacet
            costs.append(cost.usd)
build = RunEventBuilder("etl", "orders", producer="https://acme.example.com/etl")
build.run.acme_cost(usd=2.5)
built = build.start().run.facets
assert built is not None
print(costs, built["acme_cost"])
"""

PROJECT = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "acme-facets"
version = "1.0"

[project.entry-points."openlineage_facets.facets"]
acme = "acme_facets:FACETS"
"""


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return python_with_wheel(tmp_path_factory)


@pytest.fixture(scope="module")
def project(python: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with programs, and another one with the wheel of generated facets for their path."""
    folder = tmp_path_factory.mktemp("acme")
    work = folder / "work"
    work.mkdir()
    write_schemas(folder / "facets", {"AcmeCostRunFacet.json": facet_file()})
    command = ("-m", "openlineage_facets.cli", "generate", "../facets", "--output", "../acme_facets")
    assert run(python, work, *command) == "5 files in ../acme_facets\n"
    run(python, work, *command, "--check")
    (folder / "pyproject.toml").write_text(PROJECT)
    with ZipFile(built("wheel", folder, folder / "dist")) as wheel:
        wheel.extractall(folder / "installed")
    (work / "job.py").write_text(JOB)
    (work / "read.py").write_text(READ)
    return work


def run(python: Path, work: Path, *arguments: str) -> str:
    environment = {
        **os.environ,
        **spark_start.variables(),
        "PYSPARK_PYTHON": str(python),
        "PYTHONPATH": str(work.parent / "installed"),
        "MYPYPATH": str(work.parent / "installed"),
    }
    done = subprocess.run(
        [python, *arguments], cwd=work, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_schemas_are_compared_from_the_wheel_which_has_the_generator_inside(
    python: Path, project: Path
) -> None:
    code = "import importlib.util; print(importlib.util.find_spec('codegen'))"
    assert run(python, project, "-c", code) == "None\n"
    shown = run(python, project, "-m", "openlineage_facets.cli", "diff", "installed", "installed")
    assert shown.startswith("no differences in ")


def test_a_spark_job_reports_the_facet_and_every_reader_knows_it(python: Path, project: Path) -> None:
    if "JAVA_HOME" not in os.environ:
        pytest.skip("Spark needs Java: set JAVA_HOME")
    run(python, project, "job.py")
    shown = run(python, project, "-m", "openlineage_facets.cli", "validate", "lineage.ndjson")
    assert "not checked" not in shown
    assert "0 errors" in shown
    assert run(python, project, "read.py") == "[1.5] usd=2.5\n"
    bad = (project / "lineage.ndjson").read_text().replace('"usd":1.5', '"usd":"much"')
    assert '"usd":"much"' in bad
    (project / "bad.ndjson").write_text(bad)
    code = "from openlineage_facets import validate; import sys\n"
    code += "print([f.pointer for line in open('bad.ndjson') for f in validate(line, rules=False)])"
    assert json.loads(run(python, project, "-c", code).replace("'", '"')) == ["/run/facets/acme_cost/usd"]


def test_type_checkers_accept_the_job_and_report_misuse(python: Path, project: Path) -> None:
    run(python, project, "-m", "mypy", "--strict", "job.py", "read.py")
    (project / "pyrightconfig.json").write_text('{"extraPaths": ["../installed"]}')
    pyright = ("-m", "pyright", "--pythonpath", str(python))
    run(python, project, *pyright, "job.py", "read.py")
    (project / "misuse.py").write_text(
        "from openlineage_facets import Job\n"
        "Job(namespace='etl', name='orders')\n"
        "Job(namespace='etl', nam='orders')\n"
    )
    with pytest.raises(AssertionError) as misuse:
        run(python, project, *pyright, "misuse.py")
    assert set(re.findall(r"misuse\.py:(\d+):", str(misuse.value))) == {"3"}
