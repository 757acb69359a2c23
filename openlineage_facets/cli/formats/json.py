"""Report as one JSON object, with one finding per line."""

from __future__ import annotations

import json

from typing_extensions import override

from openlineage_facets.cli.formats.report import Report
from openlineage_facets.cli.results.summary import ReportedFinding, Summary
from openlineage_facets.cli.workflow_commands import escape_json_commands


class JsonReport(Report):
    """Report of the form `{"version": 1, "findings": [...], "summary": {...}}`."""

    _separator = "\n  "

    @override
    def begin(self) -> None:
        self._file.write('{"version": 1, "findings": [')

    @override
    def add(self, file: str, reported: ReportedFinding) -> None:
        entry = {
            "file": file,
            "line": reported.line,
            "event": reported.event,
            **reported.finding.to_dict(),
            "about": reported.about,
        }
        self._file.write(self._separator + escape_json_commands(json.dumps(entry, ensure_ascii=True)))
        self._separator = ",\n  "

    @override
    def end(self, summary: Summary) -> None:
        totals = escape_json_commands(json.dumps(summary.as_json(), ensure_ascii=True))
        self._file.write(f'\n], "summary": {totals}}}\n')
