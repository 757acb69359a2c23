"""Report formats. Reports are written incrementally, so memory does not grow with the number of findings."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from openlineage_facets.cli.formats.report import Report

__all__ = ["Format", "create_report"]


class Format(str, Enum):
    """Report format."""

    TEXT = "text"
    JSON = "json"
    GITHUB = "github"
    JUNIT = "junit"
    SARIF = "sarif"


def create_report(report_format: Format, file: TextIO, *, quiet: bool = False) -> Report:
    """Return a report in the given format.

    Args:
        report_format: The format.
        file: File to write to.
        quiet: Whether the text format omits the summary.
    """
    if report_format is Format.TEXT:
        from openlineage_facets.cli.formats.text import TextReport

        return TextReport(file, quiet=quiet)
    if report_format is Format.JSON:
        from openlineage_facets.cli.formats.json import JsonReport

        return JsonReport(file)
    if report_format is Format.GITHUB:
        from openlineage_facets.cli.formats.github import GithubReport

        return GithubReport(file)
    if report_format is Format.JUNIT:
        from openlineage_facets.cli.formats.junit import JunitReport

        return JunitReport(file)
    from openlineage_facets.cli.formats.sarif import SarifReport

    return SarifReport(file)
