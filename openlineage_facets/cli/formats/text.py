"""Findings as text: a line each, what stands at the place below it, and a summary."""

from __future__ import annotations

import os
from typing import TextIO

from typing_extensions import override

from openlineage_facets.cli.file_codes import every_code
from openlineage_facets.cli.formats.report import Report
from openlineage_facets.cli.results import Judged
from openlineage_facets.cli.snippet import printable
from openlineage_facets.cli.summary import Summary

__all__ = ["TextReport"]

_BOLD, _DIM, _RED, _YELLOW, _GREEN = "1", "2", "1;31", "33", "32"
_LISTED = 20
"""Custom facets that a summary lists."""


class TextReport(Report):
    """Writes for people to read.

    Args:
        file: What to write to; coloured if it is a terminal.
        quiet: Whether to leave out the summary.
    """

    def __init__(self, file: TextIO, *, quiet: bool = False) -> None:
        super().__init__(file)
        self._quiet = quiet
        self._coloured = file.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"

    @override
    def add(self, file: str, judged: Judged) -> None:
        finding = judged.finding
        place = printable(file if judged.line is None else f"{file}:{judged.line}")
        colour = _RED if finding.severity == "error" else _YELLOW
        severity = self._in(colour, f"{finding.severity} {finding.code}")
        self._file.write(f"{self._in(_BOLD, place)}: {severity} {finding}\n")
        if judged.snippet:
            self._file.write(self._in(_DIM, f"    | {judged.snippet}") + "\n")

    @override
    def end(self, summary: Summary) -> None:
        if self._quiet:
            return
        if summary.codes or summary.known:
            self._file.write("\n")
        if summary.codes:
            self._write_codes(summary)
        self._write_kinds(summary)
        self._write_custom(summary)
        if summary.forgotten:
            self._file.write(f"runs too many to follow to their end: {summary.forgotten:,}\n")
        colour = _RED if summary.errors else _YELLOW if summary.warnings else _GREEN
        self._file.write(self._in(colour, summary.sentence()) + "\n")

    def _write_codes(self, summary: Summary) -> None:
        titles = every_code()
        rows = [
            (f"{count:,}", severity, code, titles[code].title if code in titles else "")
            for (code, severity), count in sorted(summary.codes.items())
        ]
        counts, severities = (max(len(row[column]) for row in rows) for column in (0, 1))
        for count, severity, code, title in rows:
            row = f"{count:>{counts}}  {severity:<{severities}}  {code:<5}  {title}"
            self._file.write(f"  {row.rstrip()}\n")

    def _write_kinds(self, summary: Summary) -> None:
        kinds = [
            f"{summary.kinds[kind]:,} {kind}"
            for kind in ("run", "job", "dataset", "unreadable")
            if summary.kinds[kind]
        ]
        if kinds:
            self._file.write(f"events: {', '.join(kinds)}\n")

    def _write_custom(self, summary: Summary) -> None:
        custom = sorted(summary.custom.items(), key=lambda item: (-item[1], item[0]))
        listed = [f"{printable(key)} of {entity} ({count:,})" for (entity, key), count in custom[:_LISTED]]
        if len(custom) > _LISTED:
            listed.append(f"{len(custom) - _LISTED} more")
        if listed:
            self._file.write(f"custom facets: {', '.join(listed)}\n")

    def _in(self, colour: str, text: str) -> str:
        return f"\033[{colour}m{text}\033[0m" if self._coloured else text
