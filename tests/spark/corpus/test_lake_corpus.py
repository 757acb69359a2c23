"""A run around an unchanged job with Delta or Iceberg tables emits its lineage, and affects nothing else."""

from __future__ import annotations

import json

import pyspark
import pytest

from tests.spark.corpus import lake_runs
from tests.spark.corpus.job_runs import JOBS, is_compared, job_names
from tests.spark.lake.session import LakeProcess, skip_without_jars

pytestmark = pytest.mark.check

skip_without_jars()

IS_SPARK_3 = pyspark.__version__.startswith("3.")
ONLY_SPARK_4 = {"iceberg/merge_by_data_frame": "DataFrame.mergeInto is new in Spark 4"}
DIFFERENT_ON_SPARK_3 = {
    *(
        "delta/change_data_feed",
        "delta/merge_by_api",
        "delta/merge_by_statement",
        "delta/overwrite_partitions",
    ),
    *("delta/save_as_table", "delta/time_travel", "delta/update_by_statement"),
    *(
        "iceberg/delete",
        "iceberg/merge",
        "iceberg/metadata_tables",
        "iceberg/update",
        "iceberg/write_to_create",
    ),
}
"""Jobs whose plans Delta or Iceberg build in another way than for Spark 4."""


STEPS_OF_LAKE_TABLES = {
    *("delta/append_to_a_path", "delta/create_table_as_select", "delta/delete_by_api"),
    *("delta/delete_by_statement", "delta/stream_of_files_to_a_table", "delta/update_by_api"),
    *("delta/insert_into", "delta/merge_by_statement", "delta/overwrite_itself", "delta/replace_where"),
    *("delta/save_as_table", "delta/save_to_a_path", "delta/time_travel", "delta/update_by_statement"),
    *("iceberg/branch", "iceberg/create_or_replace", "iceberg/create_table_as_select", "iceberg/delete"),
    *("iceberg/insert_into", "iceberg/merge", "iceberg/metadata_tables", "iceberg/save_as_table"),
    *("iceberg/time_travel", "iceberg/update"),
}
"""Jobs that do what `tests/spark/lake/test_lake_tables.py` does, which Spark 4 runs, or other jobs."""


def is_thorough(name: str) -> bool:
    """Return whether a faster test has the same plans: one with Spark 4, or the steps of tables."""
    return name not in DIFFERENT_ON_SPARK_3 if IS_SPARK_3 else name in STEPS_OF_LAKE_TABLES


def jobs() -> list[object]:
    """Return the jobs."""
    names = job_names(lakes=True)
    return [pytest.param(name, marks=pytest.mark.thorough if is_thorough(name) else ()) for name in names]


def test_jobs_that_are_thorough_exist() -> None:
    assert {*job_names(lakes=True)} >= (STEPS_OF_LAKE_TABLES | DIFFERENT_ON_SPARK_3)


@pytest.fixture(scope="module", autouse=True)
def _data(lake: LakeProcess) -> None:
    lake.call(lake_runs.write_data, lake.folder)


@pytest.mark.parametrize("name", jobs())
def test_lineage_is_captured_and_the_job_is_unaffected(name: str, lake: LakeProcess) -> None:
    if name in ONLY_SPARK_4 and IS_SPARK_3:
        pytest.skip(ONLY_SPARK_4[name])
    without, compared = {}, is_compared(name)
    if compared:
        without = lake.call(lake_runs.effects_without_capture, name)
    lineage, effects = lake.call(lake_runs.run, name, compared)
    assert effects == without
    expected = json.loads((JOBS / f"{name}.json").read_text(encoding="utf-8"))
    assert lineage == expected, f"if the change is intended: python -m tests.spark.corpus --lakes {name}"
