"""Recognize the reports of this package."""

from __future__ import annotations

import re

_TEXT = re.compile(r"[^\n]*: (?:error|warning) [A-Z]+\d+ |\n?[\d,]+ more like these|  +[\d,]+  [A-Z]+\d+  ")
_ANNOTATION = re.compile(r"::(?:error|warning) [^\n]*title=[A-Z]+\d+")
_TOTALS = re.compile(r"[\d,]+ errors? and [\d,]+ warnings? in [\d,]+ events? of [\d,]+ files?(?:;[^\n]*)?\n")
_BEGINNINGS_AND_MARKS = (
    ('{"version": 1, "findings": [', '\n], "summary": {'),
    ('[\n  {"description": "', '"check_name": "'),
    ('{"$schema": "https://docs.oasis-open.org/sarif/', '"name": "openlineage-facets"'),
    ('<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n', ' package="openlineage" '),
)
_EMPTY = ("[\n]\n", '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n</testsuites>\n')


def is_report(text: str) -> bool:
    """Return whether a text is a report of `validate`, in any format."""
    totals = text[text.rfind("\n", 0, -1) + 1 :]
    return (
        text in _EMPTY
        or any(text.startswith(beginning) and mark in text for beginning, mark in _BEGINNINGS_AND_MARKS)
        or (_TOTALS.fullmatch(totals) is not None and (_ANNOTATION.match(text) is not None or totals == text))
        or _TEXT.match(text) is not None
    )
