"""Measure `fold_stream` with a topic of a Kafka broker in a separate process.

    python -m benchmarks.streams [--master 'local[2]'] [--batches N] [--events SMALL LARGE]

Sends the events of `benchmarks.archives`, folds them in batches of SMALL and then of LARGE events, and prints
the median duration of a batch of each size, the fixed cost of a batch, and the events per second. The first
batches of each size, in which the JVM compiles its code, are not counted. Needs the jars of
`tools.kafka_jars`.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from pyspark.sql import SparkSession

from benchmarks.archives import lines
from openlineage_facets.spark.archives import fold_stream
from tests.spark.kafka.broker import Broker, producer_for
from tools.java_home import java_of_machine
from tools.kafka_jars import CONNECTOR, jars

_WARM_UP = 2
"""Batches of each size that are not counted."""


def main() -> None:
    """Run the query and print the durations of its batches."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.streams", description=__doc__)
    parser.add_argument("--master", default="local[2]")
    parser.add_argument("--batches", type=int, default=5, help="number of counted batches of each size")
    parser.add_argument("--events", type=int, nargs=2, default=(99, 6000), metavar=("SMALL", "LARGE"))
    options = parser.parse_args()
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    with tempfile.TemporaryDirectory() as folder, _session(options.master) as spark:
        seconds = {
            size: _duration(spark, Path(folder) / str(size), size, options.batches) for size in options.events
        }
    few, many = options.events
    each = (seconds[many] - seconds[few]) / (many - few)
    for size, duration in seconds.items():
        print(f"{size:>8,} events in a batch: {duration:6.2f} s, {size / duration:8,.0f} events/s")
    print(f"fixed cost of a batch {seconds[few] - few * each:.2f} s, each event {each * 1e6:,.0f} us")
    print(f"load {os.getloadavg()[0]:.1f}")


@contextmanager
def _session(master: str) -> Iterator[SparkSession]:
    builder = SparkSession.builder.master(master).config("spark.ui.enabled", "false")
    spark = builder.config("spark.jars", ",".join(map(str, jars(CONNECTOR)))).getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    yield spark
    spark.stop()


def _duration(spark: SparkSession, folder: Path, size: int, batches: int) -> float:
    """Return the median duration of a batch."""
    home = java_of_machine()
    if home is None:
        raise SystemExit("expected a Java installation, found none; set JAVA_HOME")
    java = home / "bin" / "java"
    folder.mkdir()
    broker = Broker(folder, java)
    broker.start()
    try:
        with producer_for(broker, java) as producer:
            producer.send("lineage", lines(size * (batches + _WARM_UP)))
        source = spark.readStream.format("kafka").option("kafka.bootstrap.servers", broker.address)
        source = source.option("subscribe", "lineage").option("startingOffsets", "earliest")
        events = source.option("maxOffsetsPerTrigger", size).load()
        query = fold_stream(events, folder / "folded", available_now=True)
        query.awaitTermination()
    finally:
        broker.kill()
    counted = query.recentProgress[_WARM_UP : _WARM_UP + batches]
    milliseconds = [float(progress["durationMs"]["triggerExecution"]) for progress in counted]
    return median(milliseconds) / 1e3


if __name__ == "__main__":
    main()
