"""Redact values of secret options: `password=...`, `"apiKey": "..."`, `--token ...`, `(password '...')`."""

from __future__ import annotations

import re

from openlineage_facets.base.redaction.secret_names import (
    STEM,
    is_secret_in_query,
    is_secret_name,
    takes_rest_of_line,
)

__all__ = ["redact_options"]

_MARK = "***"
_LONGEST_NAME = 200

_RUN = re.compile(r"[\w.-]*")
_SEPARATOR = re.compile(
    r"""
    (?P<close>\\{0,7}["'`]\]?|\])?
    (?:
        (?P<assign>\s{0,8}(?:={1,3}>?|:=|%3[Dd]))
      | (?P<colon>\s{0,8}:(?!:|//))
      | (?P<comma>\s{0,8},)(?=\s{0,8}\\{0,7}["'])
      | (?P<call>\()(?=\\{0,7}["'])
      | (?P<tag>>)
      | (?P<blank>)(?=\s|\\[nrt])
    )
    """,
    re.VERBOSE,
)
_BLANKS = re.compile(r"(?:\s|\\[nrt]){1,40}(?=(?:[rbuNE]{1,2})?\\{0,7}[\"'`])|[ \t]{0,8}")
_OPENING = re.compile(r"(?:[rbuNEfRBUF]{1,2}(?=[\"']))?(\\{0,7})('{3}|\"{3}|[\"'`])")
_CLOSING = {
    quote: re.compile(rf"[^{quote}\\]*(?:(?:\\.|{quote}{quote})[^{quote}\\]*)*{quote}", re.DOTALL)
    for quote in "\"'`"
}
_UNQUOTED = re.compile(
    r"(?:[^\s&;,\"'`)}\]]"
    r"|,(?![\s\"'{\[]|\\?[\"']|[\w.-]{1,60}[ ]?[=:]|\Z)"
    r"|[)}\]](?![\s,;.:)}\]\"'&<]|\Z)"
    r"|[\"'`](?=\w))+"
)
_IN_PARENTHESES = re.compile(r"[^\s&;,\"'`)(]+")
_BROAD = re.compile(r"[^&;]+")
_LINE = re.compile(r"[^\r\n]*")
_HEADER = re.compile(r"[^\r\n\"'\\]*")
_NO_VALUE = re.compile(
    r"(?:null|none|nil|true|false|default|undefined|nan)(?![\w.+/=-])"
    r"|%s|%\(\w{1,60}\)s|\?(?!\w)|\$\{[\w.:/-]{1,200}\}|\{\{[^{}]{1,200}\}\}",
    re.IGNORECASE,
)
"""Values that are not secrets: null and similar, and references to values set elsewhere."""

_TYPE = re.compile(
    r"(?:str|string|bytes|bytea|int|integer|bigint|smallint|long|short|float|double|boolean|bool|binary|date|timestamp"
    r"|text|uuid|any|optional|variant|varchar\d*|n?char|decimal|numeric|struct|array|map|list|dict|secretstr)"
    r"(?=[\s,;)(\[\]}>|<'\"`]|\Z)",
    re.IGNORECASE,
)
_REFERENCE = re.compile(r"[A-Za-z_]\w*\.(?:[A-Za-z_]\w*\.)*(?P<last>[A-Za-z_]\w*)(?=[\s,;)]|\Z)")
_PARAMETER = re.compile(r"[:@][A-Za-z_]|\$\d")
"""A parameter of a statement: `:token`, `@token`, `$1`."""

