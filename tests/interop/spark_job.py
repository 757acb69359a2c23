"""The job of the tests with Spark: join two tables of files, and write two.

python -m tests.interop.spark_job FOLDER [LISTENER_EVENTS]
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from pyspark.sql import SparkSession

from openlineage_facets.spark import SparkRun
from tests.interop.programs import ENVIRONMENTS
from tests.spark.corpus.compare_listener import listener_settings

EVENTS = "ours.ndjson"
"""The file with the events of SparkRun."""


def main(folder: Path, listener_events: Path | None) -> None:
    """Run the job, next to OpenLineage's listener if there is a file for its events."""
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local[2]").appName("daily_delays")
    settings = {} if listener_events is None else listener_settings(listener_events, ENVIRONMENTS / "jars")
    settings |= {"spark.ui.enabled": "false", "spark.sql.shuffle.partitions": "2"}
    for name, value in settings.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    flights, carriers = str(folder / "flights"), str(folder / "carriers")
    rows = [(1, "LH", 7), (2, "AF", 0)]
    spark.createDataFrame(rows, "id int, carrier string, delay int").write.parquet(flights)
    spark.createDataFrame([("LH", "Lufthansa")], "carrier string, name string").write.parquet(carriers)
    with SparkRun(spark, "etl", "daily_delays", emit=str(folder / EVENTS)):
        delays = spark.read.parquet(flights).join(spark.read.parquet(carriers), "carrier")
        delays.write.parquet(str(folder / "delays"))
        delays.groupBy("name").sum("delay").write.csv(str(folder / "report"), header=True)
    spark.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else None)
