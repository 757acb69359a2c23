"""Download the Delta and Iceberg jars for the installed version of PySpark, which tests need."""

from __future__ import annotations

import os
import sys
from importlib.metadata import version
from pathlib import Path

from tools.maven_jars import fetch_missing, file_of

OVERRIDE = "OPENLINEAGE_FACETS_LAKE_JARS"
"""Environment variable with a folder of other jars to use."""

JARS = {
    "3.5": (
        "io.delta:delta-spark_2.12:3.3.3",
        "io.delta:delta-storage:3.3.3",
        "org.apache.iceberg:iceberg-spark-runtime-3.5_2.12:1.12.0",
    ),
    "4.1": (
        "io.delta:delta-spark_4.1_2.13:4.4.0",
        "io.delta:delta-storage:4.4.0",
        "org.apache.iceberg:iceberg-spark-runtime-4.1_2.13:1.12.0",
    ),
}
"""Jars by Spark version."""

NEWEST = "Delta 4.4 supports Spark up to 4.2, Iceberg 1.12 up to 4.1"

FOLDER = Path(sys.prefix) / "lake-jars"


def main() -> None:
    """Download missing jars. On failure, exit with 1 and one line with the reason."""
    fetch_missing(coordinates(), FOLDER, OVERRIDE)


def coordinates() -> tuple[str, ...]:
    """Return the jars for the installed PySpark, empty if none are published for it."""
    return JARS.get(".".join(version("pyspark").split(".")[:2]), ())


def jars() -> list[Path]:
    """Return the jars to test with, empty if they are not available."""
    folder = os.environ.get(OVERRIDE)
    if folder:
        return sorted(Path(folder).glob("*.jar"))
    found = [FOLDER / file_of(coordinate) for coordinate in coordinates()]
    return found if all(jar.exists() for jar in found) else []


if __name__ == "__main__":
    main()
