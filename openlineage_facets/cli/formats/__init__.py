"""The forms in which findings are told; each writes while it is told them, so that it holds few."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from openlineage_facets.cli.formats.report import Report

__all__ = ["Format", "report_in"]


class Format(str, Enum):
    """A form of reports, by the name that users write."""

    TEXT = "text"
    JSON = "json"
    GITHUB = "github"
    JUNIT = "junit"
    SARIF = "sarif"


def report_in(form: Format, file: TextIO, *, quiet: bool = False) -> Report:
    """Return a report that writes in a form.

    Args:
        form: The form.
        file: What to write to.
        quiet: Whether a text leaves out the summary.
    """
    if form is Format.TEXT:
        from openlineage_facets.cli.formats.text import TextReport

        return TextReport(file, quiet=quiet)
    if form is Format.JSON:
        from openlineage_facets.cli.formats.json import JsonReport

        return JsonReport(file)
    if form is Format.GITHUB:
        from openlineage_facets.cli.formats.github import GithubReport

        return GithubReport(file)
    if form is Format.JUNIT:
        from openlineage_facets.cli.formats.junit import JunitReport

        return JunitReport(file)
    from openlineage_facets.cli.formats.sarif import SarifReport

    return SarifReport(file)
