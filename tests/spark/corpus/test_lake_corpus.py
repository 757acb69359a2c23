"""A run around an unchanged job with Delta or Iceberg tables emits its lineage, and affects nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor

import pyspark
import pytest

from tests.spark.corpus import lake_runs
from tests.spark.corpus.job_runs import JOBS, is_compared, job_names
from tests.spark.lake.session import lake_process, skip_without_jars

pytestmark = pytest.mark.check

skip_without_jars()

ONLY_SPARK_4 = {"iceberg/merge_by_data_frame": "DataFrame.mergeInto is new in Spark 4"}


@pytest.fixture(scope="module")
def process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ProcessPoolExecutor]:
    with lake_process(lake_runs.start, str(tmp_path_factory.mktemp("lakes"))) as process:
        yield process


@pytest.mark.parametrize("name", job_names(lakes=True))
def test_lineage_is_captured_and_the_job_is_unaffected(name: str, process: ProcessPoolExecutor) -> None:
    if name in ONLY_SPARK_4 and pyspark.__version__.startswith("3."):
        pytest.skip(ONLY_SPARK_4[name])
    without, compared = {}, is_compared(name)
    if compared:
        without = process.submit(lake_runs.effects_without_capture, name).result(timeout=180)
    lineage, effects = process.submit(lake_runs.run, name, compared).result(timeout=180)
    assert effects == without
    expected = json.loads((JOBS / f"{name}.json").read_text(encoding="utf-8"))
    assert lineage == expected, f"if the change is intended: python -m tests.spark.corpus --lakes {name}"
