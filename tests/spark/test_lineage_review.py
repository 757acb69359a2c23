"""The demonstration of lineage in review: its lock file is current, and each change has the review shown.

A review is what `compare` says, then what `check` finds.
"""

from __future__ import annotations

import importlib
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from openlineage_facets.review import compare, read_lock, read_naming, renamed
from openlineage_facets.review.policies import check_policies, read_policies
from openlineage_facets.review.report import text_report
from openlineage_facets.state import LineageState
from tests.conftest import ROOT
from tests.spark.etl_job import mostly_thorough

EXAMPLE = ROOT / "examples" / "lineage_review"
CHANGES = sorted(path.stem for path in (EXAMPLE / "changes").glob("*.patch"))


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a copy of the repository, from which its jobs are imported."""
    copy = tmp_path / "repository"
    shutil.copytree(EXAMPLE, copy, ignore=shutil.ignore_patterns("build", "events", "__pycache__"))
    monkeypatch.syspath_prepend(copy)
    return copy


def review(spark: SparkSession, repository: Path, change: str | None = None) -> str:
    """Return what `compare` and `check` say about the jobs after a change."""
    if change is not None:
        subprocess.run(["git", "apply", f"changes/{change}.patch"], cwd=repository, check=True)
    for module in [name for name in sys.modules if name.partition(".")[0] == "jobs"]:
        del sys.modules[module]
    pipeline = importlib.import_module("jobs.pipeline")
    assert Path(pipeline.__file__ or "").is_relative_to(repository)
    lake = repository / "build" / "lake"
    pipeline.write_samples(lake)
    state = LineageState()
    pipeline.run_all(spark, str(lake), emit=state.apply)
    lock = read_lock((repository / "lineage.lock.json").read_bytes())
    after: Any = renamed(state.lineage(by_job=True), read_naming(repository / "naming.toml"))
    found = check_policies(after, read_policies(repository / "policies.toml"))
    policies = (f"policies.toml:{one.line}: {one.severity} {one.code} {one}\n" for one in found)
    return text_report(compare(lock, after, propagate=["pii"])) + "".join(policies)


@pytest.mark.check
def test_the_lock_file_is_current(spark: SparkSession, repository: Path) -> None:
    assert review(spark, repository) == "no differences in lineage\n"


@pytest.mark.check
@pytest.mark.parametrize("change", mostly_thorough(CHANGES, CHANGES[0]))
def test_a_change_has_the_review_that_is_shown(spark: SparkSession, repository: Path, change: str) -> None:
    expected = (EXAMPLE / "reviews" / f"{change}.txt").read_text(encoding="utf-8")
    assert review(spark, repository, change) == expected
