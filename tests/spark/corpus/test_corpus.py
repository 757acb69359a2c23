"""A run around an unchanged job emits the expected lineage, and does not affect the job."""

from __future__ import annotations

import json

import pytest

from tests.spark.corpus.job_runs import JOBS, Workspace, is_compared, job_names, lineage_of, run_job

pytestmark = pytest.mark.check


@pytest.mark.parametrize("name", job_names())
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
