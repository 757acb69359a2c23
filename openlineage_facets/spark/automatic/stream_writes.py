"""Capture the methods of DataStreamWriter that start a stream."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from openlineage_facets.spark.automatic.started_streams import started_streams
from openlineage_facets.spark.automatic.writer_state import WriterState, streamed_frame
from openlineage_facets.spark.capture.lineage_capture import LineageCapture
from openlineage_facets.spark.capture.write_targets import FindTarget

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

STREAM_METHODS = ("start", "toTable")
"""Methods of DataStreamWriter that start a stream."""

_STORES_NOTHING = ("console", "memory", "noop", "foreachbatch")
"""Sinks that are no dataset; the writes in the function of foreachBatch are captured themselves."""


def capture_stream(
    capture: LineageCapture,
    writer: Any,
    method: str,
    arguments: Mapping[str, Any],
    action: Callable[[], Any],
) -> Any:
    """Start a stream and capture what it reads and where it writes."""
    df: DataFrame | None = None
    in_session, find = capture, None
    with capture.guard.step("find the DataFrame of a stream"):
        df = streamed_frame(writer)
        in_session = capture.in_session(df.sparkSession)
    if df is None:
        return action()
    with capture.guard.step("find the sink of a stream"):
        find = _target_of(df, WriterState.of_stream(writer), method, arguments)
    query = in_session.stream(action, df, find)
    with capture.guard.step("note the start of a stream"):
        started_streams.add_captured(query)
    return query


def _target_of(
    df: DataFrame, state: WriterState, method: str, arguments: Mapping[str, Any]
) -> FindTarget | None:
    """Return what finds the dataset that a stream writes; None if it writes none itself."""
    options = {
        **state.options,
        **{key.lower(): value for key, value in arguments.get("options", {}).items()},
    }
    sink = arguments.get("format") or state.format
    partitions = arguments.get("partitionBy") or state.partitions
    if method == "toTable":
        table = arguments["tableName"]
        return lambda targets: targets.save_as_table(df, table, sink, "append", partitions, options)
    if (sink or "").lower() in _STORES_NOTHING:
        return None
    path = arguments.get("path") or options.get("path")
    return lambda targets: targets.save(df, path, sink, "append", partitions, options)