_COLUMN = re.compile(r"[A-Za-z_]\w*\.[A-Za-z_]\w*\Z")
_FUNCTION = re.compile(r"[A-Za-z_][\w.]*\((?=(?P<quote>\\{0,7}[\"'])?)[^()\r\n]{0,400}\)")
_SETTERS = re.compile(
    r"(?:option|set|setProperty|property|put|config|conf|map|setConf|str|tuple|header|addHeader|setHeader|with\w{1,30})\("
    r"\s{0,8}\\{0,7}[\"']\Z",
    re.IGNORECASE,
)
_NO_TOKEN = re.compile(
    r"(?:unexpected|unrecognized|unknown|invalid|illegal|extraneous|missing|bad|next|end|last|first|current|of|at|near)"
    r"[ \t]{1,4}\Z",
    re.IGNORECASE,
)
_SPACED_KEY = re.compile(
    r"(?:api|access|account|private|secret|shared|encryption|master|storage|signing)[ ]\Z", re.IGNORECASE
)
_IDENTIFIED = re.compile(
    r"\bidentified\s{1,8}(?:with\s{1,8}[\"'`\w-]{1,64}\s{1,8})?(?:by|as)\s{1,8}"
    r"(?:(?:password|values)\s{1,8})?(?!random\b|\*\*\*)",
    re.IGNORECASE,
)
_NAME_VALUE = re.compile(r"(<name>\s{0,20}([\w.-]{1,200})\s{0,20}</name>\s{0,20}<value>)(?!\*\*\*<)([^<]*)")
_USER = re.compile(
    r"((?:(?<=[?&;,:])|(?<![^\s\"'(]))(?:user(?:[ _]?(?:name|id))?|uid|login)[ ]?=[ ]?)"
    r"(?!\*\*\*|[=>])([^\s&;,\"'`)]+)",
    re.IGNORECASE,
)
_USER_BROAD = re.compile(
    r"((?<![a-z])(?:user(?:[ _]?(?:name|id))?|uid|login)[ ]{0,4}=[ ]{0,4})(?!\*\*\*|[ =>])([^&;]+)",
    re.IGNORECASE,
)


def redact_options(text: str, broad: bool = False) -> str:
    """Redact the values of secret options, and the user names of the same connection.

    Args:
        text: The text.
        broad: Unquoted values extend to the next `&` or `;`, including whitespace.
    """
    if "<name>" in text:
        text = _NAME_VALUE.sub(_named_value, text)
    if STEM.search(text) is None and "dentified" not in text and "DENTIFIED" not in text:
        return text
    scanned = _Scan(text, broad).redacted()
    if scanned != text and "=" in text:
        scanned = (_USER_BROAD if broad else _USER).sub(rf"\1{_MARK}", scanned)
    return scanned


def _named_value(found: re.Match[str]) -> str:
    return f"{found[1]}{_MARK}" if found[3].strip() and is_secret_name(found[2]) else found[0]


