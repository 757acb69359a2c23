"""The workspace of the jobs."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from tests.spark.corpus.job_runs import Workspace
from tests.spark.corpus.sample_data import write_samples


@pytest.fixture(scope="module")
def workspace_of_module(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """Return a folder with the data, and a database in memory."""
    return new_workspace(spark, tmp_path_factory.mktemp("corpus"))


@pytest.fixture
def workspace(workspace_of_module: Workspace) -> Iterator[Workspace]:
    """Return the workspace, and remove the output of the job afterwards."""
    yield workspace_of_module
    shutil.rmtree(workspace_of_module.folder / "out", ignore_errors=True)


def new_workspace(spark: SparkSession, folder: Path) -> Workspace:
    """Write the data of the jobs into an empty folder."""
    write_samples(spark, folder / "data")
    return Workspace(spark, folder, f"jdbc:derby:memory:{folder.name};create=true")
