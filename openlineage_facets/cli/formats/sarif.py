"""Findings as SARIF 2.1.0, which code scanning services read."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any, TextIO
from urllib.parse import quote

from typing_extensions import override

from openlineage_facets.cli.file_codes import every_code
from openlineage_facets.cli.fingerprint import fingerprint
from openlineage_facets.cli.formats.report import Report
from openlineage_facets.cli.results import Judged
from openlineage_facets.cli.snippet import printable
from openlineage_facets.cli.summary import Summary
from openlineage_facets.version import __version__

__all__ = ["SarifReport"]

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


class SarifReport(Report):
    """Writes one run, its results first: which rules they need is known at the end."""

    def __init__(self, file: TextIO) -> None:
        super().__init__(file)
        self._rules: dict[str, int] = {}

    @override
    def begin(self) -> None:
        head = f'{{"$schema": "{_SCHEMA}", "version": "2.1.0", "runs": [{{'
        self._file.write(f'{head}"columnKind": "unicodeCodePoints", "results": [')

    @override
    def add(self, file: str, judged: Judged) -> None:
        finding = judged.finding
        first = not self._rules
        number = self._rules.setdefault(finding.code, len(self._rules))
        identity = "\0".join(fingerprint(file, judged)).encode("utf-8", "backslashreplace")
        result = {
            "ruleId": finding.code,
            "ruleIndex": number,
            "level": finding.severity,
            "message": {"text": printable(str(finding))},
            "locations": [_location(file, judged)],
            "partialFingerprints": {"openlineageFacets/v1": hashlib.sha256(identity).hexdigest()},
        }
        self._file.write(("\n  " if first else ",\n  ") + json.dumps(result))

    @override
    def end(self, summary: Summary) -> None:
        driver = {
            "name": "openlineage-facets",
            "semanticVersion": __version__,
            "rules": [_rule(code) for code in self._rules],
        }
        counts = {"properties": summary.as_json()}
        told = f'"tool": {json.dumps({"driver": driver})}, {json.dumps(counts)[1:-1]}'
        self._file.write(f"\n], {told}}}]}}\n")


def _location(file: str, judged: Judged) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": {"uri": _uri(file)}}
    if judged.line is not None:
        region: dict[str, Any] = {"startLine": judged.line}
        if judged.snippet:
            region["snippet"] = {"text": judged.snippet}
        physical["region"] = region
    location: dict[str, Any] = {"physicalLocation": physical}
    if judged.finding.pointer:
        location["logicalLocations"] = [{"fullyQualifiedName": judged.finding.pointer, "kind": "member"}]
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
