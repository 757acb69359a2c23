"""JSON values out of a stream of text: one after the other, or as the entries of an array."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

__all__ = ["LONGEST", "Piece", "json_values"]

LONGEST = 32 << 20
"""Bytes that one event may have."""

_STRING = rb'"[^"\\\n]*(?:\\[^\n][^"\\\n]*)*"'
_BETWEEN = rb'[^"{}\[\]]*'
_TO_BRACKET = re.compile(_BETWEEN + rb"(?:" + _STRING + _BETWEEN + rb")*([{}\[\]])")
_STRING_OR_QUOTE = re.compile(_STRING + rb'|"')
_BLANK = re.compile(rb"[ \t\r\n]*")
_SCALAR = re.compile(rb"(?:" + _STRING + rb'|[^,\]\[{}\n"])*')
_STRAY = re.compile(rb"[^{\[\n]*")


_DEEPEST = 200
"""Columns of white space before a value that are told from one another."""


class Piece(NamedTuple):
    """A value, or what stands in the place of one.

    Args:
        kind: "value"; "stray" for text that belongs to no value; "long" for the beginning of a value
            that is too long; "open" for an array that is never closed.
        line: The line it begins on, counted from 1.
        text: Its text; for "stray", what is wrong.
    """

    kind: str
    line: int
    text: bytes


def json_values(pieces: Iterable[bytes], longest: int = LONGEST) -> Iterator[Piece]:
    """Yield every value of a text, in constant memory.

    A top-level array gives its entries. Values are told apart by their brackets, not judged; where a
    bracket is missing, the next line that begins as the value's first line did begins another value.

    Args:
        pieces: The text, cut anywhere.
        longest: Bytes that a value may have.
    """
    return _Scanner(pieces, longest).values()


class _Scanner:
    """Takes values from the front of a buffer, which is filled as needed."""

    def __init__(self, pieces: Iterable[bytes], longest: int) -> None:
        self._pieces = iter(pieces)
        self._longest = longest
        self._text = b""
        self._start = 0
        self._line = 1
        self._ended = False
        self._before = b""
        self._broken = False

    def values(self) -> Iterator[Piece]:
        """Yield what `json_values` promises."""
        array: int | None = None  # The line where the array around the values begins.
        awaits = ""  # What may come next in that array: "first" entry, "comma" or "entry".
        while first := self._next_character():
            if array is None and first == b"[":
                array, awaits = self._line, "first"
                self._take(1)
            elif array is None and first == b"{":
                yield self._take_value()
            elif array is None:
                yield self._take_stray()
            elif first == b"]":
                if awaits == "entry":
                    yield Piece("stray", self._line, b"a comma before the end of the array")
                array = None
                self._take(1)
            elif first == b",":
                if awaits != "comma":
                    yield Piece("stray", self._line, b"a comma too many")
                awaits = "entry"
                self._take(1)
            else:
                if awaits == "comma":
                    yield Piece("stray", self._line, b"no comma before this entry")
                awaits = "comma"
                yield self._take_value() if first in b"{[" else self._take_scalar()
        if array is not None:
            yield Piece("open", array, b"")

    def _next_character(self) -> bytes:
        """Pass over white space; return the character behind it, b"" at the end."""
        while True:
            blank = _BLANK.match(self._text, self._start)
            assert blank is not None  # It matches nothing, too.
            self._take(blank.end() - self._start)
            if self._start < len(self._text):
                return self._text[self._start : self._start + 1]
            if not self._fill():
                return b""

    def _take(self, length: int) -> bytes:
        """Remove `length` bytes from the front, and count their lines."""
        end = self._start + length
        text = self._text[self._start : end]
        self._start = end
        lines = text.count(b"\n")
        self._line += lines
        before = text[text.rfind(b"\n") + 1 :]
        if lines or not self._before.strip():
            self._before = (b"" if lines else self._before) + before[:_DEEPEST]
        return text

    def _fill(self) -> bool:
        """Read as much again as there is, so that what is looked at anew stays in proportion."""
        if self._ended:
            return False
        kept = self._text[self._start :]
        gathered = [kept]
        wanted = max(len(kept), 1)
        for piece in self._pieces:
            gathered.append(piece)
            wanted -= len(piece)
            if wanted <= 0:
                break
        else:
            self._ended = True
        self._text, self._start = b"".join(gathered), 0
        return len(self._text) > len(kept)

    def _take_value(self) -> Piece:
        """Remove an object or array from the front, up to the bracket that closes it."""
        line, again = self._line, b"\n" + (b"" if self._before.strip() else self._before) + b"{"
        closing = b"}" if self._text[self._start : self._start + 1] == b"{" else b"]"
        depth, position = 0, self._start
        cut = self._text.find(again, position) if self._broken else -1
        while True:
            bracket = _TO_BRACKET.match(self._text, position)
            if bracket and (cut < 0 or bracket.end() <= cut):
                position = bracket.end()
                depth += 1 if bracket[1] in b"{[" else -1
                if depth > 0:
                    continue
                if bracket[1] == closing:
                    return Piece("value", line, self._take(position - self._start))
                return self._take_unclosed(line, again, "value", position)
            if cut >= 0:
                return self._take_unclosed(line, again, "value")
            position, passed = self._pass_strings(position)
            if passed:
                continue
            if len(self._text) - self._start > self._longest:
                return self._take_unclosed(line, again, "long")
            position -= self._start
            if not self._fill():
                return self._take_unclosed(line, again, "value")
            position += self._start
            cut = self._text.find(again, self._start) if self._broken else -1

    def _pass_strings(self, position: int) -> tuple[int, bool]:
        """Return where to go on where no bracket follows, and whether that is behind a broken string."""
        for string in _STRING_OR_QUOTE.finditer(self._text, position):
            position = string.end()
            if string[0] == b'"':
                if self._text.find(b"\n", position) >= 0:
                    return position, True  # No string goes on over the end of a line.
                return position - 1, False
        return position, False

    def _take_unclosed(self, line: int, again: bytes, kind: str, stop: int | None = None) -> Piece:
        """Remove a value that no bracket closes: up to the line that begins like its first one."""
        self._broken = True
        stop = len(self._text) if stop is None else stop
        end = self._text.find(again, self._start, stop)
        if end >= 0:
            text = self._text[self._start : end].rstrip(b" \t\r\n,")
            return Piece("value", line, self._take(len(text)))
        text = self._take(stop - self._start)
        while kind == "long" and end < 0 and self._fill():
            end = self._text.find(again, self._start)
            self._take((end if end >= 0 else len(self._text)) - self._start)
        return Piece(kind, line, text)

    def _take_scalar(self) -> Piece:
        """Remove an entry of an array that is no object: a number, a word, a string."""
        return self._up_to_the_end_of(_SCALAR, "value")

    def _take_stray(self) -> Piece:
        """Remove text outside any value, up to the end of the line or the next object."""
        return self._up_to_the_end_of(_STRAY, "stray")

    def _up_to_the_end_of(self, pattern: re.Pattern[bytes], kind: str) -> Piece:
        line = self._line
        while True:
            match = pattern.match(self._text, self._start)
            assert match is not None  # It matches nothing, too.
            end = match.end()
            cut = end == len(self._text) or (
                self._text[end : end + 1] == b'"' and self._text.find(b"\n", end) < 0
            )
            if not cut or end - self._start > self._longest or not self._fill():
                break
        length = max(end - self._start, 1)  # Something that begins no value is passed over.
        return Piece(kind, line, self._take(length).rstrip())
