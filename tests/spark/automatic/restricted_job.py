"""A job with less than capture needs: `python -m ... FOLDER (unpinned | stopped)`.

It prints what it does, the outputs of its run, and what was logged.
"""

from __future__ import annotations

import logging
import os
import sys

SITUATIONS = ("unpinned", "stopped")


def job(folder: str, situation: str) -> None:
    """Run a job in one of the situations."""
    if situation == "unpinned":
        os.environ["PYSPARK_PIN_THREAD"] = "false"
    from pyspark.sql import SparkSession

    from openlineage_facets import RunEvent
    from openlineage_facets.spark import SparkRun

    logging.basicConfig(stream=sys.stdout, format="log: %(message)s")
    spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
    spark.range(5).write.parquet(f"{folder}/numbers")
    numbers = spark.read.parquet(f"{folder}/numbers")
    events: list[RunEvent] = []
    if situation == "stopped":
        spark.stop()
    try:
        with SparkRun(spark, "etl", situation, emit=events.append):
            numbers.write.parquet(f"{folder}/copied")
            print("rows:", numbers.count())
            spark.read.parquet(f"{folder}/copied")._jdf.write().parquet(f"{folder}/again")
    except Exception as error:
        print("error:", type(error).__name__)
    last = events[-1]
    names = [dataset.name.rpartition("/")[2] for dataset in last.outputs or ()]
    print(last.event_type.value if last.event_type else None, *names)


if __name__ == "__main__":
    job(*sys.argv[1:])
