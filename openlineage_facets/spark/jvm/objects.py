"""Access to JVM objects through Py4J: one after another, and many values in one call."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TypeAlias
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.types import StructType


JavaObject: TypeAlias = Any
"""A JVM object, whose type Python does not know."""


def java_class(spark: SparkSession, name: str) -> JavaObject:
    """Return a class of the JVM by its full name, without looking up the packages in its name."""
    from py4j.java_gateway import JavaClass  # type: ignore[import-untyped,unused-ignore]

    jvm: JavaObject = spark.sparkContext._jvm
    return JavaClass(name, jvm._gateway_client)


def class_of(thing: JavaObject) -> str:
    """Return the simple name of an object's class."""
    return str(thing.getClass().getName()).rpartition(".")[2]


_METHODS: dict[str, frozenset[str]] = {}
"""Names of the public methods by class."""


def is_a(thing: JavaObject, name: str) -> bool:
    """Return True if an object is an instance of a class, given by its simple name, or of a subclass."""
    own_class = thing.getClass()
    while own_class is not None:
        if str(own_class.getName()).rpartition(".")[2] == name:
            return True
        own_class = own_class.getSuperclass()
    return False


def has_method(thing: JavaObject, name: str) -> bool:
    """Return True if an object has a public method."""
    own_class = thing.getClass()
    kind = str(own_class.getName())
    if kind not in _METHODS:
        _METHODS[kind] = frozenset(str(method.getName()) for method in own_class.getMethods())
    return name in _METHODS[kind]


def private_field(thing: JavaObject, name: str) -> JavaObject:
    """Return a private field of an object.

    Raises:
        LookupError: It has no such field.
    """
    for field in thing.getClass().getDeclaredFields():
        if str(field.getName()).rpartition("$")[2] == name:
            field.setAccessible(True)
            return field.get(thing)
    raise LookupError(f"{class_of(thing)} has no field {name!r}")


def each(sequence: JavaObject) -> Iterator[JavaObject]:
    """Iterate over a Scala sequence."""
    return (sequence.apply(index) for index in range(sequence.size()))


def option(value: JavaObject) -> JavaObject | None:
    """Return the value of a Scala Option, or None."""
    return value.get() if value is not None and value.isDefined() else None


def entry(properties: JavaObject, key: str) -> str | None:
    """Return the value of a key in a Java map, or None."""
    value = properties.get(key)
    return None if value is None else str(value)


def struct(schema: JavaObject) -> StructType:
    """Convert a JVM schema to PySpark."""
    from pyspark.sql.types import StructType

    return StructType.fromJson(json.loads(schema.json()))


def session_state(spark: SparkSession) -> JavaObject:
    """Return the session state, which has the catalog and the parser."""
    session: JavaObject = spark._jsparkSession
    return session.sessionState()


def hadoop_configuration(spark: SparkSession) -> JavaObject:
    """Return the Hadoop configuration of a session, which may have been stopped meanwhile."""
    session: JavaObject = spark._jsparkSession
    return session.sparkContext().hadoopConfiguration()


def hadoop_path(spark: SparkSession, location: JavaObject | str) -> JavaObject:
    """Return a Hadoop path. Its text is not percent-encoded, unlike that of a java.net.URI."""
    return java_class(spark, "org.apache.hadoop.fs.Path")(location)


def table_identifier(spark: SparkSession, parts: list[str]) -> JavaObject:
    """Return the identifier of a table of the session catalog, from its database and name."""
    jvm: JavaObject = spark.sparkContext._jvm
    return jvm.org.apache.spark.sql.catalyst.TableIdentifier(parts[-1], jvm.scala.Some(parts[-2]))


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
