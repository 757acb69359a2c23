"""The lineage of the jobs is that of the lock file."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from jobs.pipeline import run_all, write_samples
from pyspark.sql import SparkSession

from openlineage_facets.testing import LineageEvents, LineageLock


@pytest.fixture
def spark() -> Iterator[SparkSession]:
    session = SparkSession.builder.master("local[2]").getOrCreate()
    yield session
    session.stop()


def test_lineage(
    spark: SparkSession, tmp_path: Path, lineage_events: LineageEvents, lineage_lock: LineageLock
) -> None:
    write_samples(tmp_path / "lake")
    run_all(spark, str(tmp_path / "lake"), emit=lineage_events)
    lineage_lock.assert_unchanged()
