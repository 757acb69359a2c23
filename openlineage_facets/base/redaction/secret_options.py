"""Redact the values of secret options: `password=X`, `"apiKey": "X"`, `--token X`, `(password 'X')`."""

from __future__ import annotations

import re
import sys
from typing import NamedTuple

from openlineage_facets.base.redaction import secret_table as table
from openlineage_facets.base.redaction.redacted_text import REDACTED, RedactedText
from openlineage_facets.base.redaction.secret_names import (
    STEM,
    is_name_of_secret,
    is_secret_name,
    with_plain_letters,
)

_LONGEST_NAME = 200
_LONGEST_CONTEXT = 160
_LONGEST_ARGUMENTS = 400
_NAME = re.compile(r"[\w.-]*")
_ESCAPED = re.compile(r"[\"\\]")
_WORD_BEFORE = re.compile(r" \w{1,20}")
_INDENTED = re.compile(r"(?:(?:\r?\n|(?:\\r)?\\n)(?P<indent>[ ]*)(?P<line>(?:[^\r\n\"\\]|\\[^\"nr])*))")


def redact_options(text: str, broad: bool = False) -> str:
    """Redact the values of secret options, and the user names of the same connection.

    Args:
        text: The text.
        broad: Unquoted values extend to the next `&` or `;`, including whitespace.
    """
    if STEM.search(plain := with_plain_letters(text)) is None:
        return text
    scanned = _Scan(text, plain, broad).redacted()
    if scanned != text and "=" in text:
        users = table.USERS_FOR_DISPLAY if broad else table.USERS
        scanned = users.sub(rf"\1{REDACTED}", scanned)
    return scanned


def is_secret_value(name: str, value: str) -> bool:
    """Return whether `value` is a secret as the value of the option `name`."""
    if is_secret_name(name):
        return value != REDACTED and not _is_harmless(value)
    if STEM.search(name) is None or value == REDACTED:
        return False
    return redact_options(f'"{name}"="{_ESCAPED.sub("x", value)}"').endswith(f'="{REDACTED}"')


class _Name(NamedTuple):
    """The name of an option in a text."""

    text: str
    begin: int
    before: str
    """The character before the name."""
    is_spaced: bool
    """Whether whitespace follows."""


