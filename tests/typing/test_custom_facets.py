"""Type checkers accept a job that uses generated custom facets, and report misuse."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.codegen.custom.facets import CORE, build, facet_file
from tests.conftest import ROOT

JOB = """
from openlineage_facets import Job, Run, RunEvent, parse_event
from acme_facets import AcmeCostRunFacet, AcmeScoreInputDatasetFacet, JobEventBuilder, RunEventBuilder

event = RunEvent(
    event_type="START",
    run=Run(facets=[AcmeCostRunFacet(usd=1.5)]),
    job=Job(namespace="etl", name="orders"),
)
parsed = parse_event(event.to_json())
assert isinstance(parsed, RunEvent) and parsed.run.facets is not None
cost = parsed.run.facets.get(AcmeCostRunFacet)
assert cost is not None
usd: int | float = cost.usd

build = RunEventBuilder("etl", "orders")
build.run.acme_cost(usd=2).nominal_time(nominal_start_time="2026-11-22T00:00:00Z").acme_cost(usd=3)
build.input("s3://lake", "orders").acme_score(score=0.5).schema(fields=[])
build.tag("team", "etl").start().to_json()
JobEventBuilder("etl", "orders").input("s3://lake", "orders").acme_score(score=0.5)
"""

BETA = (
    ("BetaOwnerRunFacet", "beta_owner", "RunFacet", "team", "string"),
    ("BetaAgeInputDatasetFacet", "beta_age", "InputDatasetFacet", "hours", "integer"),
    ("BetaChecksOutputDatasetFacet", "beta_checks", "OutputDatasetFacet", "passed", "integer"),
)
"""The facets of a second package: class, key, base, its field and the type of the field."""

MISUSE = """
AcmeCostRunFacet(usd="much")  # error
build.run.acme_cost(usd="much")  # error
build.job.acme_cost(usd=1)  # error
build.output("s3://lake", "orders").acme_score(score=0.5)  # error
"""


DOCUMENTED = ROOT / "tests" / "typing" / "custom_facets"
"""The examples of docs/custom-facets.md."""

COMBINED_MISUSE = """
build.run.beta_owner(team=1)  # error
build.output("s3://lake", "daily").beta_age(hours=2)  # error
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("job")
    score = facet_file(
        "AcmeScoreInputDatasetFacet",
        "acme_score",
        base=f"{CORE}#/$defs/InputDatasetFacet",
        properties={
            "score": {"type": "number"},
            "labels": {"type": "array", "items": {"type": ["string", "null", "integer"]}},
        },
        required=["score"],
    )
    build(folder, "acme_facets", {"AcmeCostRunFacet.json": facet_file(), "Score.json": score})
    build(
        folder,
        "beta_facets",
        {
            f"{name}.json": facet_file(
                name, key, base=f"{CORE}#/$defs/{base}", properties={field: {"type": kind}}, required=[field]
            )
            for name, key, base, field, kind in BETA
        },
    )
    for path in DOCUMENTED.glob("*.py"):
        (folder / f"documented_{path.name}").write_text(path.read_text())
    combined = (DOCUMENTED / "combined_builders.py").read_text()
    (folder / "combined_misuse.py").write_text(f"{combined}{COMBINED_MISUSE}")
    (folder / "job.py").write_text(f"from __future__ import annotations\n{JOB}")
    (folder / "misuse.py").write_text(f"from __future__ import annotations\n{JOB}{MISUSE}")
    (folder / "pyrightconfig.json").write_text(
        json.dumps({"extraPaths": [str(ROOT)], "pythonVersion": "3.10"})
    )
    return folder


def run(folder: Path, *command: str) -> str:
    environment = {**os.environ, "MYPYPATH": str(ROOT), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, *command], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


FILES = ("job.py", "misuse.py", "combined_misuse.py", "documented_job.py", "documented_combined_builders.py")


def mistakes(folder: Path) -> set[tuple[str, int]]:
    return {
        (file, number)
        for file in FILES
        for number, line in enumerate((folder / file).read_text().splitlines(), start=1)
        if line.endswith("# error")
    }


@pytest.mark.parametrize("module", ["job", "documented_job", "documented_combined_builders"])
def test_the_job_runs(module: str, folder: Path) -> None:
    code = (
        f"from openlineage_facets import producer\nwith producer('https://acme.example.com'): import {module}"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.check
def test_mypy_accepts_the_job_and_reports_misuse(folder: Path) -> None:
    packages = ("acme_facets", "beta_facets")
    found = run(folder, "-m", "mypy", "--strict", "--output", "json", *FILES, *packages)
    places = {(one["file"], one["line"]) for one in map(json.loads, found.splitlines())}
    assert places == mistakes(folder)


@pytest.mark.check
def test_pyright_accepts_the_job_and_reports_misuse(folder: Path) -> None:
    report = json.loads(
        run(folder, "-m", "pyright", "-p", ".", "--pythonpath", sys.executable, "--outputjson")
    )
    places = {
        (Path(one["file"]).name, one["range"]["start"]["line"] + 1) for one in report["generalDiagnostics"]
    }
    assert places == mistakes(folder)
