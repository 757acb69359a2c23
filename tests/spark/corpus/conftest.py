"""The workspace of the jobs."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from tests.spark.corpus.database import Database
from tests.spark.corpus.job_runs import Workspace
from tests.spark.corpus.sample_data import write_samples


@pytest.fixture(scope="module")
def workspace(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """Return a folder with the data, and a database in memory."""
    return new_workspace(spark, tmp_path_factory.mktemp("corpus"))


def new_workspace(spark: SparkSession, folder: Path) -> Workspace:
    """Write the data of the jobs into an empty folder."""
    write_samples(spark, folder / "data")
    database = Database(spark, f"jdbc:derby:memory:{folder.name};create=true")
    return Workspace(spark, folder, database)
