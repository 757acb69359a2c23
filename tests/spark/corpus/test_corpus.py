"""A run around an unchanged job emits the expected lineage, and does not affect the job."""

from __future__ import annotations

import json
from pathlib import Path

import pyspark
import pytest

from tests.spark.corpus.job_runs import JOBS, Workspace, is_compared, job_names, lineage_of, run_job

pytestmark = pytest.mark.check

REPEATED = Path(__file__).with_name("repeated.txt").read_text(encoding="utf-8").split()
"""Jobs that do what faster tests do: their queries are in `tests/spark/lineage`, their writes in `run`."""

SAME_ON_SPARK_3 = Path(__file__).with_name("same_on_spark_3.txt").read_text(encoding="utf-8").split()
"""Further jobs whose operators and expressions other jobs have, with the same differences from Spark 4."""


def jobs() -> list[object]:
    """Return the jobs. Those that show nothing new are thorough, with Spark 3 also more of them."""
    thorough = {*REPEATED, *(SAME_ON_SPARK_3 if pyspark.__version__.startswith("3.") else ())}
    return [
        pytest.param(name, marks=pytest.mark.thorough if name in thorough else ()) for name in job_names()
    ]


@pytest.mark.parametrize("name", jobs())
def test_lineage_is_captured_and_the_job_is_unaffected(name: str, workspace: Workspace) -> None:
    compared = is_compared(name)
    without = run_job(workspace, name, captured=False, observed=True) if compared else None
    run = run_job(workspace, name, observed=compared)
    assert without is None or run.effects == without.effects
    expected = json.loads((JOBS / f"{name}.json").read_text(encoding="utf-8"))
    assert lineage_of(workspace, name, run) == expected, (
        f"if the change is intended: python -m tests.spark.corpus {name}"
    )


def test_the_corpus_is_large() -> None:
    assert len(job_names()) >= 150


def test_jobs_that_are_thorough_exist() -> None:
    assert {*REPEATED, *SAME_ON_SPARK_3} <= {*job_names()}
