"""Report as SARIF 2.1.0 for code scanning services."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any, TextIO
from urllib.parse import quote

from typing_extensions import override

from openlineage_facets.base.display.printable import printable
from openlineage_facets.cli.formats.report import Report
from openlineage_facets.cli.results.codes import every_code
from openlineage_facets.cli.results.finding_groups import fingerprint
from openlineage_facets.cli.results.summary import ReportedFinding, Summary
from openlineage_facets.cli.workflow_commands import escape_json_commands
from openlineage_facets.version import __version__

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


class SarifReport(Report):
    """Report with one run. Its results come first, because the rules they need are known at the end."""

    def __init__(self, file: TextIO) -> None:
        super().__init__(file)
        self._rules: dict[str, int] = {}

    @override
    def begin(self) -> None:
        head = f'{{"$schema": "{_SCHEMA}", "version": "2.1.0", "runs": [{{'
        self._file.write(f'{head}"columnKind": "unicodeCodePoints", "results": [')

    @override
    def add(self, file: str, reported: ReportedFinding) -> None:
        finding = reported.finding
        first = not self._rules
        number = self._rules.setdefault(finding.code, len(self._rules))
        identity = "\0".join(fingerprint(file, reported)).encode("utf-8", "backslashreplace")
        result = {
            "ruleId": finding.code,
            "ruleIndex": number,
            "level": finding.severity,
            "message": {"text": printable(str(finding))},
            "locations": [_location(file, reported)],
            "partialFingerprints": {"openlineageFacets/v1": hashlib.sha256(identity).hexdigest()},
        }
        self._file.write(("\n  " if first else ",\n  ") + escape_json_commands(json.dumps(result)))

    @override
    def end(self, summary: Summary) -> None:
        driver = {
            "name": "openlineage-facets",
            "semanticVersion": __version__,
            "rules": [_rule(code) for code in self._rules],
        }
        counts = {"properties": summary.as_json()}
        tail = f'"tool": {json.dumps({"driver": driver})}, {json.dumps(counts)[1:-1]}'
        self._file.write(f"\n], {escape_json_commands(tail)}}}]}}\n")


def _location(file: str, reported: ReportedFinding) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": {"uri": _uri(file)}}
    if reported.line is not None:
        region: dict[str, Any] = {"startLine": reported.line}
        if reported.snippet:
            region["snippet"] = {"text": reported.snippet}
        physical["region"] = region
    location: dict[str, Any] = {"physicalLocation": physical}
    if reported.finding.pointer:
        location["logicalLocations"] = [{"fullyQualifiedName": reported.finding.pointer, "kind": "member"}]
    return location


def _uri(file: str) -> str:
    path = Path(file)
    if path.is_absolute():
        return path.as_uri()
    return quote(file.encode("utf-8", "surrogateescape"))


def _rule(code: str) -> dict[str, Any]:
    entry = every_code().get(code)
    if entry is None:
        return {"id": code}
    rule: dict[str, Any] = {
        "id": code,
        "shortDescription": {"text": entry.title},
        "fullDescription": {"text": entry.page},
        "defaultConfiguration": {"level": entry.severity},
        "help": {"text": entry.page, "markdown": entry.page},
    }
    if entry.see:
        rule["helpUri"] = entry.see
    return rule
