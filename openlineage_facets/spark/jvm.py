"""Access to the JVM of a session: its state, and objects, one after another or many values in one call."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TypeAlias
from weakref import WeakKeyDictionary

# `spark-run` imports this module before the job, which may add PySpark to `sys.path` first.
if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import StructType

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


def deliver_pending(spark: SparkSession, timeout: float) -> bool:
    """Wait until the listeners of Spark know all that has happened so far; return False after a timeout.

    Args:
        spark: The session.
        timeout: Seconds to wait at most.
    """
    context: Any = spark.sparkContext
    try:
        context._jsc.sc().listenerBus().waitUntilEmpty(max(0, int(timeout * 1000)))
    except Exception:
        return False
    return True


def session_setting(spark: SparkSession, name: str) -> str | None:
    """Return a setting of a session, which includes those of its application; None if it is not set."""
    value: Any = spark.conf.get(name, None)
    return None if value is None else str(value)


def threads_are_pinned(spark: SparkSession) -> bool:
    """Return True if each Python thread has its own JVM thread, so that job tags are per thread."""
    gateway: Any = spark.sparkContext._gateway
    return type(gateway).__name__ == "ClientServer"  # The other gateway uses a thread pool.


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


def members(collection: Any) -> Iterator[Any]:
    """Iterate over a Scala collection."""
    iterator = collection.iterator()
    while iterator.hasNext():
        yield iterator.next()


def texts(sequence: JavaObject) -> list[str]:
    """Return the elements of a Scala sequence as texts."""
    return [str(element) for element in each(sequence)]


def options_of(options: JavaObject) -> dict[str, str]:
    """Return the options in a Scala map, with keys in lower case."""
    return {str(pair._1()).lower(): str(pair._2()) for pair in members(options)}


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
