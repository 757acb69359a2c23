"""Datasets that an RDD reads, found by its dependencies, and sources of plans that end at rows."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any, NamedTuple

from pyspark.sql import SparkSession

from openlineage_facets.naming.storage import glob_parent, parent_folders
from openlineage_facets.spark.analyzed_plan import analyzed_plan, leaves_of
from openlineage_facets.spark.datasets.jdbc_sources import jdbc_datasets
from openlineage_facets.spark.datasets.sources import BatchedStream, Checkpoint
from openlineage_facets.spark.jvm import (
    JavaObject,
    class_of,
    each,
    has_method,
    is_a,
    option,
    private_field,
    struct,
)
from openlineage_facets.spark.log_once import log_once
from openlineage_facets.spark.spark_dataset import SparkDataset, datasets_at_paths

_MAX_RDDS = 1_000
_MAX_FILES = 1_000
"""Limits on what is followed: every RDD and file takes a few calls to the JVM."""

_FIX = "name them with run.read(df, dataset=(namespace, name))"


class RddSources(NamedTuple):
    """What an RDD reads.

    Args:
        datasets: The datasets.
        has_unknown_rows: It has other rows, too, such as values from Python.
    """

    datasets: list[SparkDataset]
    has_unknown_rows: bool


def rdd_datasets(spark: SparkSession, rdd: JavaObject, seen: set[int] | None = None) -> RddSources:
    """Return the datasets that an RDD reads. Nothing is run or listed; unknown inputs are logged.

    Files are named by their folders, because an RDD only has the paths of files.

    Args:
        spark: The session.
        rdd: The JVM's RDD.
        seen: Numbers of RDDs that are not followed; those that were followed are added.
    """
    datasets: list[SparkDataset] = []
    paths: list[str] = []
    has_unknown_rows = False
    for root in root_rdds(rdd, set() if seen is None else seen):
        kind = class_of(root)
        if kind == "EmptyRDD":
            continue
        if kind == "ParallelCollectionRDD":
            has_unknown_rows = has_unknown_rows or not private_field(root, "data").isEmpty()
        elif "CheckpointRDD" in kind:
            has_unknown_rows = True
            log_once(
                "cannot find the inputs of a checkpointed DataFrame: a checkpoint drops the plan; call "
                "run.read(df) before the checkpoint"
            )
        elif kind == "JDBCRDD":
            datasets += jdbc_datasets(
                spark, private_field(root, "options"), struct(private_field(root, "schema"))
            )[0]
        else:
            root_paths = _paths(spark, root, kind)
            if root_paths is None:
                has_unknown_rows = True
                log_once(f"cannot find the datasets of an RDD: unknown kind {kind}; {_FIX}")
            else:
                paths += root_paths
    return RddSources(datasets + datasets_at_paths(dict.fromkeys(paths)), has_unknown_rows)


def root_rdds(rdd: JavaObject, seen: set[int]) -> Iterator[JavaObject]:
    """Yield the distinct RDDs without dependencies that an RDD is derived from."""
    pending: list[JavaObject] = [rdd]
    followed = 0
    while pending:
        current = pending.pop()
        number = int(current.id())
        if number in seen:
            continue
        if followed == _MAX_RDDS:
            log_once(f"cannot find all datasets of an RDD: it has more than {_MAX_RDDS} dependencies; {_FIX}")
            return
        seen.add(number)
        followed += 1
        dependencies = list(each(current.dependencies()))
        pending += [dependency.rdd() for dependency in dependencies]
        if not dependencies:
            yield current


def _paths(spark: SparkSession, rdd: JavaObject, kind: str) -> list[str] | None:
    """Return the folders and paths that an RDD of files reads; None for other RDDs."""
    jvm: JavaObject = spark.sparkContext._jvm
    if kind == "FileScanRDD":
        return _folders(each(rdd.filePartitions()))
    if kind == "DataSourceRDD":
        parts = [part for partition in rdd.partitions() for part in _input_partitions(partition)]
        are_files = all(class_of(part) == "FilePartition" for part in parts)
        return _folders(iter(parts)) if are_files else None
    if is_a(rdd, "HadoopRDD"):
        input_paths = jvm.org.apache.hadoop.mapred.FileInputFormat.getInputPaths(rdd.getJobConf())
        return [_without_wildcards(str(path.toString())) for path in input_paths]
    if is_a(rdd, "NewHadoopRDD"):
        strings = jvm.org.apache.hadoop.util.StringUtils
        setting = rdd.getConf().get("mapreduce.input.fileinputformat.inputdir")
        if setting is None:
            return None
        return [_without_wildcards(str(strings.unEscapeString(path))) for path in strings.split(setting)]
    return None


def _without_wildcards(path: str) -> str:
    """Return the folder before the first wildcard of a path that an RDD reads."""
    return glob_parent(path) or path


def _input_partitions(partition: JavaObject) -> list[JavaObject]:
    """Return the inputs of a DataSourceRDD partition: several before Spark 4.1, at most one since."""
    if has_method(partition, "inputPartitions"):
        return list(each(partition.inputPartitions()))
    single = option(partition.inputPartition())
    return [] if single is None else [single]


def _folders(partitions: Iterator[JavaObject]) -> list[str]:
    """Return the folders of the files in partitions."""
    files = (str(file.filePath().toPath().toString()) for part in partitions for file in part.files())
    paths = list(islice(files, _MAX_FILES))
    if next(files, None) is not None:
        log_once(f"cannot find all datasets of an RDD: it reads more than {_MAX_FILES} files; {_FIX}")
    return parent_folders(paths)


_streams: dict[tuple[int, ...], list[BatchedStream]] = {}
"""The started streams by the expression ids of the columns of their rows."""

_checkpoints: dict[str, Checkpoint] = {}
"""The checkpoints by their RDDs."""

_lock = threading.Lock()
"""Held while one of the two is read or changed."""


def add_stream(stream: BatchedStream, rows: JavaObject) -> Callable[[], None]:
    """Find a stream from now on, until the returned function is called.

    Args:
        stream: The stream.
        rows: A plan with the columns of its rows: its own plan for those of batches, or its memory table.
    """
    columns = _columns(rows)
    with _lock:
        _streams.setdefault(columns, []).append(stream)

    def remove() -> None:
        with _lock:
            streams = _streams.get(columns, [])
            streams[:] = [known for known in streams if known is not stream]
            if not streams:
                _streams.pop(columns, None)

    return remove


def memory_table(spark: SparkSession, query: Any) -> JavaObject | None:
    """Return the leaf of a plan that reads what a stream stores in memory; None if it has another sink.

    Args:
        spark: The session.
        query: The StreamingQuery, whose name is that of a temporary view.
    """
    sink = query._jsq.streamingQuery().sink()
    if class_of(sink) != "MemorySink":
        return None
    plan = analyzed_plan(spark.table(query.name))
    leaves = () if plan is None else leaves_of(plan)
    return next((leaf for leaf in leaves if class_of(leaf) == "MemoryPlan" and leaf.sink() == sink), None)


def stream_of_rows(leaf: JavaObject) -> BatchedStream | None:
    """Return the stream that has computed the rows of a leaf; None if they are not those of a stream.

    Several streams may return the same columns of different rows, if they have different filters. Then only
    the lineage of the columns is known.
    """
    if not _streams:
        return None
    with _lock:
        streams = list(_streams.get(_columns(leaf), ()))
    if not streams:
        return None
    first, *others = streams
    if all(other.plan == first.plan for other in others):
        return first
    sources = [source for stream in streams for source in stream.sources]
    return replace(first, sources=sources, determines_rows=False)


def _columns(plan: JavaObject) -> tuple[int, ...]:
    return tuple(int(column.exprId().id()) for column in each(plan.output()))


def add_checkpoint(rdd: JavaObject, checkpoint: Checkpoint) -> Callable[[], None]:
    """Find a checkpoint from now on, until the returned function is called."""
    key = _key(rdd)
    with _lock:
        _checkpoints[key] = checkpoint

    def remove() -> None:
        with _lock:
            _checkpoints.pop(key, None)

    return remove


def checkpoint_of(rdd: JavaObject) -> Checkpoint | None:
    """Return the checkpoint whose rows an RDD has; None if it has other rows."""
    if not _checkpoints:
        return None
    key = _key(rdd)
    with _lock:
        return _checkpoints.get(key)


def _key(rdd: JavaObject) -> str:
    return f"{rdd.context().applicationId()} {rdd.id()}"
