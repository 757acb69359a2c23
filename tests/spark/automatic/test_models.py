"""A model of MLlib is one dataset, its folder, whatever files it consists of."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession

from openlineage_facets.spark import SparkRun
from tests.conftest import ROOT
from tests.spark.automatic.test_writes import change
from tests.spark.run.conftest import Events


@pytest.mark.check
@pytest.mark.usefixtures("without_gaps")
def test_a_model_is_one_dataset(
    spark: SparkSession, events: Events, orders: DataFrame, orders_path: str, tmp_path: Path
) -> None:
    from pyspark.ml import Pipeline, PipelineModel  # Loading it takes longer than all other test modules.
    from pyspark.ml.feature import StringIndexer, VectorAssembler

    stages = [
        StringIndexer(inputCol="day", outputCol="index"),
        VectorAssembler(inputCols=["index", "amount"], outputCol="features"),
    ]
    model, again = str(tmp_path / "model"), str(tmp_path / "again")
    with SparkRun(spark, "etl", "train", emit=events, on_error="raise"):
        Pipeline(stages=stages).fit(orders).save(model)
    assert (events.inputs, events.outputs, change(events, model)) == ([orders_path], [model], "CREATE")

    events.clear()
    with SparkRun(spark, "etl", "copy", emit=events, on_error="raise"):
        PipelineModel.load(model).save(again)
        PipelineModel.load(model).write().overwrite().save(again)
    assert (events.inputs, events.outputs) == ([model], [again])

    events.clear()
    with SparkRun(spark, "etl", "replace", emit=events, on_error="raise"):
        PipelineModel.load(model).write().overwrite().save(again)
    assert (events.inputs, events.outputs, change(events, again)) == ([model], [again], "OVERWRITE")


@pytest.mark.thorough
@pytest.mark.check
def test_a_model_is_one_dataset_if_mllib_is_imported_inside_the_run(
    spark: SparkSession, tmp_path: Path
) -> None:
    job = [sys.executable, "-m", "tests.spark.automatic.importing_job", str(tmp_path)]
    found = subprocess.run(job, capture_output=True, text=True, check=False, cwd=ROOT)
    assert found.returncode == 0, found.stderr
    assert found.stdout.split() == ["False", "/model", "/copy", "/model", "True", "SourceFileLoader"]
