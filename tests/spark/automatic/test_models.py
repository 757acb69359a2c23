"""A model of MLlib is one dataset, its folder, whatever files it consists of."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from tests.conftest import ROOT
from tests.spark.automatic.test_writes import change
from tests.spark.etl_job import EtlJob


@pytest.mark.check
@pytest.mark.usefixtures("without_gaps")
def test_a_model_is_one_dataset(etl: EtlJob) -> None:
    from pyspark.ml import Pipeline, PipelineModel  # Loading it takes longer than all other test modules.
    from pyspark.ml.feature import StringIndexer, VectorAssembler

    stages = [
        StringIndexer(inputCol="day", outputCol="index"),
        VectorAssembler(inputCols=["index", "amount"], outputCol="features"),
    ]
    model, again = str(etl.tmp_path / "model"), str(etl.tmp_path / "again")
    with etl.run("train"):
        Pipeline(stages=stages).fit(etl.orders).save(model)
    assert (etl.events.inputs, etl.events.outputs, change(etl.events, model)) == (
        [etl.orders_path],
        [model],
        "CREATE",
    )

    etl.events.clear()
    with etl.run("copy"):
        PipelineModel.load(model).save(again)
        PipelineModel.load(model).write().overwrite().save(again)
    assert (etl.events.inputs, etl.events.outputs) == ([model], [again])

    etl.events.clear()
    with etl.run("replace"):
        PipelineModel.load(model).write().overwrite().save(again)
    assert (etl.events.inputs, etl.events.outputs, change(etl.events, again)) == (
        [model],
        [again],
        "OVERWRITE",
    )


@pytest.mark.thorough
@pytest.mark.check
def test_a_model_is_one_dataset_if_mllib_is_imported_inside_the_run(
    spark: SparkSession, tmp_path: Path
) -> None:
    job = [sys.executable, "-m", "tests.spark.automatic.importing_job", str(tmp_path)]
    found = subprocess.run(job, capture_output=True, text=True, check=False, cwd=ROOT)
    assert found.returncode == 0, found.stderr
    assert found.stdout.split() == ["False", "/model", "/copy", "/model", "True", "SourceFileLoader"]
