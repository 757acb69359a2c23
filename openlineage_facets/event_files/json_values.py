"""Split a stream of text into JSON values: concatenated, or the items of an array.

ijson cannot do this: it stops at the first error, where this finds the start of the next value, and it
knows neither the lines of values nor a limit for their size. It also creates Python objects, where parsers
need text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from openlineage_facets.event_files.chunks import MAX_BYTES

_RUN = rb'[^"\\\n]{0,1000}'
_SHORT_STRING = rb'"' + _RUN + rb"(?:\\[^\n]" + _RUN + rb'){0,20}"'
_BETWEEN = rb'[^"{}\[\]]*'
_TO_DELIMITER = re.compile(_BETWEEN + rb"(?:" + _SHORT_STRING + _BETWEEN + rb"){0,200}")
_BRACKET = re.compile(_TO_DELIMITER.pattern + rb"([{}\[\]])")
"""Text up to the next bracket, or up to the quotation mark of a long string or after many strings.

Group repetitions are bounded, because the engine allocates memory for each of them; runs of characters,
because it tries each of their ends if a string is not terminated.
"""
_IN_STRING = re.compile(rb'[^"\\\n]*(?:\\[^\n][^"\\\n]*){0,200}')
_BLANK = re.compile(rb"[ \t\r\n]*")
_IN_SCALAR = re.compile(rb'[^,\]\[{}\n"]*')
_STRAY = re.compile(rb"[^{\[\n]*")
_LINE = re.compile(rb"[^\n]*")

_BRACKETS = frozenset((b"{", b"}", b"[", b"]"))

_MAX_INDENT = 200
"""Columns of indentation that are compared to find the start of the next value."""


class Piece(NamedTuple):
    """A value, or a problem found instead of one.

    Args:
        kind: "value"; "stray" for text outside any value; "long" for the beginning of a value that is too
            long; "open" for an array that is not closed.
        line: Line on which it starts, counted from 1.
        text: Its text. For "stray", the description of the problem.
    """

    kind: str
    line: int
    text: bytes


def json_values(pieces: Iterable[bytes], max_bytes: int = MAX_BYTES) -> Iterator[Piece]:
    """Yield every value of a text, in constant memory.

    For a top-level array, yield its items. Values are separated by their brackets and not validated. If a
    bracket is missing, the next line that starts like the first line of the value starts another value.

    Args:
        pieces: The text, split at any position.
        max_bytes: Maximum size of a value in bytes.
    """
    return _Scanner(pieces, max_bytes).values()


class _Scanner:
    """Remove values from the front of a buffer, which is filled as needed."""

    def __init__(self, pieces: Iterable[bytes], max_bytes: int) -> None:
        self._pieces = iter(pieces)
        self._max_bytes = max_bytes
        self._text = b""
        self._start = 0
        self._line = 1
        self._ended = False
        self._before = b""
        self._broken = False
        self._cut_off = False  # Whether the text ended within a value that is too long.

    def values(self) -> Iterator[Piece]:
        """Yield the values and problems, see `json_values`."""
        # The buffer doubles, so a value that is too long may be complete in it.
        for piece in self._pieces_of_any_length():
            is_long = piece.kind == "value" and len(piece.text) > self._max_bytes
            yield Piece("long", piece.line, piece.text) if is_long else piece

    def _pieces_of_any_length(self) -> Iterator[Piece]:
        array: int | None = None  # Line on which the enclosing array starts.
        expected = ""  # What may come next in that array: "first" item, "comma", "item" or "anything".
        while first := self._next_character():
            if array is None and first == b"[":
                array, expected = self._line, "first"
                self._take(1)
            elif array is None and first == b"{":
                yield self._take_value()
            elif array is None:
                yield self._up_to("stray", self._end_of_stray)
            elif first == b"]":
                if expected == "item":
                    yield Piece("stray", self._line, b"a trailing comma in the array")
                array = None
                self._take(1)
            elif first == b",":
                if expected in ("first", "item"):
                    yield Piece("stray", self._line, b"an extra comma")
                expected = "item"
                self._take(1)
            else:
                if expected == "comma":
                    yield Piece("stray", self._line, b"no comma before this item")
                is_nested = first in b"{["
                piece = self._take_value() if is_nested else self._up_to("value", self._end_of_scalar)
                expected = "anything" if piece.kind == "long" else "comma"
                yield piece
        if array is not None and not self._cut_off:
            yield Piece("open", array, b"")

    def _next_character(self) -> bytes:
        """Skip white space and return the next character, b"" at the end."""
        while True:
            blank = _BLANK.match(self._text, self._start)
            assert blank is not None  # It also matches the empty string.
            self._take(blank.end() - self._start)
            if self._start < len(self._text):
                return self._text[self._start : self._start + 1]
            if not self._fill():
                return b""

    def _take(self, length: int) -> bytes:
        """Remove `length` bytes from the front and count their lines."""
        end = self._start + length
        text = self._text[self._start : end]
        self._start = end
        lines = text.count(b"\n")
        self._line += lines
        before = text[text.rfind(b"\n") + 1 :]
        if lines or not self._before.strip():
            self._before = (b"" if lines else self._before) + before[:_MAX_INDENT]
        return text

    def _fill(self) -> bool:
        """Double the buffer, so that scanning it again takes linear time in total. Return whether it grew."""
        if self._ended:
            return False
        unread = self._text[self._start :]
        parts = [unread]
        missing = max(len(unread), 1)
        for piece in self._pieces:
            parts.append(piece)
            missing -= len(piece)
            if missing <= 0:
                break
        else:
            self._ended = True
        self._text, self._start = b"".join(parts), 0
        return len(self._text) > len(unread)

    def _take_value(self) -> Piece:
        """Remove an object or array from the front, up to its closing bracket."""
        line, next_start = self._line, b"\n" + (b"" if self._before.strip() else self._before) + b"{"
        closing = b"}" if self._text[self._start : self._start + 1] == b"{" else b"]"
        depth, position, text = 0, self._start, self._text
        while True:
            bracket = _BRACKET.match(text, position)
            if bracket is None:
                place, delimiter = self._next_delimiter(position)
            else:  # The usual case. The loop runs for each bracket of a value.
                place, delimiter = bracket.start(1), bracket[1]
            if delimiter in _BRACKETS:
                position = place + 1
                if self._broken and depth and text.endswith(next_start, self._start, position):
                    return self._take_unclosed(line, next_start, "value", position)
                depth += 1 if delimiter in b"{[" else -1
                if depth > 0:
                    continue
                if delimiter == closing:
                    return Piece("value", line, self._take(position - self._start))
                return self._take_unclosed(line, next_start, "value", position)
            if delimiter == b'"' and text.find(b"\n", place) >= 0:
                position = place + 1  # JSON strings do not contain line breaks.
                continue
            if len(text) - self._start > self._max_bytes:
                return self._take_unclosed(line, next_start, "long")
            position = place - self._start
            if not self._fill():
                return self._take_unclosed(line, next_start, "value")
            position += self._start
            text = self._text

    def _next_delimiter(self, position: int) -> tuple[int, bytes]:
        """Return the position of the next bracket outside a string, and the bracket.

        If there is none, return the quotation mark of an unterminated string, or the end of the text.
        """
        while True:
            match = _TO_DELIMITER.match(self._text, position)
            assert match is not None  # It also matches the empty string.
            place = match.end()
            delimiter = self._text[place : place + 1]
            end = self._end_of_string(place) if delimiter == b'"' else None
            if end is None:
                return place, delimiter
            position = end

    def _end_of_string(self, start: int) -> int | None:
        """Return the position after the string that starts here, None if it is not terminated on its line."""
        position = start + 1
        while True:
            match = _IN_STRING.match(self._text, position)
            assert match is not None  # It also matches the empty string.
            place = match.end()
            if self._text[place : place + 1] == b'"':
                return place + 1
            if place == position:
                return None
            position = place

    def _take_unclosed(self, line: int, next_start: bytes, kind: str, stop: int | None = None) -> Piece:
        """Remove an unclosed value, up to the next line that starts like its first one."""
        self._broken = True
        stop = len(self._text) if stop is None else stop
        end = self._text.find(next_start, self._start, stop)
        if end >= 0:
            text = self._text[self._start : end].rstrip(b" \t\r\n,")
            return Piece("value", line, self._take(len(text)))
        text = self._take(stop - self._start)
        while kind == "long" and end < 0 and self._fill():
            end = self._text.find(next_start, self._start)
            self._take((end if end >= 0 else len(self._text)) - self._start)
        self._cut_off = kind == "long" and end < 0
        return Piece(kind, line, text)

    def _end_of_scalar(self) -> int:
        """Return the end of an array item that is not an object or array, such as a number or a string."""
        position = self._start
        while True:
            match = _IN_SCALAR.match(self._text, position)
            assert match is not None  # It also matches the empty string.
            end = match.end()
            if self._text[end : end + 1] != b'"':
                return end
            after = self._end_of_string(end)
            if after is None:  # JSON strings do not contain line breaks.
                newline = self._text.find(b"\n", end)
                return newline if newline >= 0 else len(self._text)
            position = after

    def _end_of_stray(self) -> int:
        """Return the end of text outside any value: that of the line, or the next object."""
        match = _STRAY.match(self._text, self._start)
        assert match is not None  # It also matches the empty string.
        return match.end()

    def _up_to(self, kind: str, end_of: Callable[[], int]) -> Piece:
        """Remove text from the front, up to its end."""
        line = self._line
        while (end := end_of()) == len(self._text):
            if end - self._start > self._max_bytes:
                return self._take_long(kind, line)
            if not self._fill():
                break
        length = max(end - self._start, 1)  # Skip at least one character.
        return Piece(kind, line, self._take(length).rstrip())

    def _take_long(self, kind: str, line: int) -> Piece:
        """Remove text that is too long, and yield only its beginning."""
        rest = _STRAY if kind == "stray" else _LINE
        text = self._take(len(self._text) - self._start)
        while self._start == len(self._text):
            if not self._fill():
                self._cut_off = True
                break
            match = rest.match(self._text, self._start)
            assert match is not None  # It also matches the empty string.
            self._take(match.end() - self._start)
        return Piece("stray" if kind == "stray" else "long", line, text)
