"""Objects of the JVM that Spark runs in, and the few ways of asking them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.types import StructType

__all__ = ["JavaObject", "class_of", "each", "entry", "has_method", "option"]

JavaObject: TypeAlias = Any
"""An object of the JVM, which Python knows nothing of."""


def class_of(thing: JavaObject) -> str:
    """Return the name of an object's class, without its package."""
    return str(thing.getClass().getName()).rpartition(".")[2]


def is_a(thing: JavaObject, name: str) -> bool:
    """Tell whether an object is of a class, named without its package, or of one that extends it."""
    found = thing.getClass()
    while found is not None:
        if str(found.getName()).rpartition(".")[2] == name:
            return True
        found = found.getSuperclass()
    return False


def has_method(thing: JavaObject, name: str) -> bool:
    """Tell whether an object has a public method."""
    return any(method.getName() == name for method in thing.getClass().getMethods())


def each(sequence: JavaObject) -> Iterator[JavaObject]:
    """Go through a Scala sequence."""
    return (sequence.apply(index) for index in range(sequence.size()))


def option(value: JavaObject) -> JavaObject | None:
    """Return what a Scala Option holds, or None."""
    return value.get() if value is not None and value.isDefined() else None


def entry(properties: JavaObject, key: str) -> str | None:
    """Return an entry of a Java map, or None."""
    value = properties.get(key)
    return None if value is None else str(value)


def struct(schema: JavaObject) -> StructType:
    """Return a schema as PySpark has it."""
    from pyspark.sql.types import StructType

    return StructType.fromJson(json.loads(schema.json()))


def session_state(spark: SparkSession) -> JavaObject:
    """Return what a session's catalog and parser hang on."""
    session: JavaObject = spark._jsparkSession
    return session.sessionState()


def hadoop_configuration(spark: SparkSession) -> JavaObject:
    """Return the configuration of the file systems."""
    context: JavaObject = spark.sparkContext._jsc
    return context.hadoopConfiguration()


def hadoop_path(spark: SparkSession, location: JavaObject | str) -> JavaObject:
    """Return a path as Hadoop knows it: its text has nothing encoded, as a java.net.URI has."""
    jvm: JavaObject = spark.sparkContext._jvm
    return jvm.org.apache.hadoop.fs.Path(location)


def table_identifier(spark: SparkSession, parts: list[str]) -> JavaObject:
    """Return the name of a table of the session catalog, from its database and its own name."""
    jvm: JavaObject = spark.sparkContext._jvm
    return jvm.org.apache.spark.sql.catalyst.TableIdentifier(parts[-1], jvm.scala.Some(parts[-2]))
