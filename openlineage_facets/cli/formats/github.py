"""Findings as commands of GitHub Actions, which annotate the lines of a change."""

from __future__ import annotations

from typing_extensions import override

from openlineage_facets.cli.formats.report import Report
from openlineage_facets.cli.results import Judged
from openlineage_facets.cli.summary import Summary

__all__ = ["GithubReport"]


class GithubReport(Report):
    """Writes an `::error` or a `::warning` for each finding, and a line that sums them up."""

    @override
    def add(self, file: str, judged: Judged) -> None:
        finding = judged.finding
        properties = {"file": file, "line": judged.line, "title": f"{finding.code} {finding.pointer}".strip()}
        told = ",".join(f"{key}={_property(value)}" for key, value in properties.items() if value is not None)
        self._file.write(f"::{finding.severity} {told}::{_data(str(finding))}\n")

    @override
    def end(self, summary: Summary) -> None:
        self._file.write(summary.sentence() + "\n")


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(value: object) -> str:
    return _data(str(value)).replace(":", "%3A").replace(",", "%2C")
