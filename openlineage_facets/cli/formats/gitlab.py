"""Report as a GitLab Code Quality artifact."""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from typing import TextIO

from typing_extensions import override

from openlineage_facets.base.display.printable import printable
from openlineage_facets.cli.formats.report import Report
from openlineage_facets.cli.results.chunk_results import ReportedFinding
from openlineage_facets.cli.results.finding_groups import Fingerprint, fingerprint
from openlineage_facets.cli.results.summary import Summary
from openlineage_facets.cli.workflow_commands import escape_json_commands

_SEVERITIES = {"error": "major", "warning": "minor", "note": "info"}


class GitlabReport(Report):
    """Report as a JSON array with one finding per line."""

    def __init__(self, file: TextIO) -> None:
        super().__init__(file)
        self._occurrences: Counter[tuple[str, Fingerprint]] = Counter()
        self._separator = "\n  "

    @override
    def begin(self) -> None:
        self._file.write("[")

    @override
    def add(self, file: str, reported: ReportedFinding) -> None:
        finding = reported.finding
        path = os.path.normpath(file)
        key = (path, fingerprint(file, reported))
        self._occurrences[key] += 1  # GitLab shows only one of several findings with the same fingerprint.
        identity = "\0".join((path, *key[1], str(self._occurrences[key])))
        entry = {
            "description": printable(str(finding)),
            "check_name": finding.code,
            "fingerprint": hashlib.sha256(identity.encode("utf-8", "backslashreplace")).hexdigest(),
            "severity": _SEVERITIES[finding.severity],
            "location": {"path": path, "lines": {"begin": reported.line or 1}},
        }
        self._file.write(self._separator + escape_json_commands(json.dumps(entry)))
        self._separator = ",\n  "

    @override
    def end(self, summary: Summary) -> None:
        self._file.write("\n]\n")
