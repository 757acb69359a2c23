"""Rows that a streaming query has read and written, from the progress that Spark reports."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

_NOT_COUNTED = -1
"""The rows written by a sink that does not count them."""

_Progress: TypeAlias = Mapping[str, Any]
"""What Spark reports about a batch."""


@dataclass(frozen=True)
class StreamRows:
    """How many rows a query has read and written.

    Args:
        read: Rows by source, such as `FileStreamSource[file:/lake/orders]`.
        written: Rows written; None if the sink does not count them.
    """

    read: Mapping[str, int] = field(default_factory=dict)
    written: int | None = None


def rows_of_stream(query: Any, kept: int) -> StreamRows:
    """Return what a query has read and written since it was started.

    Args:
        query: The StreamingQuery, which may be active, stopped or failed.
        kept: Spark keeps the progress of fewer batches than this.

    Raises:
        LookupError: Spark may have discarded the progress of earlier batches.
    """
    batches = [_as_mapping(progress) for progress in query.recentProgress]
    if len(batches) >= kept - 1:
        raise LookupError(f"Spark keeps the progress of only {kept - 1} batches")
    read: dict[str, int] = {}
    for batch in batches:
        for source in batch["sources"]:
            name = str(source["description"])
            read[name] = read.get(name, 0) + int(source["numInputRows"])
    written = [int(batch["sink"].get("numOutputRows", _NOT_COUNTED)) for batch in batches if _wrote(batch)]
    return StreamRows(read, sum(written) if written and _NOT_COUNTED not in written else None)


def _as_mapping(progress: Any) -> _Progress:
    text = getattr(progress, "json", None)
    found: _Progress = progress if text is None else json.loads(text)
    return found


def _wrote(batch: _Progress) -> bool:
    """Return whether a batch was written; otherwise Spark only looked for new data."""
    return "addBatch" in batch["durationMs"]
