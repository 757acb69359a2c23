"""Changes of lineage as findings, in the formats of `validate`."""

from __future__ import annotations

import io
from collections.abc import Iterator

from openlineage_facets.base.errors.findings import Finding
from openlineage_facets.cli.formats.program_reports import GithubReport, SarifReport
from openlineage_facets.cli.results.summary import ReportedFinding, Summary
from openlineage_facets.review.changes import LineageChange, LineageChanges
from openlineage_facets.review.report import change_text, end_text, summary_line


def github_annotations(changes: LineageChanges, file: str) -> str:
    """Return the changes as workflow commands of GitHub Actions: errors if breaking, else warnings.

    Args:
        changes: The changes.
        file: The file that the annotations are about.
    """
    text = io.StringIO()
    report = GithubReport(text)
    for found in _findings(changes):
        report.add(file, found)
    return f"{text.getvalue()}{summary_line(changes)}\n"


def sarif(changes: LineageChanges, file: str) -> str:
    """Return the changes as SARIF 2.1.0.

    Args:
        changes: The changes.
        file: The file that the results are about.
    """
    text = io.StringIO()
    report, summary = SarifReport(text), Summary(files=1)
    report.begin()
    for found in _findings(changes):
        report.add(file, found)
        summary.add_finding(found.finding)
    report.end(summary)
    return text.getvalue()


def _findings(changes: LineageChanges) -> Iterator[ReportedFinding]:
    for change in changes.changes:
        reached = changes.downstream(change)
        count = f"; reaches {len(reached):,} jobs and datasets" if reached else ""
        finding = Finding(
            pointer=end_text(change.subject),
            expected="",
            found="",
            code=_code(change),
            severity="error" if change.is_breaking else "warning",
            problem=f"{' '.join(change_text(change).split())}{count}",
        )
        yield ReportedFinding(finding, about=end_text(change.node))


def _code(change: LineageChange) -> str:
    if change.masking is not None:
        return f"masking-{change.masking}"
    return f"{change.part}-{change.kind}"
