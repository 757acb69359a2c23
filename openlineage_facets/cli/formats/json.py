"""Findings as one JSON object, a finding a line."""

from __future__ import annotations

import json

from typing_extensions import override

from openlineage_facets.cli.formats.report import Report
from openlineage_facets.cli.results import Judged
from openlineage_facets.cli.summary import Summary

__all__ = ["JsonReport"]


class JsonReport(Report):
    """Writes `{"version": 1, "findings": [...], "summary": {...}}`."""

    _separator = "\n  "

    @override
    def begin(self) -> None:
        self._file.write('{"version": 1, "findings": [')

    @override
    def add(self, file: str, judged: Judged) -> None:
        entry = {
            "file": file,
            "line": judged.line,
            "event": judged.event,
            **judged.finding.to_dict(),
            "about": judged.about,
        }
        self._file.write(self._separator + json.dumps(entry, ensure_ascii=True))
        self._separator = ",\n  "

    @override
    def end(self, summary: Summary) -> None:
        self._file.write(f'\n], "summary": {json.dumps(summary.as_json(), ensure_ascii=True)}}}\n')