class _Scan(RedactedText):
    """A pass over a text in linear time."""

    def __init__(self, text: str, plain: str, broad: bool) -> None:
        super().__init__(text, plain)
        self._broad = broad
        self._nested = 0  # The end of the lists and nested options that have been read.

    def redacted(self) -> str:
        text, name_end = self.text, 0
        for stem in STEM.finditer(text):
            if stem.start() >= max(name_end, self.done):
                least = max(name_end, self.done, stem.start() - _LONGEST_NAME)
                begin = stem.start() - _end(_NAME, text[least : stem.start()][::-1])
                name_end = _end(_NAME, text, stem.end())
                if name_end - begin <= _LONGEST_NAME:
                    self._option(begin, name_end)
        return str(self)

    def _option(self, begin: int, end: int) -> None:
        """Redact the value of the option named `text[begin:end]`, if it is secret."""
        text = self.text
        name = _Name(text[begin:end], begin, text[begin - 1 : begin], text[end : end + 1].isspace())
        is_secret = is_secret_name(name.text)
        if not is_secret and name.text.lower() == "key":  # "secret access key"
            word = _WORD_BEFORE.match(text[max(0, begin - 21) : begin][::-1])
            is_secret = word is not None and is_secret_name(f"{word[0][::-1]}key")
        for row in table.SEPARATORS:
            if (row.is_secret and not is_secret) or (row.name and not row.name.fullmatch(name.text)):
                continue
            after = before = row.after.match(text, end)
            if after and row.before:
                before = row.before.search(text, max(0, begin - _LONGEST_CONTEXT), begin)
            if after is None or before is None:
                continue
            if row.kind == "before":
                if not _is_harmless(before["value"]):
                    self.redact(*before.span("value"))
            elif row.kind != "harmless":
                self._value(row.kind, name, after)
            return

    def _value(self, kind: str, name: _Name, after: re.Match[str]) -> None:
        """Redact the value of an option, if it is a secret.

        Args:
            kind: The kind of the value, as in `Separator`.
            name: The name of the option.
            after: What is between name and value.
        """
        text, start = self.text, after.end()
        if kind == "tag":
            end = min(self.find("<", start), self.find("]]>", start))
            if text[start:end].strip():
                self.redact(start, end)
        elif kind == "block":
            self._block(name, start)
        elif kind == "lines":
            self._lines(name, start)
        elif kind == "arguments":
            self._arguments(start, min(self.find(")", start), start + _LONGEST_ARGUMENTS))
        else:
            start = _end(table.BEFORE_VALUE, text, start)
            if text.startswith(REDACTED, start) and not text[start + 3 : start + 4].isalnum():
                return
            opening = table.OPENING.match(text, start)
            harmless = table.HARMLESS.match(text, start)
            if opening is not None and not self._is_closing(opening):
                self._concatenated(opening)
            elif harmless is not None:
                self.keep(harmless.end())
            elif kind == "line":
                self.redact(start, _end(table.HEADER, text, start))
            elif kind == "word" and not text.startswith("-", start) and not _is_prose(text, start):
                self.redact(start, _end(table.WORD, text, start))
            elif kind == "any":
                self._unquoted(name, start, ":" in after[0])

    def _concatenated(self, opening: re.Match[str]) -> None:
        """Redact a value in quotation marks, and the texts that are added to it."""
        following: re.Match[str] | None = opening
        while following is not None:
            end = self._quoted(following)
            plus = table.CONCATENATED.match(self.text, end)
            following = table.OPENING.match(self.text, plus.end()) if plus else None

    def _quoted(self, opening: re.Match[str]) -> int:
        """Redact a value in quotation marks. Return the index after the closing one."""
        start, (end, after) = opening.end(), self._ends(opening)
        if not _is_harmless(self.text[start:end]):
            self.redact(start, end)
        self.keep(end)
        return after

    def _ends(self, opening: re.Match[str]) -> tuple[int, int]:
        """Return the indexes of the closing quotation mark and after it.

        In truncated text, a value extends to the end of the line.
        """
        end, quote = self._closing(opening), opening["quote"]
        if end < 0:
            end = _end(table.LINE, self.text, opening.end())
        return end, min(len(self.text), end + len(opening["slashes"] + table.CLOSINGS.get(quote, quote)))

    def _is_closing(self, opening: re.Match[str]) -> bool:
        """Return whether a quotation mark ends the text that contains the name: `input("Password: ")`."""
        start = opening.start()
        line = self.text[max(0, start - _LONGEST_CONTEXT) : start].rpartition("\n")[2]
        follows = self.text[opening.end() : opening.end() + 1]
        return (follows == "" or follows in " ,)]};") and line.count(opening["quote"]) % 2 == 1

    def _closing(self, opening: re.Match[str]) -> int:
        """Return the index of the closing quotation mark of a value, or -1."""
        text, end = self.text, opening.end()
        quote, level = opening["quote"], len(opening["slashes"])
        close = table.CLOSINGS.get(quote, quote)
        while (end := self.find(close, end)) < len(text):
            slashes = _end(_SLASHES, text[max(opening.end(), end - 60) : end][::-1])
            is_doubled = len(close) == 1 and level == slashes == 0 and text.startswith(close, end + 1)
            if not is_doubled and (len(close) > 1 or (slashes // (level + 1)) % 2 == 0):
                return end - min(level, slashes)
            end += 1 + is_doubled
        return -1

    def _unquoted(self, name: _Name, start: int, is_colon: bool) -> None:
        """Redact a value without quotation marks, if it is a secret."""
        text = self.text
        in_url = name.before != "" and name.before in "?&;"
        if text.startswith(("{", "[", "("), start):
            self._bracketed(start, is_colon)
            return
        if _is_prose(text, start) or (is_colon and table.TYPE.match(text, start)):
            return
        if not in_url and (_is_reference(name, text, start) or self._called(start)):
            return
        if name.before == "/" and table.PATH.search(text, max(0, name.begin - _LONGEST_CONTEXT), name.begin):
            pattern = table.IN_PATH
        elif self._broad and not is_colon:
            pattern = table.UP_TO_NEXT_OPTION
        elif name.before == "(" and not name.is_spaced:
            pattern = table.IN_PARENTHESES
        else:
            pattern = table.IN_URL if in_url else table.UNQUOTED
        self.redact(start, _end(pattern, text, start))

    def _called(self, start: int) -> bool:
        """Redact the texts passed to a function, as in `password = md5('X')`. Return whether it is one."""
        call = table.CALL.match(self.text, start)
        if call is None:
            return False
        if not table.READER.match(call["function"]):
            self._arguments(*call.span("arguments"))
        return True

    def _arguments(self, position: int, end: int) -> None:
        """Redact the texts between two positions, except names of secrets."""
        while opening := table.OPENING.search(self.text, position, end):
            close = self._closing(opening)
            if not 0 <= close < end or not _is_name_of_secret(self.text[opening.end() : close]):
                self._quoted(opening)
            position = max(close, opening.end()) + 1

    def _bracketed(self, start: int, is_colon: bool) -> None:
        """Redact `{...}` in connection strings, and the items and options in other brackets."""
        text, position = self.text, start
        if text.startswith("={", start - 1):
            if not _is_reference(None, text, start):
                end = self.find("}", start) + 1
                self.redact(start, end if end <= len(text) else _end(table.LINE, text, start))
            return
        bare = table.FLOW_ITEM if is_colon and text[start] != "(" else table.NOTHING
        outer: list[bool] = []
        is_secret = True
        while start >= self._nested and (part := table.PART.match(text, position)):
            begin, position = position, part.end()
            if part["open"]:
                outer.append(is_secret)
            elif part["close"]:
                outer.pop()
            elif part["key"]:
                is_secret = is_secret_name(f"secret.{part['key']}" if outer[-1] else part["key"])
                continue
            else:
                position = self._item(position, is_secret, bare)
            if not outer or position == begin:
                break
            is_secret = outer[-1]
        self._nested = max(position, self._nested)

    def _lines(self, name: _Name, start: int) -> None:
        """Redact the items and options in the indented lines of YAML below a name, or a word."""
        text, end, indent = self.text, start, self._indent(name)
        harmless = sys.maxsize  # The column of an option that is not secret.
        while start >= self._nested and (line := table.YAML_LINE.match(text, end)):
            depth, key = len(line["indent"]), line["key"]
            if depth < indent + (not line["item"]):
                break
            is_below = depth + bool(line["item"]) > harmless
            is_secret = is_secret_name(key if is_below else f"secret.{key}") if key else not is_below
            if key and is_secret is is_below:
                harmless = sys.maxsize if is_secret else depth + len(line["item"])
            elif not is_below:
                harmless = sys.maxsize
            if is_secret and not _is_prose(text, line.end()):
                self._item(line.end(), True, table.YAML_ITEM if key or line["item"] else table.ONLY_WORD)
            end = _end(table.REST_OF_LINE, text, line.end())
        self._nested = max(end, self._nested)

    def _item(self, start: int, is_secret: bool, bare: re.Pattern[str]) -> int:
        """Redact an item, or the value of a nested option. Return its end."""
        opening = table.OPENING.match(self.text, start)
        if opening is None:
            after = end = _end(bare, self.text, start)
        else:
            start, (end, after) = opening.end(), self._ends(opening)
        value = self.text[start:end]
        if is_secret and not (
            _is_harmless(value) or _is_name_of_secret(value) or _is_reference(None, value, 0)
        ):
            self.redact(start, end)
        return after

    def _indent(self, name: _Name) -> int:
        line = re.split(r"\n|\\n", self.text[max(0, name.begin - _LONGEST_CONTEXT) : name.begin])[-1]
        return len(line) - len(line.lstrip(" -"))

    def _block(self, name: _Name, start: int) -> None:
        """Redact the indented lines of a YAML block."""
        text, indent = self.text, self._indent(name)
        begin = end = start
        while following := _INDENTED.match(text, end):
            if following["line"].strip() and len(following["indent"]) <= indent:
                break
            begin = following.start("line") if begin == start else begin
            end = following.end()
        self.redact(begin, end)


_SLASHES = re.compile(r"\\*")


def _end(pattern: re.Pattern[str], text: str, start: int = 0) -> int:
    """Return the end of what a pattern matches at `start`, or `start`."""
    match = pattern.match(text, start)
    return match.end() if match else start


def _is_harmless(value: str) -> bool:
    patterns = (table.HARMLESS, table.TYPE)
    return not value.strip() or any(pattern.fullmatch(value) for pattern in patterns)


def _is_name_of_secret(value: str) -> bool:
    return table.SNAKE_CASE.fullmatch(value) is not None and is_name_of_secret(value)


def _is_prose(text: str, start: int) -> bool:
    return table.PROSE.match(text, start) is not None


def _is_reference(name: _Name | None, text: str, start: int) -> bool:
    """Return whether a value is the name of a secret that is set elsewhere."""
    if name is not None and name.is_spaced and table.PARAMETER.match(text, start):
        return True
    if table.ITEM.match(text, start):
        return True
    identifier = table.IDENTIFIER.match(text, start)
    if identifier and name is not None and identifier[0].lower() == name.text.lower().rpartition(".")[2]:
        return True
    reference = table.REFERENCE.match(text, start)
    is_of_column = name is not None and name.is_spaced and table.COLUMN.fullmatch(name.text) is not None
    return reference is not None and (is_of_column or is_name_of_secret(reference[0]))
