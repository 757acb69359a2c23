"""Base class of reports, the report for people, and how to recognize a report."""

from __future__ import annotations

import os
import re
import textwrap
from typing import TextIO

from typing_extensions import override

from openlineage_facets.base.display.printable import printable
from openlineage_facets.cli.results.codes import every_code
from openlineage_facets.cli.results.finding_groups import FindingGroups, ShownFindings
from openlineage_facets.cli.results.summary import ReportedFinding, Summary, location_text
from openlineage_facets.cli.workflow_commands import escape_commands

_CODE = "[A-Z][A-Z0-9_-]*"
_TEXT = re.compile(rf"[^\n]*: (?:error|warning|note) {_CODE} |\n?[\d,]+ more like these|  +[\d,]+  {_CODE}  ")
_ANNOTATION = re.compile(rf"::(?:error|warning|notice) [^\n]*title={_CODE}")
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


MAX_FINDINGS = 1000
"""Number of findings that are printed by default."""

_BOLD, _DIM, _RED, _YELLOW, _GREEN, _CYAN = "1", "2", "1;31", "33", "32", "36"
_COLORS = {"error": _RED, "warning": _YELLOW, "note": _CYAN}
_MAX_GROUPS = 30
"""Maximum number of groups after the findings."""
_WIDTH = 120
"""Characters after which a list is continued on the next line."""
_MAX_CUSTOM = 20
"""Maximum number of custom facets in the summary."""


class TextReport(Report):
    """Report as text: one line per finding, a snippet, repeated findings as groups, and a summary.

    Args:
        file: File to write to. Colors are used if it is a terminal.
        quiet: Whether to omit the summary.
        max_findings: Number of findings to print. 0 prints all, and does not group them.
        statistics: Whether to print only the groups of findings.
    """

    def __init__(
        self, file: TextIO, *, quiet: bool = False, max_findings: int = MAX_FINDINGS, statistics: bool = False
    ) -> None:
        super().__init__(file)
        self._quiet = quiet
        self._statistics = statistics
        self._shown = ShownFindings(max_findings)
        self._groups = FindingGroups() if statistics else self._shown.groups
        self._has_colors = file.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"

    @override
    def add(self, file: str, reported: ReportedFinding) -> None:
        if self._statistics:
            self._groups.add(file, reported)
            return
        if not self._shown.shows(file, reported):
            return
        finding = reported.finding
        location = printable(reported.location(file))
        color = _COLORS[finding.severity]
        severity = self._colored(color, f"{finding.severity} {finding.code}")
        self._write(f"{self._colored(_BOLD, location)}: {severity} {finding}")
        if reported.snippet:
            self._write(self._colored(_DIM, f"    | {reported.snippet}"))

    @override
    def end(self, summary: Summary) -> None:
        self._write_groups()
        if self._quiet:
            return
        if summary.codes or summary.baselined:
            self._write("")
        if summary.codes:
            self._write_codes(summary)
        self._write_kinds(summary)
        self._write_custom(summary)
        if summary.untracked_runs:
            self._write(f"too many open runs, not checked to their end: {summary.untracked_runs:,}")
        color = _RED if summary.errors else _YELLOW if summary.warnings else _GREEN
        self._write(self._colored(color, summary.one_line()))

    def _write_groups(self) -> None:
        """Write how many findings of which groups were not printed one by one."""
        groups = [group for group in self._groups if group.count > group.printed]
        if groups and not self._statistics:
            left_out = sum(group.count - group.printed for group in groups)
            self._write("")
            self._write(f"{left_out:,} more like these (--max-findings 0 prints all):")
        for group in groups if self._statistics else groups[:_MAX_GROUPS]:
            code, pointer, about = group.identity
            first = location_text(group.file, group.line)
            place = "  ".join(filter(None, (pointer, about, f"first at {first}")))
            self._write(f"  {group.count - group.printed:>7,}  {code}  {printable(place)}")
        if len(groups) > _MAX_GROUPS and not self._statistics:
            self._write(f"  and {len(groups) - _MAX_GROUPS:,} more groups (--statistics prints all groups)")

    def _write_codes(self, summary: Summary) -> None:
        entries = every_code()
        rows = [
            (f"{count:,}", severity, code, entries[code].title if code in entries else "")
            for (code, severity), count in sorted(summary.codes.items())
        ]
        counts, severities = (max(len(row[column]) for row in rows) for column in (0, 1))
        for count, severity, code, title in rows:
            row = f"{count:>{counts}}  {severity:<{severities}}  {code:<5}  {title}"
            self._write(f"  {row.rstrip()}")

    def _write_kinds(self, summary: Summary) -> None:
        kinds = [
            f"{summary.kinds[kind]:,} {kind}"
            for kind in ("run", "job", "dataset", "unreadable")
            if summary.kinds[kind]
        ]
        if kinds:
            self._write(f"events: {', '.join(kinds)}")

    def _write_custom(self, summary: Summary) -> None:
        custom = sorted(summary.custom.items(), key=lambda item: (-item[1], item[0]))
        listed = [
            f"{printable(key)} of {entity} ({count:,})" for (entity, key), count in custom[:_MAX_CUSTOM]
        ]
        if len(custom) > _MAX_CUSTOM:
            listed.append(f"{len(custom) - _MAX_CUSTOM} more")
        if listed:
            fix = "install their packages, or pass --schemas"
            line = f"custom facets without a schema, not checked: {', '.join(listed)}; {fix}"
            for part in textwrap.wrap(line, _WIDTH, subsequent_indent="  ", break_on_hyphens=False):
                self._write(part)

    def _write(self, line: str) -> None:
        self._file.write(escape_commands(line) + "\n")

    def _colored(self, color: str, text: str) -> str:
        return f"\033[{color}m{text}\033[0m" if self._has_colors else text
