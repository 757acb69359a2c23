"""Capture the methods of DataFrameWriter and DataFrameWriterV2 that write."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from openlineage_facets.spark.automatic.writer_state import WriterState, table_of, written_frame
from openlineage_facets.spark.capture.lineage_capture import LineageCapture
from openlineage_facets.spark.capture.write_targets import TargetFinder, WriteTarget

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

Arguments: TypeAlias = Mapping[str, Any]
"""The arguments of a call by the names of the parameters."""

FORMAT_METHODS = ("parquet", "orc", "json", "csv", "text", "xml")
"""Methods of DataFrameWriter that are named like the format they write."""

WRITE_METHODS = ("save", "saveAsTable", "insertInto", "jdbc", *FORMAT_METHODS)
"""Methods of DataFrameWriter that write."""

TABLE_METHODS = ("create", "replace", "createOrReplace", "append", "overwrite", "overwritePartitions")
"""Methods of DataFrameWriterV2 that write."""


def capture_write(
    capture: LineageCapture, writer: Any, method: str, arguments: Arguments, action: Callable[[], Any]
) -> Any:
    """Execute a method of DataFrameWriter and capture its lineage."""

    def find(targets: TargetFinder, df: DataFrame) -> WriteTarget:
        state = WriterState.of(writer)
        if method == "saveAsTable":
            return targets.save_as_table(df, arguments["name"], *_configured(state, arguments))
        if method == "insertInto":
            overwrite = arguments.get("overwrite")
            overwrites = (state.mode or "").lower() == "overwrite" if overwrite is None else bool(overwrite)
            return targets.insert_into(df, arguments["tableName"], overwrites)
        if method == "jdbc":
            properties = {**state.options, **(arguments.get("properties") or {})}
            mode = arguments.get("mode") or state.mode
            return targets.jdbc(df, arguments["url"], arguments["table"], mode, properties)
        configured = _configured(state, arguments)
        format = method if method in FORMAT_METHODS else configured[0]
        path = arguments.get("path") or state.options.get("path")
        return targets.save(df, path, format, *configured[1:])

    return _write(capture, writer, find, action)


def capture_table_write(
    capture: LineageCapture, writer: Any, method: str, arguments: Arguments, action: Callable[[], Any]
) -> Any:
    """Execute a method of DataFrameWriterV2 and capture its lineage."""

    def find(targets: TargetFinder, df: DataFrame) -> WriteTarget:
        name, format, partitions = table_of(writer)
        if method in ("create", "replace", "createOrReplace"):
            return targets.create_table(df, name, format, partitions, replaces=method != "create")
        if method == "overwrite":
            return targets.append_to_table(df, name, overwrites=_is_true(arguments["condition"]))
        return targets.append_to_table(df, name, overwrites_partitions=method == "overwritePartitions")

    return _write(capture, writer, find, action)


def _write(
    capture: LineageCapture,
    writer: Any,
    find: Callable[[TargetFinder, DataFrame], WriteTarget],
    action: Callable[[], Any],
) -> Any:
    df: DataFrame | None = None
    in_session = capture
    with capture.guard.step("find the DataFrame of a write"):
        df = written_frame(writer)
        in_session = capture.in_session(df.sparkSession)
    if df is None:
        return action()
    frame = df
    return in_session.write(action, frame, lambda targets: find(targets, frame))


def _configured(
    state: WriterState, arguments: Arguments
) -> tuple[str | None, str | None, str | Sequence[str], Mapping[str, Any]]:
    """Return format, mode, partition columns and options: arguments replace the state."""
    return (
        arguments.get("format") or state.format,
        arguments.get("mode") or state.mode,
        arguments.get("partitionBy") or state.partitions,
        {**state.options, **{key.lower(): value for key, value in arguments.get("options", {}).items()}},
    )


def _is_true(condition: Any) -> bool:
    """Return True if a condition is the literal TRUE, with which a write replaces all rows."""
    return condition is True or str(condition).lower() in ("column<'true'>", "true")
