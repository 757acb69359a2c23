"""Read many values from the JVM at once: one call of Py4J takes as long as hundreds of Python calls."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from openlineage_facets.spark.jvm.objects import JavaObject, java_class

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_SERIALIZERS: WeakKeyDictionary[Any, JavaObject] = WeakKeyDictionary()
"""The serializer of Spark's status store, by the gateway of the JVM."""


def json_value(spark: SparkSession, value: JavaObject) -> Any:
    """Return the JSON form of a collection or a plain data object of the JVM.

    It is transferred compressed: the JVM sends more than 8 KiB in several packets, and waits up to 40 ms
    before the last of them.

    Args:
        spark: A session of the JVM.
        value: For example a Scala map, or what Spark's status store returns.
    """
    context: JavaObject = spark.sparkContext
    serializer = _SERIALIZERS.get(context._gateway)
    if serializer is None:
        serializer = java_class(spark, "org.apache.spark.status.KVUtils$KVStoreScalaSerializer")()
        _SERIALIZERS[context._gateway] = serializer
    return json.loads(gzip.decompress(serializer.serialize(value)))
