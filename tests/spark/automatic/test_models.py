"""A model of MLlib is one dataset, its folder, whatever files it consists of."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession

from openlineage_facets.spark.datasets.mllib_models import add_computed_columns
from tests.conftest import ROOT
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
    assert (etl.events.inputs, etl.events.outputs, etl.events.change(model)) == (
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
    assert (etl.events.inputs, etl.events.outputs, etl.events.change(again)) == (
        [model],
        [again],
        "OVERWRITE",
    )


def sources_of_outputs(etl: EtlJob) -> dict[str, set[str]]:
    facet = etl.events.facets["job"]["lineage"]
    return {entry.name: {source.name for source in entry.inputs or ()} for entry in facet.entries}


@pytest.mark.thorough
@pytest.mark.check
@pytest.mark.usefixtures("without_gaps")
def test_predictions_come_from_their_model(etl: EtlJob) -> None:
    from pyspark.ml import Pipeline, PipelineModel
    from pyspark.ml.feature import StringIndexer

    indexer = StringIndexer(inputCol="day", outputCol="index", handleInvalid="keep")
    days, model = str(etl.tmp_path / "days"), str(etl.tmp_path / "model")
    etl.spark.sql("SELECT '2026-01-01' AS day").write.parquet(days)
    Pipeline(stages=[indexer]).fit(etl.orders).save(model)
    written = {name: str(etl.tmp_path / name) for name in ("loaded", "stage", "fitted", "by_sql", "copied")}
    with etl.run("predict"):
        new = etl.spark.read.parquet(days)
        loaded = PipelineModel.load(model)
        loaded.transform(new).write.parquet(written["loaded"])
        loaded.stages[0].transform(new).localCheckpoint().write.parquet(written["stage"])
        [fitted] = indexer.fit(etl.orders, [{}])
        fitted.transform(new).createOrReplaceTempView("predictions")
        etl.spark.table("predictions").write.parquet(written["fitted"])
        etl.spark.sql(
            f"INSERT OVERWRITE DIRECTORY '{written['by_sql']}' USING parquet SELECT * FROM predictions"
        )
        new.write.parquet(written["copied"])
    assert sources_of_outputs(etl) == {
        written["loaded"]: {days, model},
        written["stage"]: {days, model},
        written["fitted"]: {days, etl.orders_path},
        written["by_sql"]: {days, etl.orders_path},
        written["copied"]: {days},
    }


@pytest.mark.thorough
@pytest.mark.check
def test_the_run_of_a_write_has_the_model(etl: EtlJob) -> None:
    from pyspark.ml.feature import StringIndexer, StringIndexerModel

    model, target = str(etl.tmp_path / "model"), str(etl.tmp_path / "predictions")
    StringIndexer(inputCol="day", outputCol="index").fit(etl.orders).save(model)
    with etl.run("predict", runs="per_write"):
        StringIndexerModel.load(model).transform(etl.orders).write.parquet(target)
    [write] = [
        {one.name for one in event.inputs or ()}
        for event in etl.events
        if event.event_type == "COMPLETE" and event.job.name != "predict"
    ]
    assert write == {etl.orders_path, model}


@pytest.mark.check
@pytest.mark.usefixtures("without_gaps")
def test_what_no_model_has_computed_is_not_remembered(spark: SparkSession) -> None:
    from pyspark.ml.feature import VectorAssembler

    df = spark.range(3)
    assembler = VectorAssembler(inputCols=["id"], outputCol="features")
    assert add_computed_columns(assembler, df, assembler.transform(df)) is None


def test_a_transformer_may_have_no_hash(etl: EtlJob) -> None:
    from pyspark.ml import Transformer

    @dataclass
    class Same(Transformer):
        uid: str = "same"

        def _transform(self, dataset: DataFrame) -> DataFrame:
            return dataset

    with etl.run("transform"):
        Same().transform(etl.orders).write.parquet(etl.target)
    assert sources_of_outputs(etl) == {etl.target: {etl.orders_path}}


@pytest.mark.thorough
@pytest.mark.check
def test_a_model_is_one_dataset_if_mllib_is_imported_inside_the_run(
    spark: SparkSession, tmp_path: Path
) -> None:
    job = [sys.executable, "-m", "tests.spark.automatic.importing_job", str(tmp_path)]
    found = subprocess.run(job, capture_output=True, text=True, check=False, cwd=ROOT)
    assert found.returncode == 0, found.stderr
    assert found.stdout.split() == ["False", "/model", "/copy", "/model", "True", "SourceFileLoader"]


@pytest.mark.thorough
@pytest.mark.check
def test_a_plan_that_spark_cannot_write_as_json_has_its_inputs_and_models(etl: EtlJob) -> None:
    from pyspark.ml.feature import StringIndexer, VectorAssembler
    from pyspark.ml.functions import vector_to_array
    from pyspark.ml.stat import Summarizer

    indexer = StringIndexer(inputCol="day", outputCol="index", handleInvalid="keep")
    vectors = VectorAssembler(inputCols=["index"], outputCol="features")
    days = str(etl.tmp_path / "days")
    etl.spark.sql("SELECT '1' AS day, 2 AS amount").write.parquet(days)
    with etl.run("summarize", on_error="log"):
        indexed = indexer.fit(etl.spark.read.parquet(days)).transform(etl.orders)
        mean = vectors.transform(indexed)
        mean = mean.agg(Summarizer.mean(mean.features).alias("mean"))
        mean.select(vector_to_array("mean").alias("mean")).write.parquet(etl.target)
    assert sources_of_outputs(etl) == {etl.target: {etl.orders_path, days}}
