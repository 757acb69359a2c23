"""What a job has configured on a writer before it writes: format, mode, options, partitions, table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

from pyspark.sql import DataFrame, SparkSession

from openlineage_facets.spark.jvm import JavaObject, each, json_value, option
from openlineage_facets.spark.naming import quoted_sql_name


@dataclass(frozen=True)
class WriterState:
    """The configuration of a writer.

    Args:
        format: The format; None for the session's default.
        mode: The save mode; None for the default.
        options: The options by lower-case name.
        partitions: The partition columns.
    """

    format: str | None = None
    mode: str | None = None
    options: dict[str, Any] = field(default_factory=dict)
    partitions: tuple[str, ...] = ()

    @classmethod
    def of(cls, writer: Any) -> WriterState:
        """Return the state of PySpark's DataFrameWriter, classic or of Spark Connect.

        The classic writer stores it in private fields of a JVM object.
        """
        java = getattr(writer, "_jwrite", None)
        if java is None:
            return cls._of_connect(writer._write)
        fields = _Fields(writer, java)
        mode = fields.get("curmode" if fields.has("curmode") else "mode")  # Spark 4 and 3.5.
        return cls(
            fields.get("source"),
            None if mode is None else str(mode.toString()),
            fields.options(),
            tuple(fields.values("partitioningColumns") or ()),
        )

    @classmethod
    def of_stream(cls, writer: Any) -> WriterState:
        """Return the state of PySpark's DataStreamWriter."""
        java = getattr(writer, "_jwrite", None)
        if java is None:
            operation = writer._write_proto
            options = {key.lower(): value for key, value in operation.options.items()}
            is_function = operation.HasField("foreach_batch")
            sink = "foreachBatch" if is_function else operation.format or None
            return cls(sink, None, options, tuple(operation.partitioning_column_names))
        fields = _Fields(writer, java)
        return cls(fields.get("source"), None, fields.options())

    @classmethod
    def _of_connect(cls, operation: Any) -> WriterState:
        options = {key.lower(): value for key, value in operation.options.items()}
        return cls(operation.source, operation.mode, options, tuple(operation.partitioning_cols))


def written_frame(writer: Any) -> DataFrame:
    """Return the DataFrame that a DataFrameWriter or DataFrameWriterV2 writes."""
    if hasattr(writer, "_jwrite") or hasattr(writer, "_jwriter"):
        frame: DataFrame = writer._df
        return frame
    return _connect_frame(writer._df, writer._spark)


def streamed_frame(writer: Any) -> DataFrame:
    """Return the DataFrame that a DataStreamWriter writes."""
    if hasattr(writer, "_jwrite"):
        frame: DataFrame = writer._df
        return frame
    return _connect_frame(writer._write_stream._child, writer._session)


def _connect_frame(plan: Any, session: SparkSession) -> DataFrame:
    """Return the DataFrame of Spark Connect with a plan."""
    from pyspark.sql.connect.dataframe import DataFrame as ConnectFrame

    connect: Any = ConnectFrame
    frame: DataFrame
    # PySpark 4 passes the plan to the constructor.
    frame = connect.withPlan(plan, session) if hasattr(connect, "withPlan") else connect(plan, session)
    return frame


def table_of(writer: Any) -> tuple[str, str | None, tuple[str, ...]]:
    """Return the quoted name of the table of a DataFrameWriterV2, its format and its partition columns.

    The format is None if the job has not set one. Partitions by computed values are no columns.
    """
    java = getattr(writer, "_jwriter", None)
    if java is None:
        return writer._table_name, writer._write.provider, ()
    fields = _Fields(writer, java)
    transforms = option(fields.get("partitioning"))
    partitions = () if transforms is None else tuple(_identity_columns(transforms))
    return quoted_sql_name(map(str, fields.values("tableName"))), option(fields.get("provider")), partitions


def _identity_columns(transforms: JavaObject) -> Iterator[str]:
    for transform in each(transforms):
        if str(transform.name()) == "identity":
            (column,) = transform.references()
            yield ".".join(map(str, column.fieldNames()))


def session_of(caller: Any) -> SparkSession | None:
    """Return the session of a writer or a DataFrame, or a session itself; None for any other object.

    Other attributes of a DataFrame may be its columns.
    """
    own = vars(caller)
    is_session = "_jsparkSession" in own or "_client" in own
    session: SparkSession | None = (
        own.get("_spark") or own.get("_session") or (caller if is_session else None)
    )
    return session


_FIELDS: WeakKeyDictionary[Any, dict[type, dict[str, JavaObject]]] = WeakKeyDictionary()
"""Java's private fields of the classes of writers, by the gateway of the JVM and the class in Python."""


class _Fields:
    """The private fields of the JVM object of a writer.

    Args:
        writer: PySpark's writer.
        java: Its JVM object.
    """

    def __init__(self, writer: Any, java: JavaObject) -> None:
        self.spark: SparkSession = writer._df.sparkSession
        self._java = java
        context: Any = self.spark.sparkContext
        by_class = _FIELDS.setdefault(context._gateway, {})
        if type(writer) not in by_class:
            by_class[type(writer)] = _declared_fields(java)
        self._fields = by_class[type(writer)]

    def has(self, name: str) -> bool:
        return name in self._fields

    def get(self, name: str) -> JavaObject:
        if name not in self._fields:
            raise LookupError(f"{self._java.getClass().getName()} has no field {name}")
        return self._fields[name].get(self._java)

    def values(self, name: str) -> Any:
        """Return a collection of texts."""
        return json_value(self.spark, self.get(name))

    def options(self) -> dict[str, Any]:
        """Return the options by lower-case name."""
        return {name.lower(): value for name, value in (self.values("extraOptions") or {}).items()}


def _declared_fields(java: JavaObject) -> dict[str, JavaObject]:
    """Return the fields of the class of an object, and of its superclass, by name."""
    own_class = java.getClass()
    fields: dict[str, JavaObject] = {}
    for declaring in (own_class.getSuperclass(), own_class):  # Spark 4 declares them in the superclass.
        for declared in declaring.getDeclaredFields():
            declared.setAccessible(True)
            fields[str(declared.getName())] = declared
    return fields
