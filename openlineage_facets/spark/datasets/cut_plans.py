"""Sources of plans that end at an RDD without the plan before: checkpoints, and batches of streams.

The plan of a batch, which `foreachBatch` passes to a function, ends at its rows. Their columns have the
expression ids of the columns of the streaming DataFrame, whose plan has the sources.
"""

from __future__ import annotations

import threading
from dataclasses import replace

from openlineage_facets.spark.datasets.sources import BatchedStream, Checkpoint
from openlineage_facets.spark.jvm.objects import JavaObject, each

_streams: dict[tuple[int, ...], list[BatchedStream]] = {}
"""The started streams by the expression ids of their columns."""

_streams_lock = threading.Lock()


def add_batched_stream(stream: BatchedStream) -> None:
    """Find a stream from now on."""
    columns = _columns(stream.plan)
    with _streams_lock:
        _streams.setdefault(columns, []).append(stream)


def remove_batched_stream(stream: BatchedStream) -> None:
    """Find a stream no longer."""
    with _streams_lock:
        for columns, streams in list(_streams.items()):
            streams[:] = [known for known in streams if known is not stream]
            if not streams:
                del _streams[columns]


def stream_of_batch(leaf: JavaObject) -> BatchedStream | None:
    """Return the stream that has computed the rows of a leaf; None if they are not those of a batch.

    Several streams may return the same columns of different rows, if they have different filters. Then only
    the lineage of the columns is known.
    """
    if not _streams:
        return None
    with _streams_lock:
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


_checkpoints: dict[str, Checkpoint] = {}
"""The checkpoints by their RDDs."""

_lock = threading.Lock()


def add_checkpoint(rdd: JavaObject, checkpoint: Checkpoint) -> str:
    """Find a checkpoint from now on, and return its key."""
    key = _key(rdd)
    with _lock:
        _checkpoints[key] = checkpoint
    return key


def remove_checkpoint(key: str) -> None:
    """Find a checkpoint no longer."""
    with _lock:
        _checkpoints.pop(key, None)


def checkpoint_of(rdd: JavaObject) -> Checkpoint | None:
    """Return the checkpoint whose rows an RDD has; None if it has other rows."""
    if not _checkpoints:
        return None
    key = _key(rdd)
    with _lock:
        return _checkpoints.get(key)


def _key(rdd: JavaObject) -> str:
    return f"{rdd.context().applicationId()} {rdd.id()}"
