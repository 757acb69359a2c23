"""Detect the layout of an event file from its content."""

from __future__ import annotations

import json
import re
from enum import Enum

from openlineage_facets.event_files.bounded_lines import BYTE_ORDER_MARK
from openlineage_facets.event_files.sources import Source

_UTF16 = (b"\xff\xfe", b"\xfe\xff", b"{\0", b"\0{", b"[\0", b"\0[")
_SNIFFED_BYTES = 8192
_BRACKET_LINE = re.compile(rb"\n[ \t]*[\[{][ \t\r]*\n")
"""A line with nothing but a bracket. Only indented JSON starts with one, never newline-delimited JSON."""


class Layout(Enum):
    """Layout of a file."""

    LINES = "one event per line"
    VALUES = "JSON values: one, several, or an array of them"
    UTF16 = "UTF-16 text"
    BINARY = "binary data"
    EMPTY = "no content, although an event is expected"


def layout_of(source: Source, head: bytes, *, is_complete: bool) -> Layout:
    """Return the layout of a file.

    Args:
        source: The file.
        head: Its beginning, decompressed.
        is_complete: Whether `head` is the complete file.
    """
    if head.startswith(_UTF16):
        return Layout.UTF16
    head = head.removeprefix(BYTE_ORDER_MARK)
    text = head.lstrip(b" \t\r\n")
    if b"\0" in head[:_SNIFFED_BYTES] and not text.startswith((b"{", b"[", b'"')):
        return Layout.BINARY
    if _BRACKET_LINE.search(b"\n" + text):
        return Layout.VALUES  # Regardless of the name, and also after some events on single lines.
    if source.is_named_as_lines:
        return Layout.VALUES if text.startswith(b"[") and _may_be_json(text, is_complete) else Layout.LINES
    if not text:
        return Layout.EMPTY if is_complete and source.path is not None else Layout.LINES
    if text.startswith(b"{"):
        line, newline, after = text.partition(b"\n")
        if newline and after.strip() and _may_be_json(line, True):
            return Layout.LINES
    return Layout.VALUES


def _may_be_json(text: bytes, is_complete: bool) -> bool:
    """Return whether `text` is one JSON value, or may be the beginning of one."""
    if not is_complete:
        return b"\n" not in text.strip()
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
