"""Sample archives with all kinds of lines."""

from __future__ import annotations

import bz2
import gzip
from collections.abc import Iterable
from pathlib import Path

import pyarrow as pa

GOOD = (
    b'{"eventTime":"2026-01-01T00:00:00.123456789+02:00","producer":"https://example.com/v7/etl",'
    b'"schemaURL":"https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent","eventType":"START",'
    b'"run":{"runId":"01950000-0000-7000-8000-00000000000A"},"job":{"namespace":"etl","name":"load"},'
    b'"inputs":[{"namespace":"db","name":"orders"}],"outputs":[{"namespace":"db","name":"daily"}]}'
)

BAD = {
    "no JSON": b"{",
    "no object": b"[1]",
    "a number": b"17",
    "null": b"null",
    "nothing an event has": b"{}",
    "two events": GOOD + GOOD,
    "no UTF-8": GOOD.replace(b"load", b"lo\xffad"),
    "UTF-16": '{"run": 1}'.encode("utf-16-le"),
    "NUL bytes": b"\0\0\0",
    "NUL in text": GOOD.replace(b"load", b"lo\0ad"),
    "lone surrogate": GOOD.replace(b"load", rb"\ud800"),
    "no offset": GOOD.replace(b"+02:00", b""),
    "no such day": GOOD.replace(b"2026-01-01", b"2026-02-30"),
    "wrong types": b'{"eventTime": 5, "run": 7, "job": [], "inputs": "x", "outputs": [1, null]}',
    "wrong names": GOOD.replace(b'"name":"load"', b'"name":{"a":1}'),
    "deep": b'{"run":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "a number without end": b'{"run":' + b"9" * 100_000 + b"}",
    "not a number": GOOD.replace(b'"START"', b"NaN"),
}

BLANK = (b"", b"  \t", b"\r")


def compressed(name: str, content: bytes) -> bytes:
    """Compress content according to the file extension."""
    if name.endswith(".gz"):
        return gzip.compress(content, mtime=0)
    if name.endswith(".bz2"):
        return bz2.compress(content)
    if name.endswith(".zst"):
        return pa.Codec("zstd").compress(content, asbytes=True)
    return content


def write_lines(path: Path, lines: Iterable[bytes]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(compressed(path.name, b"".join(line + b"\n" for line in lines)))
    return path