class _Scan:
    """A pass over a text in linear time."""

    def __init__(self, text: str, broad: bool) -> None:
        self._text = text
        self._broad = broad
        self._kept: list[str] = []
        self._done = 0
        self._unclosed: set[str] = set()

    def redacted(self) -> str:
        text = self._text
        run_end = 0
        identified = _IDENTIFIED.search(text)
        for stem in STEM.finditer(text):
            while identified is not None and identified.start() < stem.start():
                self._identified(identified)
                identified = _IDENTIFIED.search(text, identified.end())
            if stem.start() < max(run_end, self._done):
                continue
            begin = stem.start()
            least = max(run_end, self._done, begin - _LONGEST_NAME)
            while begin > least and (text[begin - 1].isalnum() or text[begin - 1] in "_.-"):
                begin -= 1
            run_end = _RUN.match(text, stem.start()).end()  # type: ignore[union-attr]
            if run_end - begin <= _LONGEST_NAME:
                self._option(begin, run_end)
        while identified is not None:
            self._identified(identified)
            identified = _IDENTIFIED.search(text, identified.end())
        return "".join([*self._kept, text[self._done :]])

    def _identified(self, found: re.Match[str]) -> None:
        if found.start() >= self._done:
            self._value(found.end(), "assign")

    def _option(self, begin: int, end: int) -> None:
        """Redact the value of the option named `text[begin:end]`, if it is secret."""
        text = self._text
        name = text[begin:end]
        before = text[begin - 1] if begin else ""
        in_query = before != "" and before in "?&"
        spaced = name.lower() == "key" and _SPACED_KEY.search(text, max(0, begin - 12), begin) is not None
        if not (is_secret_name(name) or spaced or (in_query and is_secret_in_query(name))):
            return
        separator = _SEPARATOR.match(text, end)
        if separator is None:
            return
        kind = separator.lastgroup or ""
        start = separator.end()
        word = name.lower()
        if (
            kind in ("colon", "blank")
            and word in ("token", "key")
            and _NO_TOKEN.search(text, max(0, begin - 20), begin)
        ):
            return
        if kind == "tag":
            if before == "<":
                close = text.find("<", start)
                self._redact(start, len(text) if close < 0 else close)
            return
        if kind == "comma" and not (
            separator["close"]
            and (
                _SETTERS.search(text, max(0, begin - 50), begin)
                or (word.startswith(("spark.", "fs.", "hadoop.")))
            )
        ):
            return
        start = _BLANKS.match(text, start).end()  # type: ignore[union-attr]
        if kind == "blank":
            if name.startswith("--") and not separator["close"]:
                if not text.startswith("-", start):
                    self._value(start, kind)
                return
            if _OPENING.match(text, start) is None:
                return
            if (
                word == "token"
                and before not in "(,"
                and text[max(0, begin - 2) : begin].strip() not in ("(", ",")
            ):
                return
        if takes_rest_of_line(name) and kind == "colon" and _OPENING.match(text, start) is None:
            self._redact(start, _HEADER.match(text, start).end())  # type: ignore[union-attr]
            return
        self._value(start, kind, name, before, text[end : end + 1].isspace())

    def _value(
        self, start: int, kind: str, name: str = "", before: str = "", is_spaced: bool = False
    ) -> None:
        """Redact the value at `start`.

        Args:
            start: The start of the value.
            kind: The kind of the separator.
            name: The name of the option.
            before: The character before the name.
            is_spaced: Whether whitespace follows the name.
        """
        text = self._text
        if text.startswith(_MARK, start) and not text[start + 3 : start + 4].isalnum():
            return
        opening = _OPENING.match(text, start)
        if opening is not None:
            self._quoted(opening)
            return
        first = text[start : start + 1]
        if first in ("{", "[") or not first:
            self._bracketed(start, kind, first)
            return
        if first == "(" or _NO_VALUE.match(text, start):
            return
        if kind == "colon" and _TYPE.match(text, start):
            return
        if is_spaced and _PARAMETER.match(text, start):
            return
        in_url = before != "" and before in "?&;"
        if not in_url and name:
            reference = _REFERENCE.match(text, start)
            if reference and (is_secret_name(reference["last"]) or (is_spaced and _COLUMN.fullmatch(name))):
                return
            function = _FUNCTION.match(text, start)
            if function:
                if function["quote"]:
                    opening = _OPENING.match(text, text.index("(", start) + 1)
                    if opening is not None:
                        self._quoted(opening)
                return
        pattern = _IN_PARENTHESES if before == "(" and not is_spaced else _UNQUOTED
        pattern = _BROAD if self._broad and kind == "assign" else pattern
        found = pattern.match(text, start)
        if found is not None:
            self._redact(start, found.end())

    def _quoted(self, opening: re.Match[str]) -> None:
        text, start = self._text, opening.end()
        slashes, quote = opening[1], opening[2]
        end = -1
        if slashes + quote not in self._unclosed:
            if slashes or len(quote) > 1:
                end = text.find(slashes + quote, start)
            else:
                found = _CLOSING[quote].match(text, start)
                end = found.end() - 1 if found else -1
        if end < 0:  # Truncated text: redact to the end of the line.
            self._unclosed.add(slashes + quote)
            end = _LINE.match(text, start).end()  # type: ignore[union-attr]
        value = text[start:end]
        if value != _MARK and value.strip() and not _NO_VALUE.fullmatch(value):
            self._redact(start, end)
        else:
            self._pass(end)

    def _bracketed(self, start: int, kind: str, first: str) -> None:
        """Redact `{...}` in connection strings and lists of strings. Objects are scanned instead."""
        text = self._text
        if not first or (first == "{" and kind != "assign"):
            return
        if first == "[" and not _OPENING.match(text, start + 1):
            return
        close = "}" if first == "{" else "]"
        end = text.find(close, start) if close not in self._unclosed else -1
        if end < 0:
            self._unclosed.add(close)
            end = _LINE.match(text, start).end() - 1  # type: ignore[union-attr]
        self._redact(start, end + 1)

    def _redact(self, start: int, end: int) -> None:
        if start < end and start >= self._done and self._text[start:end] != _MARK:
            self._kept += [self._text[self._done : start], _MARK]
            self._done = end

    def _pass(self, end: int) -> None:
        """Keep the text up to `end`."""
        if end > self._done:
            self._kept.append(self._text[self._done : end])
            self._done = end
