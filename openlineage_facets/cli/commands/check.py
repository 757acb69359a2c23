"""`openlineage-facets check`: check lineage against policies."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from openlineage_facets.cli.command_error import CommandError
from openlineage_facets.cli.formats import Format, create_report
from openlineage_facets.cli.options import EventPaths, JoinSymlinks, NamingFile, NullIsAbsent
from openlineage_facets.cli.rare_collection import rare_collection
from openlineage_facets.cli.workflow_commands import print_message

if TYPE_CHECKING:
    from openlineage_facets.review.policies.policy import Policies


@rare_collection()
def check(
    paths: EventPaths,
    policy: Annotated[
        Path | None,
        typer.Option(
            "--policy",
            "-p",
            metavar="FILE",
            help="Policies as TOML. Default: [tool.openlineage-facets.policies] in pyproject.toml.",
        ),
    ] = None,
    output_format: Annotated[Format, typer.Option("--format", "-f", help="Output format.")] = Format.TEXT,
    join_symlinks: JoinSymlinks = False,
    naming: NamingFile = None,
    null_is_absent: NullIsAbsent = False,
) -> None:
    """Check lineage against policies, which are rules about the graph of jobs, datasets and columns.

    Each finding contains the path that violates a policy, and the line of the policy. Exits with 1 if there
    are errors, or something could not be read; then nothing is checked.
    """
    from openlineage_facets.base.display.short_values import counted
    from openlineage_facets.cli.command_lineage import assert_complete, command_lineage
    from openlineage_facets.cli.results.summary import ReportedFinding, Summary
    from openlineage_facets.review.policies.checking import identified_findings
    from openlineage_facets.review.policies.unmatched import unmatched_policies
    from openlineage_facets.review.reviewed_lineage import REVIEWED_FACETS

    file, policies = _policies(policy)
    graph = command_lineage(
        paths,
        join_symlinks=join_symlinks,
        null_is_absent=null_is_absent,
        naming=naming,
        by_job=True,
        facets=REVIEWED_FACETS | policies.facets(),
    )
    assert_complete([graph], "checked")
    graph.assert_not_empty("check")
    for line, problem in unmatched_policies(graph.lineage, policies):
        print_message(f"{file}:{line}: {problem}")
    report = create_report(output_format, sys.stdout, quiet=True, max_findings=0)
    summary = Summary(files=len(paths))
    report.begin()
    for finding, identity in identified_findings(graph.lineage, policies):
        report.add(str(file), ReportedFinding(finding, finding.line, about=identity))
        summary.add_finding(finding)
    report.end_file(str(file), 0)
    if output_format is not Format.GITHUB:  # Its last line counts events.
        report.end(summary)
    if output_format in (Format.TEXT, Format.GITHUB):
        lineage = graph.lineage
        problems = f"{counted(summary.errors, 'error')} and {counted(summary.warnings, 'warning')}"
        of = f"{len(policies):,} {'policy' if len(policies) == 1 else 'policies'}"
        print(f"{problems} of {of} in {len(lineage.jobs):,} jobs and {len(lineage.datasets):,} datasets")
    if summary.errors:
        raise typer.Exit(1)


def _policies(path: Path | None) -> tuple[Path, Policies]:
    """Return the policies and their file.

    Raises:
        CommandError: There are no policies, or they are invalid.
    """
    from openlineage_facets.cli.config import project_file
    from openlineage_facets.review.policies.policy import PROJECT_TABLE, read_policies

    file = path or Path(os.path.relpath(project_file(Path.cwd()) or "pyproject.toml"))
    try:
        policies = read_policies(file)
    except OSError as error:
        hint = "pass --policy FILE" if path is None else "check the path"
        raise CommandError(f"{file}: {(error.strerror or str(error)).lower()}; {hint}") from None
    except (ValueError, ModuleNotFoundError) as error:
        raise CommandError(str(error)) from None
    if not len(policies):
        place = f"[[{PROJECT_TABLE}.tag]]" if file.name == "pyproject.toml" else "[[tag]]"
        raise CommandError(f"{file}: expected policies, such as {place}, found none")
    return file, policies
