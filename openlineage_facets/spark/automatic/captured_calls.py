"""Capture the methods of PySpark that write DataFrames and streams, and read or write RDDs and models.

Spark does not report what the sinks of streams write, so the method that starts a stream is captured.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from openlineage_facets.spark.automatic.query_listener import started_streams
from openlineage_facets.spark.automatic.writer_state import (
    WriterState,
    streamed_frame,
    table_of,
    written_frame,
)
from openlineage_facets.spark.capture.lineage_capture import LineageCapture
from openlineage_facets.spark.capture.write_targets import FindTarget, TargetFinder, WriteTarget

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

RDD_ACTIONS = ("collect", "toLocalIterator")
"""Actions on which most others are based; the remaining ones call `SparkContext.runJob`."""

RDD_SAVES: dict[str, str | None] = {
    "saveAsTextFile": "text",
    "saveAsPickleFile": "sequencefile",
    "saveAsSequenceFile": "sequencefile",
    "saveAsHadoopFile": None,
    "saveAsNewAPIHadoopFile": None,
    "saveAsHadoopDataset": None,
    "saveAsNewAPIHadoopDataset": None,
}
"""Methods that save an RDD, and the format of the files if it is always the same."""

_FOLDER_SETTINGS = ("mapreduce.output.fileoutputformat.outputdir", "mapred.output.dir")

STREAM_METHODS = ("start", "toTable")
"""Methods of DataStreamWriter that start a stream."""

_STORES_NOTHING = ("console", "memory", "noop", "foreachbatch")
"""Sinks that are no dataset; the writes in the function of foreachBatch are captured themselves."""


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


def capture_rdd_action(
    capture: LineageCapture, rdd: Any, method: str, arguments: Mapping[str, Any], action: Callable[[], Any]
) -> Any:
    """Execute an action and capture what the RDD reads."""
    capture.read_rdd(rdd, collects=True)
    return action()


def capture_rdd_job(
    capture: LineageCapture,
    context: Any,
    method: str,
    arguments: Mapping[str, Any],
    action: Callable[[], Any],
) -> Any:
    """Execute `SparkContext.runJob` and capture what its RDD reads.

    To infer the columns of a DataFrame, `rdd.toDF()` executes it for the first elements.
    """
    capture.read_rdd(arguments["rdd"])
    return action()


def capture_rdd_save(
    capture: LineageCapture, rdd: Any, method: str, arguments: Mapping[str, Any], action: Callable[[], Any]
) -> Any:
    """Save an RDD and capture its inputs and the folder."""
    path: Any = None
    with capture.guard.step("find the folder to which an RDD is saved"):
        conf = arguments.get("conf") or {}
        path = arguments.get("path") or next((conf[key] for key in _FOLDER_SETTINGS if conf.get(key)), None)
    if path is None:
        capture.gaps.add(f"the output of {method}, whose settings name no folder")
        capture.read_rdd(rdd)
        return action()
    return capture.save_rdd(action, rdd, str(path), RDD_SAVES[method])


def model_writers() -> Iterator[type]:
    """Yield the classes of MLlib with a method `save`, as far as they are loaded."""
    return _subclasses("MLWriter")


def model_readers() -> Iterator[type]:
    """Yield the classes of MLlib with a method `load`, as far as they are loaded."""
    return _subclasses("MLReader")


def capture_model_save(
    capture: LineageCapture, writer: Any, method: str, arguments: Mapping[str, Any], action: Callable[[], Any]
) -> Any:
    """Save a model and capture its folder.

    Spark reports a write for each stage of the model, in a folder with a random name.
    """
    return capture.save_folder(action, arguments["path"])


def capture_model_load(
    capture: LineageCapture, reader: Any, method: str, arguments: Mapping[str, Any], action: Callable[[], Any]
) -> Any:
    """Load a model and capture its folder."""
    return capture.load_folder(action, arguments["path"])


def _subclasses(name: str) -> Iterator[type]:
    module = sys.modules.get("pyspark.ml.util")
    # Without the class, the module is being imported.
    pending: list[type] = [vars(module)[name]] if module is not None and name in vars(module) else []
    while pending:
        current = pending.pop()
        if current.__module__.startswith("pyspark.ml."):
            yield current
            pending += current.__subclasses__()


def capture_stream(
    capture: LineageCapture, writer: Any, method: str, arguments: Mapping[str, Any], action: Callable[[], Any]
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
    options = {**state.options, **{key.lower(): value for key, value in arguments.get("options", {}).items()}}
    sink = arguments.get("format") or state.format
    partitions = arguments.get("partitionBy") or state.partitions
    if method == "toTable":
        table = arguments["tableName"]
        return lambda targets: targets.save_as_table(df, table, sink, "append", partitions, options)
    if (sink or "").lower() in _STORES_NOTHING:
        return None
    path = arguments.get("path") or options.get("path")
    return lambda targets: targets.save(df, path, sink, "append", partitions, options)
