"""State of a Spark session, with a JVM or through Spark Connect."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_LOST_SESSION_ERRORS = ("INVALID_HANDLE.SESSION_", "NO_ACTIVE_SESSION")
"""Prefixes of error conditions of a closed session."""


def has_jvm(spark: SparkSession | None) -> bool:
    """Return True if the session has access to the JVM, and False for Spark Connect."""
    return getattr(spark, "_jsparkSession", None) is not None


def is_stopped(spark: SparkSession | None) -> bool:
    """Return True if the Spark context of a session was stopped."""
    if not has_jvm(spark):
        return bool(getattr(spark, "is_stopped", False))
    context: Any = getattr(spark, "_sc", None)
    try:
        return bool(context is None or context._jsc is None or context._jsc.sc().isStopped())
    except Exception:
        return True  # The JVM has exited.


def indicates_lost_session(error: BaseException) -> bool:
    """Return True if an error of Spark Connect means that the session was closed or the server is gone."""
    status = getattr(error, "getGrpcStatusCode", None)
    if status is not None and getattr(status(), "name", None) == "UNAVAILABLE":
        return True
    # PySpark 3.5 has getErrorClass.
    condition = getattr(error, "getCondition", None) or getattr(error, "getErrorClass", None)
    return condition is not None and (condition() or "").startswith(_LOST_SESSION_ERRORS)


def session_setting(spark: SparkSession, name: str) -> str | None:
    """Return a setting of a session, which includes those of its application; None if it is not set."""
    value: Any = spark.conf.get(name, None)
    return None if value is None else str(value)


def threads_are_pinned(spark: SparkSession) -> bool:
    """Return True if each Python thread has its own JVM thread, so that job tags are per thread."""
    gateway: Any = spark.sparkContext._gateway
    return type(gateway).__name__ == "ClientServer"  # The other gateway uses a thread pool.


def members(collection: Any) -> Iterator[Any]:
    """Iterate over a Scala collection."""
    iterator = collection.iterator()
    while iterator.hasNext():
        yield iterator.next()


def session_of_java(spark: SparkSession, session: Any) -> SparkSession:
    """Return PySpark's object for a session of the JVM.

    The constructor of PySpark's class would make it the session of `rdd.toDF`.

    Args:
        spark: Another session of the same Spark application.
        session: The JVM's session.
    """
    other: Any = object.__new__(type(spark))
    known: Any = spark
    other._sc, other._jsc, other._jvm = known._sc, known._jsc, known._jvm
    other._jsparkSession = session
    found: SparkSession = other
    return found


def frame_of_plan(spark: SparkSession, plan: Any) -> DataFrame:
    """Return the DataFrame of an analyzed query without executing it. A command would be executed again."""
    from pyspark.sql import DataFrame

    jvm: Any = spark.sparkContext._jvm
    sql = jvm.org.apache.spark.sql
    # Since 4.0 there are two classes of this name; this one is not for Spark Connect.
    dataset = sql.Dataset if spark.version.startswith("3.") else sql.classic.Dataset
    return DataFrame(dataset.ofRows(spark._jsparkSession, plan), spark)
