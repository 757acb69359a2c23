"""What a job has configured on a writer before it writes: format, mode, options, partitions, table."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from openlineage_facets.spark.jvm.objects import JavaObject, each, option
from openlineage_facets.spark.jvm.session import members
from openlineage_facets.spark.naming.table_names import quoted_sql_name

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["WriterState", "session_of", "streamed_frame", "table_of", "written_frame"]


@dataclass(frozen=True)
class WriterState:
    """The configuration of a writer.

    Args:
        format: The format; None for the session's default.
        mode: The save mode; None for the default.
        options: The options by lower-case name.
        partitioned: The writer writes partitions.
    """

    format: str | None = None
    mode: str | None = None
    options: dict[str, Any] = field(default_factory=dict)
    partitioned: bool = False

    @classmethod
    def of(cls, writer: Any) -> WriterState:
        """Return the state of PySpark's DataFrameWriter, classic or of Spark Connect.

        The classic writer stores it in private fields of a JVM object.
        """
        java = getattr(writer, "_jwrite", None)
        if java is None:
            return cls._of_connect(writer._write)
        fields = _Fields(java)
        mode = fields.get("curmode" if fields.has("curmode") else "mode")  # Spark 4 and 3.5.
        options = {str(entry._1()).lower(): entry._2() for entry in members(fields.get("extraOptions"))}
        partitions = option(fields.get("partitioningColumns"))
        return cls(
            fields.get("source"),
            None if mode is None else str(mode.toString()),
            options,
            partitions is not None and not partitions.isEmpty(),
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
            return cls(sink, None, options, bool(operation.partitioning_column_names))
        fields = _Fields(java)
        options = {str(entry._1()).lower(): entry._2() for entry in members(fields.get("extraOptions"))}
        return cls(fields.get("source"), None, options)

    @classmethod
    def _of_connect(cls, operation: Any) -> WriterState:
        options = {key.lower(): value for key, value in operation.options.items()}
        return cls(operation.source, operation.mode, options, bool(operation.partitioning_cols))


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


def table_of(writer: Any) -> tuple[str, str | None]:
    """Return the quoted name of the table of a DataFrameWriterV2, and the format if the job has set one."""
    java = getattr(writer, "_jwriter", None)
    if java is None:
        return writer._table_name, writer._write.provider
    fields = _Fields(java)
    return quoted_sql_name(str(part) for part in each(fields.get("tableName"))), option(
        fields.get("provider")
    )


def session_of(caller: Any) -> SparkSession:
    """Return the session of a writer or a DataFrame, or a session itself.

    Other attributes of a DataFrame may be its columns.
    """
    own = vars(caller)
    session: SparkSession = own.get("_spark") or own.get("_session") or caller
    return session


_names_by_class: dict[str, frozenset[str]] = {}


def _field_names(java_class: JavaObject) -> frozenset[str]:
    """Return the names of the fields that a class declares. One name takes one call of the JVM."""
    name = str(java_class.getName())
    if name not in _names_by_class:
        fields = java_class.getDeclaredFields()
        _names_by_class[name] = frozenset(str(declared.getName()) for declared in fields)
    return _names_by_class[name]


class _Fields:
    """The private fields of a JVM object."""

    def __init__(self, thing: JavaObject) -> None:
        self._thing = thing
        found = thing.getClass()
        self._classes = [found, found.getSuperclass()]  # Spark 4 declares them in the superclass.
        self._names = [_field_names(found) for found in self._classes]

    def has(self, name: str) -> bool:
        return any(name in names for names in self._names)

    def get(self, name: str) -> JavaObject:
        for found, names in zip(self._classes, self._names, strict=True):
            if name in names:
                declared = found.getDeclaredField(name)
                declared.setAccessible(True)
                return declared.get(self._thing)
        raise LookupError(f"{self._thing.getClass().getName()} has no field {name}")
