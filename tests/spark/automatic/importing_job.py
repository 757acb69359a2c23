"""A job that imports MLlib inside its run: prints what its last event reads and writes, and its imports."""

from __future__ import annotations

import sys

from pyspark.sql import SparkSession

from openlineage_facets.spark import SparkRun


def main(folder: str) -> None:
    """Save a model, copy it, and print what was reported."""
    spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
    finders = list(sys.meta_path)
    events = []
    with SparkRun(spark, "etl", "train", emit=events.append, on_error="raise"):
        print(any(name.startswith("pyspark.ml") for name in sys.modules))
        from pyspark.ml import Pipeline, PipelineModel
        from pyspark.ml.feature import VectorAssembler

        stages = [VectorAssembler(inputCols=["id"], outputCol="features")]
        Pipeline(stages=stages).fit(spark.range(5)).save(f"{folder}/model")
        PipelineModel.load(f"{folder}/model").save(f"{folder}/copy")
    last = events[-1]
    print(*(one.name.removeprefix(folder) for one in last.outputs or ()))
    print(*(one.name.removeprefix(folder) for one in last.inputs or ()))
    print(sys.meta_path == finders, type(sys.modules["pyspark.ml.pipeline"].__loader__).__name__)


if __name__ == "__main__":
    main(sys.argv[1])
