"""Read many values from the JVM at once: one call of Py4J takes as long as hundreds of Python calls."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from openlineage_facets.spark.jvm.objects import JavaObject, java_class

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["json_value"]

_MAPPERS: WeakKeyDictionary[Any, JavaObject] = WeakKeyDictionary()
"""Jackson's mapper, with which Spark writes its event log, by the gateway of the JVM."""


def json_value(spark: SparkSession, value: JavaObject) -> Any:
    """Return the JSON form of a collection or a plain data object of the JVM.

    Args:
        spark: A session of the JVM.
        value: For example a Scala map, or what Spark's status store returns.
    """
    context: JavaObject = spark.sparkContext
    mapper = _MAPPERS.get(context._gateway)
    if mapper is None:
        mapper = java_class(spark, "com.fasterxml.jackson.databind.ObjectMapper")()
        mapper.registerModule(java_class(spark, "com.fasterxml.jackson.module.scala.DefaultScalaModule")())
        _MAPPERS[context._gateway] = mapper
    return json.loads(mapper.writeValueAsString(value))
