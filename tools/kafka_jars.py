"""Download a Kafka broker, and Spark's connector to it, which tests need with PySpark 4."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path

from tools.maven_jars import fetch_missing, file_of

OVERRIDE = "OPENLINEAGE_FACETS_KAFKA_JARS"
"""Environment variable with another folder that contains the jars."""

_KAFKA = "4.1.1"

BROKER = (
    "com.github.ben-manes.caffeine:caffeine:3.2.0",
    "com.google.re2j:re2j:1.8",
    "com.typesafe.scala-logging:scala-logging_2.13:3.9.5",
    "com.yammer.metrics:metrics-core:2.2.0",
    "commons-validator:commons-validator:1.9.0",
    "net.sf.jopt-simple:jopt-simple:5.0.4",
    "net.sourceforge.argparse4j:argparse4j:0.7.0",
    f"org.apache.kafka:kafka-clients:{_KAFKA}",
    f"org.apache.kafka:kafka-coordinator-common:{_KAFKA}",
    f"org.apache.kafka:kafka-group-coordinator-api:{_KAFKA}",
    f"org.apache.kafka:kafka-group-coordinator:{_KAFKA}",
    f"org.apache.kafka:kafka-metadata:{_KAFKA}",
    f"org.apache.kafka:kafka-raft:{_KAFKA}",
    f"org.apache.kafka:kafka-server-common:{_KAFKA}",
    f"org.apache.kafka:kafka-server:{_KAFKA}",
    f"org.apache.kafka:kafka-share-coordinator:{_KAFKA}",
    f"org.apache.kafka:kafka-storage-api:{_KAFKA}",
    f"org.apache.kafka:kafka-storage:{_KAFKA}",
    f"org.apache.kafka:kafka-tools-api:{_KAFKA}",
    f"org.apache.kafka:kafka-transaction-coordinator:{_KAFKA}",
    f"org.apache.kafka:kafka_2.13:{_KAFKA}",
    "org.hdrhistogram:HdrHistogram:2.2.2",
    "org.pcollections:pcollections:4.0.2",
)
"""What the broker needs besides the jars of PySpark."""

CONNECTOR = (
    "org.apache.commons:commons-pool2:2.13.1",
    "org.apache.kafka:kafka-clients:3.9.2",
    "org.apache.spark:spark-sql-kafka-0-10_2.13:4.2.0",
    "org.apache.spark:spark-token-provider-kafka-0-10_2.13:4.2.0",
)
"""What Spark 4 needs to read topics."""

FOLDER = Path(sys.prefix) / "kafka-jars"


def main() -> None:
    """Download missing jars. On failure, exit with 1 and one line with the reason."""
    if supported():
        for wanted in (BROKER, CONNECTOR):  # With different revisions of one module.
            fetch_missing(wanted, FOLDER, OVERRIDE)


def supported() -> bool:
    """Return whether the installed PySpark can use these jars, which are compiled for Scala 2.13."""
    return version("pyspark").split(".")[0] == "4"


def jars(wanted: Iterable[str]) -> list[Path]:
    """Return the jars with these coordinates.

    Raises:
        FileNotFoundError: A jar is missing.
    """
    folder = Path(os.environ.get(OVERRIDE) or FOLDER)
    found = [folder / file_of(coordinate) for coordinate in wanted]
    for jar in found:
        if not jar.exists():
            raise FileNotFoundError(f"{jar} does not exist; run python -m tools.kafka_jars")
    return found


if __name__ == "__main__":
    main()
