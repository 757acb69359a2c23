"""Capture the methods of PySpark that write DataFrames and streams, and those of RDDs and models.

Spark does not report what the sinks of streams write, so the method that starts a stream is captured.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pyspark.sql import DataFrame

from openlineage_facets.spark.automatic.query_listener import started_streams
from openlineage_facets.spark.automatic.writer_state import (
    WriterState,
    streamed_frame,
    table_of,
    written_frame,
)
from openlineage_facets.spark.capture.lineage_capture import LineageCapture
from openlineage_facets.spark.capture.write_targets import FindTarget, TargetFinder, WriteTarget
from openlineage_facets.spark.datasets.mllib_models import add_computed_columns, add_model


@dataclass(frozen=True)
class MethodCall:
    """A call of one of Spark's own methods.

    Args:
        capture: Captures calls in the session of the object.
        owner: The object whose method is called.
        method: The name of the method.
        arguments: The arguments by the names of the parameters.
        execute: Executes the call.
    """

    capture: LineageCapture
    owner: Any
    method: str
    arguments: Mapping[str, Any]
    execute: Callable[[], Any]


FORMAT_METHODS = ("parquet", "orc", "json", "csv", "text", "xml")
"""Methods of DataFrameWriter that are named like the format they write."""

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

_STORES_NOTHING = ("console", "memory", "noop", "foreachbatch")
"""Sinks that are no dataset; the writes in the function of foreachBatch are captured themselves."""


_ACTIONS_WITHOUT_ROWS = ("count", "show", "foreach", "foreachPartition")
"""Actions whose rows Python does not receive in the driver."""


def capture_write(call: MethodCall) -> Any:
    """Execute a method of DataFrameWriter and capture its lineage."""
    method, arguments = call.method, call.arguments

    def find(targets: TargetFinder, df: DataFrame) -> WriteTarget:
        state = WriterState.of(call.owner)
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

    return _write(call, find)


def capture_table_write(call: MethodCall) -> Any:
    """Execute a method of DataFrameWriterV2 and capture its lineage."""
    method = call.method

    def find(targets: TargetFinder, df: DataFrame) -> WriteTarget:
        name, format, partitions = table_of(call.owner)
        if method in ("create", "replace", "createOrReplace"):
            return targets.create_table(df, name, format, partitions, replaces=method != "create")
        if method == "overwrite":
            return targets.append_to_table(df, name, overwrites=_is_true(call.arguments["condition"]))
        return targets.append_to_table(df, name, overwrites_partitions=method == "overwritePartitions")

    return _write(call, find)


def _write(call: MethodCall, find: Callable[[TargetFinder, DataFrame], WriteTarget]) -> Any:
    df: DataFrame | None = None
    with call.capture.guard.step("find the DataFrame of a write"):
        df = written_frame(call.owner)
    if df is None:
        return call.execute()
    frame = df
    return call.capture.writes.write(call.execute, frame, lambda targets: find(targets, frame))


def _configured(
    state: WriterState, arguments: Mapping[str, Any]
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


def capture_read(call: MethodCall) -> Any:
    """Execute an action that Spark does not report, and capture what the DataFrame reads."""
    with call.capture.guard.step("find the inputs of an action"):
        call.capture.read_unreported(call.owner, collects=call.method not in _ACTIONS_WITHOUT_ROWS)
    return call.execute()


def capture_checkpoint(call: MethodCall) -> Any:
    """Compute a checkpoint of a DataFrame, and remember what it is computed from."""
    return call.capture.checkpoint(call.execute, call.owner)


def capture_statement(call: MethodCall) -> Any:
    """Execute `SparkSession.sql` and capture the lineage of the statement."""
    query = call.arguments["sqlQuery"]
    if not isinstance(query, str):
        return call.execute()
    names, args = call.arguments.get("kwargs", {}), call.arguments.get("args")
    return call.capture.statements.execute(call.execute, query, names, args)


def capture_rdd_action(call: MethodCall) -> Any:
    """Execute an action and capture what the RDD reads."""
    call.capture.folders.read_rdd(call.owner, collects=True)
    return call.execute()


def capture_rdd_job(call: MethodCall) -> Any:
    """Execute `SparkContext.runJob` and capture what its RDD reads.

    To infer the columns of a DataFrame, `rdd.toDF()` executes it for the first elements.
    """
    call.capture.folders.read_rdd(call.arguments["rdd"])
    return call.execute()


def capture_rdd_save(call: MethodCall) -> Any:
    """Save an RDD and capture its inputs and the folder."""
    path: Any = None
    with call.capture.guard.step("find the folder to which an RDD is saved"):
        conf = call.arguments.get("conf") or {}
        configured = (conf[key] for key in _FOLDER_SETTINGS if conf.get(key))
        path = call.arguments.get("path") or next(configured, None)
    if path is None:
        call.capture.gaps.add(f"the output of {call.method}, whose settings name no folder")
        call.capture.folders.read_rdd(call.owner)
        return call.execute()
    return call.capture.folders.save_rdd(call.execute, call.owner, str(path), RDD_SAVES[call.method])


def capture_model_save(call: MethodCall) -> Any:
    """Save a model and capture its folder.

    Spark reports a write for each stage of the model, in a folder with a random name.
    """
    return call.capture.folders.save(call.execute, call.arguments["path"])


def capture_model_load(call: MethodCall) -> Any:
    """Load a model and capture its folder."""
    return call.capture.folders.load(call.execute, call.arguments["path"])


def capture_fit(call: MethodCall) -> Any:
    """Fit one or several models and remember what they are fitted to."""
    fitted = call.execute()
    with call.capture.guard.step("find what a model was fitted to"):
        datasets = call.capture.inputs(call.arguments["dataset"])
        for model in fitted if isinstance(fitted, list) else [fitted]:
            add_model(model, datasets)
    return fitted


def capture_transform(call: MethodCall) -> Any:
    """Transform a DataFrame with a model, and remember the columns that it computes."""
    transformed = call.execute()
    with call.capture.guard.step("find the columns of a model"):
        forget = add_computed_columns(call.owner, call.arguments["dataset"], transformed)
        if forget is not None:
            call.capture.remembered.add("predictions", forget)
    return transformed


def classes_of_models(name: str) -> Iterator[type]:
    """Yield the classes of MLlib derived from `MLWriter` or `MLReader`, as far as they are loaded."""
    module = sys.modules.get("pyspark.ml.util")
    # Without the class, the module is being imported.
    pending: list[type] = [vars(module)[name]] if module is not None and name in vars(module) else []
    while pending:
        current = pending.pop()
        if current.__module__.startswith("pyspark.ml."):
            yield current
            pending += current.__subclasses__()


def capture_stream(call: MethodCall) -> Any:
    """Start a stream and capture what it reads and where it writes."""
    df: DataFrame | None = None
    find: FindTarget | None = None
    with call.capture.guard.step("find the DataFrame of a stream"):
        df = streamed_frame(call.owner)
    if df is None:
        return call.execute()
    with call.capture.guard.step("find the sink of a stream"):
        find = _sink(df, WriterState.of_stream(call.owner), call.method, call.arguments)
    query = call.capture.stream(call.execute, df, find)
    with call.capture.guard.step("note the start of a stream"):
        started_streams.add_captured(query)
    return query


def _sink(df: DataFrame, state: WriterState, method: str, arguments: Mapping[str, Any]) -> FindTarget | None:
    """Return what finds the dataset that a stream writes; None if it writes none itself."""
    sink, _, partitions, options = _configured(state, arguments)
    if method == "toTable":
        table = arguments["tableName"]
        return lambda targets: targets.save_as_table(df, table, sink, "append", partitions, options)
    if (sink or "").lower() in _STORES_NOTHING:
        return None
    path = arguments.get("path") or options.get("path")
    return lambda targets: targets.save(df, path, sink, "append", partitions, options)
