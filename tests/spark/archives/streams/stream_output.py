"""Read what `fold_stream` has written, without Spark."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable
from pathlib import Path

from openlineage_facets.validation import validate

__all__ = ["lines_in", "quarantined_in", "split_lines"]


def lines_in(folder: Path) -> list[bytes]:
    """Return the lines of all batches in order of their text."""
    parts = folder.glob("batch=*/part-*.txt")
    return sorted(line for part in parts for line in part.read_bytes().split(b"\n") if line)


def quarantined_in(folder: Path) -> list[bytes]:
    """Return the exact quarantined lines in order of their text."""
    rows = map(json.loads, lines_in(folder / "quarantine"))
    return sorted(
        base64.b64decode(row["line_base64"]) if "line_base64" in row else row["line"].encode() for row in rows
    )


def split_lines(events: Iterable[bytes | None]) -> tuple[list[bytes], list[bytes]]:
    """Return the valid and the invalid events in order of their text."""
    valid, invalid = [], []
    for event in events:
        if event is not None and event.strip():
            wrong = any(it.severity == "error" for it in validate(event))
            (invalid if wrong else valid).append(event)
    return sorted(valid), sorted(invalid)
