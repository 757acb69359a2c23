"""A run around an unchanged job emits the expected lineage."""

from __future__ import annotations

import json

import pytest

from tests.spark.corpus.job_runs import JOBS, Workspace, job_names, run_job


@pytest.mark.parametrize("name", job_names())
def test_the_lineage_of_the_job_is_captured(name: str, workspace: Workspace) -> None:
    expected = json.loads((JOBS / f"{name}.json").read_text(encoding="utf-8"))
    assert run_job(workspace, name) == expected, (
        f"if the change is intended: python -m tests.spark.corpus {name}"
    )


def test_the_corpus_is_large() -> None:
    assert len(job_names()) >= 150
