"""How the events of a file are laid out, told by its beginning rather than by its name."""

from __future__ import annotations

import json
import re
from enum import Enum

from openlineage_facets.cli.sources import Source

__all__ = ["BYTE_ORDER_MARK", "Layout", "layout_of"]

BYTE_ORDER_MARK = b"\xef\xbb\xbf"

_UTF16 = (b"\xff\xfe", b"\xfe\xff", b"{\0", b"\0{", b"[\0", b"\0[")
_SNIFFED = 8192
_ALONE = re.compile(rb"\n[ \t]*[\[{][ \t\r]*\n")
"""A line with a bracket alone: with that begins what is laid out, and never what stands on one line."""


class Layout(Enum):
    """What a file holds."""

    LINES = "an event a line"
    VALUES = "JSON values: one, several, or an array of them"
    UTF16 = "text in UTF-16"
    BINARY = "no text"
    EMPTY = "nothing, where an event should be"


def layout_of(source: Source, head: bytes, *, whole: bool) -> Layout:
    """Tell how a file is laid out.

    Args:
        source: The file.
        head: Its beginning, decompressed.
        whole: Whether that is all of it.
    """
    if head.startswith(_UTF16):
        return Layout.UTF16
    head = head.removeprefix(BYTE_ORDER_MARK)
    text = head.lstrip(b" \t\r\n")
    if b"\0" in head[:_SNIFFED] and not text.startswith((b"{", b"[", b'"')):
        return Layout.BINARY
    if _ALONE.search(b"\n" + text):
        return Layout.VALUES  # Whatever the name says, and though it began with an event a line.
    if source.says_lines:
        return Layout.VALUES if text.startswith(b"[") and _is_json(text, whole) else Layout.LINES
    if not text:
        return Layout.EMPTY if whole and source.path is not None else Layout.LINES
    if text.startswith(b"{"):
        line, newline, after = text.partition(b"\n")
        if newline and after.strip() and _is_json(line, True):
            return Layout.LINES
    return Layout.VALUES


def _is_json(text: bytes, whole: bool) -> bool:
    """Return whether `text` is one JSON text, or may be the beginning of one."""
    if not whole:
        return b"\n" not in text.strip()
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
