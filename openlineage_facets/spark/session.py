"""What a Spark session tells of itself, with a JVM behind it or without."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

__all__ = [
    "frame_of_plan",
    "has_jvm",
    "is_stopped",
    "members",
    "tells_of_lost_session",
    "threads_are_pinned",
]

_LOST = ("INVALID_HANDLE.SESSION_", "NO_ACTIVE_SESSION")
"""How the names of errors begin that say so of a session."""


def has_jvm(spark: SparkSession | None) -> bool:
    """Tell whether the session reaches the JVM, which one of Spark Connect does not."""
    return getattr(spark, "_jsparkSession", None) is not None


def is_stopped(spark: SparkSession | None) -> bool:
    """Tell whether the Spark context of a session was stopped."""
    if not has_jvm(spark):
        return bool(getattr(spark, "is_stopped", False))
    context: Any = getattr(spark, "_sc", None)
    try:
        return bool(context is None or context._jsc is None or context._jsc.sc().isStopped())
    except Exception:
        return True  # The JVM is gone, and the context with it.


def tells_of_lost_session(error: BaseException) -> bool:
    """Tell whether an error of Spark Connect says that its session was closed, or that its server is gone."""
    status = getattr(error, "getGrpcStatusCode", None)
    if status is not None and getattr(status(), "name", None) == "UNAVAILABLE":
        return True
    # PySpark 3.5 calls it a class.
    condition = getattr(error, "getCondition", None) or getattr(error, "getErrorClass", None)
    return condition is not None and (condition() or "").startswith(_LOST)


def threads_are_pinned(spark: SparkSession) -> bool:
    """Tell whether each thread of Python has one of the JVM, so that what one thread sets is its own."""
    gateway: Any = spark.sparkContext._gateway
    return type(gateway).__name__ == "ClientServer"  # The other gateway keeps a pool of threads.


def members(collection: Any) -> Iterator[Any]:
    """Yield what a Scala collection of any kind holds."""
    iterator = collection.iterator()
    while iterator.hasNext():
        yield iterator.next()


def frame_of_plan(spark: SparkSession, plan: Any) -> DataFrame:
    """Return the DataFrame of an analyzed plan; nothing is run."""
    from pyspark.sql import DataFrame

    jvm: Any = spark.sparkContext._jvm
    sql = jvm.org.apache.spark.sql
    # Since 4.0 the class with a JVM behind it is one of two.
    dataset = sql.Dataset if spark.version.startswith("3.") else sql.classic.Dataset
    return DataFrame(dataset.ofRows(spark._jsparkSession, plan), spark)
