"""Find what a checkpoint was computed from: its plan ends at an RDD without the plan before."""

from __future__ import annotations

import threading

from openlineage_facets.spark.datasets.sources import Checkpoint
from openlineage_facets.spark.jvm.objects import JavaObject

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
