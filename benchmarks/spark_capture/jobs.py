"""The jobs of the benchmark, and the sides that are compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["JOBS", "SIDES", "Job", "write_input"]

SIDES = ("none", "ours", "listener")
"""No lineage, `SparkRun`, OpenLineage's Spark listener."""

_LARGE_ROWS = 4_000_000


@dataclass(frozen=True)
class Job:
    """A job of several writes.

    Args:
        writes: How many writes it makes.
        is_large: Each of them takes seconds instead of a tenth of a second.
    """

    writes: int
    is_large: bool

    def run(self, spark: SparkSession, folder: str, out: str) -> None:
        """Run the job.

        Args:
            spark: The session.
            folder: Folder of the inputs.
            out: Folder for the output.
        """
        from pyspark.sql import functions as f

        source = "large" if self.is_large else "small"
        for number in range(self.writes):
            rows = spark.read.parquet(f"{folder}/{source}")
            totals = rows.groupBy("key").agg(f.sum("amount").alias("amount"), f.max("text").alias("last"))
            totals.write.parquet(f"{out}/{number}")


JOBS = {"small": Job(20, is_large=False), "large": Job(7, is_large=True)}


def write_input(spark: SparkSession, folder: str, scale: float) -> None:
    """Write the inputs of the jobs.

    Args:
        spark: The session.
        folder: Where to write them.
        scale: Size of the large one.
    """
    from pyspark.sql import functions as f

    for name, rows, keys in (("small", 1_000, 7), ("large", int(_LARGE_ROWS * scale), 200_000)):
        spark.range(0, rows, 1, 2).select(
            (f.col("id") % keys).alias("key"),
            (f.col("id") * 0.5).alias("amount"),
            f.sha2(f.col("id").cast("string"), 256).alias("text"),
        ).write.parquet(f"{folder}/{name}")
