"""Run all jobs on sample data: `python -m jobs FOLDER`. Events are written to `events/jobs.ndjson`."""

import sys
from pathlib import Path

from pyspark.sql import SparkSession

from jobs.pipeline import run_all, write_samples

if __name__ == "__main__":
    lake = Path(sys.argv[1]).resolve() / "lake"
    write_samples(lake)
    Path("events").mkdir(exist_ok=True)
    Path("events/jobs.ndjson").unlink(missing_ok=True)
    spark = SparkSession.builder.master("local[2]").appName("shop").getOrCreate()
    run_all(spark, str(lake), emit="events/jobs.ndjson")
    spark.stop()
