"""The lines of a spool file: an event each, with a mark and a checksum.

    + 5a3c01ff {"eventTime": ...}

The mark is `+` for an event that waits and `-` for one that is delivered; the checksum is the CRC-32 of the
JSON, in hexadecimal. A delivered event is marked where it stands, by one byte.
"""

from __future__ import annotations

import re
from typing import NamedTuple
from zlib import crc32

__all__ = ["DELIVERED", "Record", "encoded", "read_record"]

DELIVERED = b"-"

_RECORD = re.compile(rb"([+-]) ([0-9a-f]{8}) (\{.*\})", re.DOTALL)


class Record(NamedTuple):
    """One line of a spool file.

    Attributes:
        start: Where it begins in the file.
        size: Bytes up to the next one.
        waits: Whether it is still to be delivered.
        event: The line of JSON, None where the record is damaged.
        raw: The record as it stands, without the line's end.
    """

    start: int
    size: int
    waits: bool
    event: bytes | None
    raw: bytes


def encoded(event: bytes) -> bytes:
    """Return the record of an event that waits."""
    return b"+ %08x %s\n" % (crc32(event), event)


def read_record(raw: bytes, start: int) -> Record:
    """Return the record of a line that ends, found at `start`."""
    text = raw.removesuffix(b"\n")
    found = _RECORD.fullmatch(text)
    event = found[3] if found and int(found[2], 16) == crc32(found[3]) else None
    return Record(start, len(raw), text[:1] != DELIVERED, event, text)
