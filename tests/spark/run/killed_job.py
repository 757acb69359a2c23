"""A Spark job to be killed: `python killed_job.py MASTER FOLDER RUNS`.

Each run slowly writes a thousand rows, and emits its events to a spool in FOLDER whose receiver fails half of
the time. FOLDER/emitted lists the events for which `emit` has returned.
"""

from __future__ import annotations

import json
import os
import random
import sys
import time
from pathlib import Path

from pyspark.sql import SparkSession
from pyspark.sql import functions as f

from openlineage_facets import RunEvent
from openlineage_facets.emitters import FileEmitter, SpoolEmitter
from openlineage_facets.spark import SparkRun

ROWS = 1000


def main(master: str, folder: Path, runs: int) -> None:
    """Run the job `runs` times."""
    received = FileEmitter(folder / "received.ndjson", on_error="raise")

    def receive(event: RunEvent) -> None:
        if random.random() < 0.5:
            raise ConnectionError("the receiver is down")
        received.emit(event)

    spool = SpoolEmitter(receive, folder / "spool")
    noted = os.open(folder / "emitted", os.O_CREAT | os.O_APPEND | os.O_WRONLY)

    def emit(event: RunEvent) -> None:
        spool.emit(event)
        os.write(noted, json.dumps([event.run.run_id, event.event_type.value]).encode() + b"\n")  # type: ignore[union-attr]

    def slowly(number: int) -> int:
        time.sleep(0.002)
        return number

    spark = SparkSession.builder.master(master).appName("killed").getOrCreate()
    slow = f.udf(slowly, "long")
    for number in range(runs):
        with SparkRun(spark, "kills", f"run-{number}", emit=emit, running_every=0) as run:
            print(f"run {number}", flush=True)
            rows = spark.range(0, ROWS, 1, 4).select(slow("id").alias("id"))
            run.write(rows, str(folder / f"out-{number}"), mode="overwrite")
    print("done", flush=True)
    spool.close()
    spark.stop()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))
