"""Report formats. Reports are written incrementally, so memory does not grow with the number of findings."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from openlineage_facets.cli.formats.report import Report


class Format(str, Enum):
    """Report format."""

    TEXT = "text"
    JSON = "json"
    GITHUB = "github"
    JUNIT = "junit"
    SARIF = "sarif"


def create_report(
    report_format: Format,
    file: TextIO,
    *,
    quiet: bool = False,
    max_findings: int | None = None,
    statistics: bool = False,
) -> Report:
    """Return a report in the given format.

    Args:
        report_format: The format.
        file: File to write to.
        quiet: Whether the text format omits the summary.
        max_findings: Number of findings that the text format prints; 0 for all, None for its default.
        statistics: Whether the text format prints only groups of findings.
    """
    if report_format is Format.TEXT:
        from openlineage_facets.cli.formats.report import MAX_FINDINGS, TextReport

        limit = MAX_FINDINGS if max_findings is None else max_findings
        return TextReport(file, quiet=quiet, max_findings=limit, statistics=statistics)
    from openlineage_facets.cli.formats import program_reports

    reports: dict[Format, type[Report]] = {
        Format.JSON: program_reports.JsonReport,
        Format.GITHUB: program_reports.GithubReport,
        Format.JUNIT: program_reports.JunitReport,
        Format.SARIF: program_reports.SarifReport,
    }
    return reports[report_format](file)
