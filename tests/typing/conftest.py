"""Jobs that use two generated packages of custom facets, for Python and for type checkers."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.codegen.custom.facets import CORE, build, facet_file

SCORE = {
    "score": {"type": "number"},
    "labels": {"type": "array", "items": {"type": ["string", "null", "integer"]}},
}

FACETS = (
    # the package, the name of the facet without that of its base, its base, its properties, the required one
    ("acme_facets", "AcmeCost", "RunFacet", {"usd": {"type": "number"}}, "usd"),
    ("acme_facets", "AcmeScore", "InputDatasetFacet", SCORE, "score"),
    ("beta_facets", "BetaOwner", "RunFacet", {"team": {"type": "string"}}, "team"),
    ("beta_facets", "BetaAge", "InputDatasetFacet", {"hours": {"type": "integer"}}, "hours"),
    ("beta_facets", "BetaChecks", "OutputDatasetFacet", {"passed": {"type": "integer"}}, "passed"),
)

JOB = """
from __future__ import annotations
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

MISUSE = """
AcmeCostRunFacet(usd="much")  # error
build.run.acme_cost(usd="much")  # error
build.job.acme_cost(usd=1)  # error
build.output("s3://lake", "orders").acme_score(score=0.5)  # error
"""

COMBINED_MISUSE = """
build.run.beta_owner(team=1)  # error
build.output("s3://lake", "daily").beta_age(hours=2)  # error
"""

DOCUMENTED = Path(__file__).parent / "custom_facets"
"""The examples of docs/custom-facets.md."""


@pytest.fixture(scope="session")
def custom_facet_jobs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the packages, jobs that use them, and jobs that misuse them."""
    folder = tmp_path_factory.mktemp("jobs")
    for package in ("acme_facets", "beta_facets"):
        schemas = {
            f"{name}{base}.json": facet_file(
                f"{name}{base}",
                f"{name[:4]}_{name[4:]}".lower(),
                base=f"{CORE}#/$defs/{base}",
                properties=properties,
                required=[required],
            )
            for owner, name, base, properties, required in FACETS
            if owner == package
        }
        build(folder, package, schemas)
    combined = (DOCUMENTED / "combined_builders.py").read_text()
    jobs = {"job": JOB, "misuse": JOB + MISUSE, "combined_misuse": combined + COMBINED_MISUSE}
    jobs |= {f"documented_{path.stem}": path.read_text() for path in DOCUMENTED.glob("*.py")}
    for name, code in jobs.items():
        (folder / f"{name}.py").write_text(code)
    return folder
