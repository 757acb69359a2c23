"""Base class of reports, and how to recognize a report."""

from __future__ import annotations

import re
from typing import TextIO

from openlineage_facets.cli.results.summary import ReportedFinding, Summary

_TEXT = re.compile(r"[^\n]*: (?:error|warning) [A-Z]+\d+ |\n?[\d,]+ more like these|  +[\d,]+  [A-Z]+\d+  ")
_ANNOTATION = re.compile(r"::(?:error|warning) [^\n]*title=[A-Z]+\d+")
_TOTALS = re.compile(r"[\d,]+ errors? and [\d,]+ warnings? in [\d,]+ events? of [\d,]+ files?(?:;[^\n]*)?\n")
_BEGINNINGS_AND_MARKS = (
    ('{"version": 1, "findings": [', '\n], "summary": {'),
    ('{"$schema": "https://docs.oasis-open.org/sarif/', '"name": "openlineage-facets"'),
    ('<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n', ' package="openlineage" '),
)
_EMPTY = '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n</testsuites>\n'


def is_report(text: str) -> bool:
    """Return whether a text is a report of `validate`, in any format."""
    totals = text[text.rfind("\n", 0, -1) + 1 :]
    return (
        text == _EMPTY
        or any(text.startswith(beginning) and mark in text for beginning, mark in _BEGINNINGS_AND_MARKS)
        or (_TOTALS.fullmatch(totals) is not None and (_ANNOTATION.match(text) is not None or totals == text))
        or _TEXT.match(text) is not None
    )


class Report:
    """Writer of findings.

    Methods are called in this order: `begin`, then for each file `add` per finding and `end_file`, then
    `add` for findings that are only known after all files, then `end`.

    Args:
        file: File to write to.
    """

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def begin(self) -> None:
        """Write the beginning of the report."""

    def add(self, file: str, reported: ReportedFinding) -> None:
        """Write a finding.

        Args:
            file: Path of the file as passed by the user.
            reported: The finding.
        """
        raise NotImplementedError

    def flush(self) -> None:
        """Show the findings written so far, also to the reader of a pipe."""
        self._file.flush()

    def end_file(self, file: str, events: int) -> None:
        """Complete the findings of a file.

        Args:
            file: Path of the file.
            events: Number of events in it.
        """

    def end(self, summary: Summary) -> None:
        """Write the end of the report."""
