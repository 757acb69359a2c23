"""End to end from the wheel: a schema, its package, a PySpark job, validation, typed events, type checks."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.codegen.custom.facets import facet_file, write_schemas
from tests.packaging.installed import install, installed
from tools import spark_start

pytestmark = pytest.mark.check

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
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return installed(wheel, tmp_path_factory.mktemp("extras"))


def run(python: Path, folder: Path, *arguments: str) -> str:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment |= {**spark_start.variables(), "PYSPARK_PYTHON": str(python), "SPARK_LOCAL_IP": "127.0.0.1"}
    done = subprocess.run(
        [python, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def project(python: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder in which the package of custom facets was generated and installed."""
    folder = tmp_path_factory.mktemp("acme")
    write_schemas(folder / "facets", {"AcmeCostRunFacet.json": facet_file()})
    command = ("-m", "openlineage_facets.cli", "generate", "facets", "--output", "acme_facets")
    assert run(python, folder, *command) == "5 files in acme_facets\n"
    run(python, folder, *command, "--check")
    (folder / "pyproject.toml").write_text(PROJECT)
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", "dist", "."]
    subprocess.run(build, cwd=folder, check=True, capture_output=True)
    (wheel,) = (folder / "dist").iterdir()
    install(python, wheel)
    work = folder / "work"
    work.mkdir()
    (work / "job.py").write_text(JOB)
    (work / "read.py").write_text(READ)
    return work


def test_the_generator_runs_from_the_wheel(python: Path, project: Path) -> None:
    code = "import importlib.util; print(importlib.util.find_spec('codegen'))"
    assert run(python, project, "-c", code) == "None\n"


def test_schemas_are_compared_from_the_wheel(python: Path, project: Path) -> None:
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


@pytest.mark.thorough
def test_type_checkers_accept_the_job(python: Path, project: Path) -> None:
    run(python, project, "-m", "mypy", "--strict", "job.py", "read.py")
    run(python, project, "-m", "pyright", "--pythonpath", str(python), "job.py", "read.py")
