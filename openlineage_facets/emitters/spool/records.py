"""Records of a spool file: one event per line, with a mark and a checksum.

    + 5a3c01ff {"eventTime": ...}

The mark is `+` for a pending event and `-` for a delivered one, and is overwritten in place. The checksum is
the CRC-32 of the JSON, in hexadecimal.
"""

from __future__ import annotations

import re
from typing import NamedTuple
from zlib import crc32

DELIVERED = b"-"

_RECORD = re.compile(rb"([+-]) ([0-9a-f]{8}) (\{.*\})", re.DOTALL)


_HEAD = (b"+-", b" ", *[b"0123456789abcdef"] * 8, b" ", b"{")
"""The allowed values of each of a record's first bytes."""

HEAD_SIZE = len(_HEAD)


class Record(NamedTuple):
    """One line of a spool file.

    Attributes:
        start: Byte offset in the file.
        size: Number of bytes including the line break.
        is_pending: Whether the event is not yet delivered.
        event: The line of JSON, None if the record is damaged.
        raw: The record without its line break.
    """

    start: int
    size: int
    is_pending: bool
    event: bytes | None
    raw: bytes


def encoded(event: bytes) -> bytes:
    """Return the record of a pending event."""
    return b"+ %08x %s\n" % (crc32(event), event)


def read_record(raw: bytes, start: int) -> Record:
    """Return the record of a complete line at offset `start`."""
    text = raw.removesuffix(b"\n")
    found = _RECORD.fullmatch(text)
    event = found[3] if found and int(found[2], 16) == crc32(found[3]) else None
    return Record(start, len(raw), text[:1] != DELIVERED, event, text)


def may_begin_record(head: bytes) -> bool:
    """Return whether `head` may be the beginning of a record, complete or truncated."""
    return all(byte in allowed for byte, allowed in zip(head, _HEAD, strict=False))
