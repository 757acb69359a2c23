"""A text whose secrets are replaced from its start to its end."""

from __future__ import annotations

import re
import sys

from typing_extensions import override

REDACTED = "***"
"""The replacement of a secret."""

ORDINARY = re.compile(r"\w{0,14}|\d+")
"""Texts without secrets: words shorter than the shortest token, `AVNS_` and ten letters, and indexes."""


class RedactedText:
    """A text and its replacements so far."""

    def __init__(self, text: str, searched: str | None = None) -> None:
        """Create a text without replacements.

        Args:
            text: The text.
            searched: A text of the same length to search for secrets. Default: `text`.
        """
        self._original = text
        self.text = text if searched is None else searched
        self.done = 0
        self._kept: list[str] = []
        self._missing: dict[str, int] = {}

    def redact(self, start: int, end: int) -> None:
        """Replace `text[start:end]`, unless it is redacted or before the last replacement."""
        if self.done <= start < end and self.text[start:end] != REDACTED:
            self._kept += [self._original[self.done : start], REDACTED]
            self.done = end

    def keep(self, end: int) -> None:
        """Keep the text up to `end`."""
        if end > self.done:
            self._kept.append(self._original[self.done : end])
            self.done = end

    def find(self, what: str, start: int) -> int:
        """Return the next index of `what`, or the length of the text. What is missing is searched once."""
        if start >= self._missing.get(what, sys.maxsize):
            return len(self.text)
        found = self.text.find(what, start)
        if found < 0:
            self._missing[what] = start
        return found if found >= 0 else len(self.text)

    @override
    def __str__(self) -> str:
        return "".join([*self._kept, self._original[self.done :]])
