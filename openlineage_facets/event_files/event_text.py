"""The text of one event, from anything that parsers accept."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from openlineage_facets.base.errors.findings import EventError, is_client_object
from openlineage_facets.base.json.client_objects import client_document
from openlineage_facets.base.json.json_input import json_text, without_nulls
from openlineage_facets.base.model.spec_models import EventModel
from openlineage_facets.event_files.chunks import (
    BYTE_ORDER_MARK,
    MAX_BYTES,
    TOO_LONG,
    UTF16_STARTS,
    UTF16_TEXT,
    file_finding,
)
from openlineage_facets.event_files.file_opening import DamagedFile, decompressed, open_source

if TYPE_CHECKING:
    from typing import TypeAlias

    from openlineage_facets.base.json.client_objects import ClientEvent

EventInput: TypeAlias = (
    "str | bytes | bytearray | Mapping[str, Any] | PathLike[str] | EventModel | ClientEvent"
)
"""An event as JSON text, JSON object, path of a file, or object of this package or of openlineage-python."""

_HEAD_BYTES = 1 << 10


def event_text(data: EventInput, *, null_is_absent: bool = False) -> bytes | bytearray:
    """Return the JSON text of an event.

    Args:
        data: The event.
        null_is_absent: Whether to remove fields that are null.

    Raises:
        EventError: It is not an event or not JSON, or the file is damaged.
        OSError: The file cannot be read.
    """
    text = json_text(event_json(data))
    return without_nulls(text) if null_is_absent else text


def event_json(data: EventInput) -> str | bytes | bytearray | Mapping[str, Any]:
    """Return an event as JSON text or JSON object.

    Raises:
        EventError: It is an object of openlineage-python but no event, or the file is damaged.
        OSError: The file cannot be read.
    """
    if isinstance(data, (str, bytes, bytearray, Mapping)):
        return data
    if isinstance(data, EventModel):
        return data.to_json()
    if isinstance(data, PathLike):
        return _file_text(Path(fspath(data)))
    return client_document(data) if is_client_object(data) else data  # type: ignore[return-value]


def _file_text(path: Path) -> bytes:
    """Return the decompressed text of a file, without a byte order mark."""
    parts: list[bytes] = []
    length = 0
    try:
        with open_source(path) as file:
            for part in decompressed(file, file.read(_HEAD_BYTES)):
                parts.append(part)
                length += len(part)
                if length > MAX_BYTES:
                    raise EventError([TOO_LONG])
    except DamagedFile as damage:
        hint = "copy or write the file again"
        raise EventError([file_finding("OL802", "a complete file", str(damage), hint)]) from None
    text = b"".join(parts)
    if text.startswith(UTF16_STARTS):
        raise EventError([UTF16_TEXT])
    return text.removeprefix(BYTE_ORDER_MARK)
