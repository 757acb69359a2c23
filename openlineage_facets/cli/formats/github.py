"""Report as workflow commands of GitHub Actions, which annotate the lines of a change."""

from __future__ import annotations

from typing_extensions import override

from openlineage_facets.base.display.printable import printable
from openlineage_facets.cli.formats.report import Report
from openlineage_facets.cli.results.summary import ReportedFinding, Summary


class GithubReport(Report):
    """Report with one `::error`, `::warning` or `::notice` command per finding and a summary line."""

    @override
    def add(self, file: str, reported: ReportedFinding) -> None:
        finding = reported.finding
        properties = {
            "file": file,
            "line": reported.line,
            "title": f"{finding.code} {finding.pointer}".strip(),
        }
        escaped = ",".join(
            f"{key}={_escape_property(value)}" for key, value in properties.items() if value is not None
        )
        level = "notice" if finding.severity == "note" else finding.severity
        self._file.write(f"::{level} {escaped}::{_escape_data(str(finding))}\n")

    @override
    def end(self, summary: Summary) -> None:
        self._file.write(summary.one_line() + "\n")


def _escape_data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(value: object) -> str:
    return _escape_data(printable(str(value))).replace(":", "%3A").replace(",", "%2C")
