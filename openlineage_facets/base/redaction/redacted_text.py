"""A text whose secrets are replaced one after the other."""

from __future__ import annotations

import re

from typing_extensions import override

__all__ = ["MARK", "RedactedText"]

MARK = "***"
"""The replacement of a secret."""

_LOOKAHEAD = 10
"""The number of characters that patterns read after their match."""


class RedactedText:
    """A text that is redacted from its start to its end."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.done = 0
        self._kept: list[str] = []
        self._found: dict[str | re.Pattern[str], tuple[int, int]] = {}

    def redact(self, start: int, end: int) -> None:
        """Replace `text[start:end]`, unless it is redacted or before the last replacement."""
        if self.done <= start < end and self.text[start:end] != MARK:
            self._kept += [self.text[self.done : start], MARK]
            self.done = end

    def keep(self, end: int) -> None:
        """Keep the text up to `end`."""
        if end > self.done:
            self._kept.append(self.text[self.done : end])
            self.done = end

    def find(self, what: str | re.Pattern[str], start: int) -> int:
        """Return the next index of `what`, or the length of the text. No part is searched twice."""
        length = len(self.text)
        since, found = self._found.get(what, (length, length))
        if start < since:
            found = self._search(what, start, since, found)
        elif found < start:
            found = self._search(what, start, length, length)
        self._found[what] = (start, found)
        return found

    def _search(self, what: str | re.Pattern[str], start: int, end: int, otherwise: int) -> int:
        if isinstance(what, str):
            found = self.text.find(what, start, end + len(what) - 1)
            return found if found >= 0 else otherwise
        match = what.search(self.text, start, end + _LOOKAHEAD)
        return match.start() if match and match.start() < end else otherwise

    @override
    def __str__(self) -> str:
        return "".join([*self._kept, self.text[self.done :]])
