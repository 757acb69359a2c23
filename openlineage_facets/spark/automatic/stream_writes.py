"""Capture the methods of DataStreamWriter that start a stream."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from openlineage_facets.spark.automatic.started_streams import started_streams
from openlineage_facets.spark.automatic.writer_state import WriterState, streamed_frame
from openlineage_facets.spark.capture.lineage_capture import LineageCapture
from openlineage_facets.spark.capture.write_targets import TargetFinder, WriteTarget

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["STREAM_METHODS", "capture_stream"]

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
    in_session, state = capture, WriterState()
    with capture.guard.step("find the DataFrame of a stream"):
        df = streamed_frame(writer)
        in_session, state = capture.in_session(df.sparkSession), WriterState.of_stream(writer)
    if df is None:
        return action()
    frame = df
    options = {
        **state.options,
        **{key.lower(): value for key, value in arguments.get("options", {}).items()},
    }
    sink = arguments.get("format") or state.format
    partitions = arguments.get("partitionBy") or state.partitions

    def find(targets: TargetFinder) -> WriteTarget:
        if method == "toTable":
            return targets.save_as_table(frame, arguments["tableName"], sink, "append", partitions, options)
        path = arguments.get("path") or options.get("path")
        return targets.save(frame, path, sink, "append", partitions, options)

    stores_nothing = method == "start" and (sink or "").lower() in _STORES_NOTHING
    query = in_session.stream(action, frame, None if stores_nothing else find)
    with capture.guard.step("note the start of a stream"):
        started_streams.add_captured(query)
    return query
