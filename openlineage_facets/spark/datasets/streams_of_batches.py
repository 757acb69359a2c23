"""Find the stream that has computed the rows of a batch, which `foreachBatch` passes to a function.

The plan of a batch ends at these rows. Their columns have the expression ids of the columns of the streaming
DataFrame, whose plan has the sources.
"""

from __future__ import annotations

import threading
from dataclasses import replace

from openlineage_facets.spark.datasets.sources import BatchedStream
from openlineage_facets.spark.jvm.objects import JavaObject, each

_streams: dict[tuple[int, ...], list[BatchedStream]] = {}
"""The started streams by the expression ids of their columns."""

_lock = threading.Lock()


def add_batched_stream(stream: BatchedStream) -> None:
    """Find a stream from now on."""
    columns = _columns(stream.plan)
    with _lock:
        _streams.setdefault(columns, []).append(stream)


def remove_batched_stream(stream: BatchedStream) -> None:
    """Find a stream no longer."""
    with _lock:
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
