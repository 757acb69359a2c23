"""`openlineage-facets compare`: show what has changed between two versions of lineage."""

from __future__ import annotations

import shlex
import sys
from enum import Enum
from io import StringIO
from itertools import compress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from openlineage_facets.cli.command_error import CommandError
from openlineage_facets.cli.options import JoinSymlinks, NamingFile, NullIsAbsent, Propagate
from openlineage_facets.cli.rare_collection import rare_collection
from openlineage_facets.cli.workflow_commands import escape_commands, escape_json_commands, print_message

if TYPE_CHECKING:
    from openlineage_facets.review.changes import LineageChanges
    from openlineage_facets.state import Lineage


class _Format(str, Enum):
    text = "text"
    markdown = "markdown"
    json = "json"
    github = "github"
    sarif = "sarif"
    html = "html"


class _FailOn(str, Enum):
    removed = "removed"
    breaking = "breaking"
    any = "any"
    never = "never"


_PATH_HELP = "Event file, folder, pattern, saved state, lock file, folder of tables"


@rare_collection()
def compare(
    before: Annotated[str, typer.Argument(metavar="BEFORE", help=f"{_PATH_HELP}.")],
    after: Annotated[
        list[str], typer.Argument(metavar="AFTER...", help="The same, or - for standard input.")
    ],
    output_format: Annotated[_Format, typer.Option("--format", "-f", help="Output format.")] = _Format.text,
    fail_on: Annotated[
        _FailOn | None,
        typer.Option("--fail-on", help="The changes that cause exit code 1. Default: breaking."),
    ] = None,
    locked: Annotated[
        bool, typer.Option("--locked", help="Exit with 1 if AFTER differs at all from the lock file BEFORE.")
    ] = False,
    context: Annotated[
        list[str] | None,
        typer.Option(
            "--context", metavar="PATH", help="Lineage of others that may read what changes. May be repeated."
        ),
    ] = None,
    statistics: Annotated[
        str | None,
        typer.Option(
            metavar="LOW..HIGH",
            help="Compare lifecycles and statistics of outputs, too: 0.5..2 allows half to double.",
        ),
    ] = None,
    join_symlinks: JoinSymlinks = False,
    naming: NamingFile = None,
    propagate: Propagate = None,
    null_is_absent: NullIsAbsent = False,
) -> None:
    """Show what has changed between two versions of lineage.

    Lists jobs, datasets, columns, their sources, and what decides about rows, if added, removed, renamed or
    changed, and what is computed from them. Exit code 1 for breaking changes, which a reader of a dataset
    notices, and if something could not be read; then nothing is compared.
    """
    from openlineage_facets.cli.command_lineage import assert_complete, command_lineage, report_unknown_tags
    from openlineage_facets.cli.file_events import input_files
    from openlineage_facets.review.comparison import compare as compare_lineage
    from openlineage_facets.review.lock_reading import LockReader
    from openlineage_facets.review.reviewed_lineage import REVIEWED_FACETS

    if locked and fail_on is not None:
        raise CommandError("--locked: expected no --fail-on, since every difference fails; pass one of them")
    allowed = None if statistics is None else _range(statistics)
    if locked and not _is_lock(before):
        raise CommandError(
            f"{before}: expected a lock file for --locked; `openlineage-facets lock` writes one"
        )
    if locked and Path(before).resolve() in {file and file.resolve() for file in input_files(after)}:
        fix = "move the lock file to another folder, or pass the event files"
        found = f"contains the lock file {before}, which is no event file"
        raise CommandError(f"{' '.join(after)}: {found}; {fix}")
    paths = [[before], after, *([path] for path in context or ())]
    if [path for of_graph in paths for path in of_graph].count("-") > 1:
        raise CommandError("-: expected standard input once, since it is read only once; pass files instead")
    locks = LockReader()
    lineages = [
        command_lineage(
            of_graph,
            join_symlinks=join_symlinks,
            null_is_absent=null_is_absent,
            naming=naming,
            by_job=True,
            facets=REVIEWED_FACETS if statistics is None else None,
            locks=locks,
        )
        for of_graph in paths
    ]
    assert_complete(lineages, "compared")
    old, new, *others = lineages
    new.assert_not_empty("compare")  # A job that emitted nothing has removed nothing.
    if statistics is not None:
        files = [path for path in (before, *after) if Path(path).is_file()]  # A pipe is read only once.
        for path in filter(_is_lock, files):
            found = f"{path} is a lock file, which contains no statistics"
            print_message(f"--statistics: {found}; pass event files")
    report_unknown_tags(lineages, propagate or ())
    changes = compare_lineage(
        old.lineage,
        new.lineage,
        context=[other.lineage for other in others],
        statistics=allowed,
        propagate=propagate or (),
    )
    file = before if locked or len(after) > 1 or not Path(after[0]).is_file() else after[0]
    sys.stdout.write(_report(changes, output_format, file))
    if locked and changes:
        flags = {"--join-symlinks": join_symlinks, "--null-is-absent": null_is_absent}
        options = [*(["--naming", naming] if naming else []), *compress(flags, flags.values())]
        command = shlex.join(["openlineage-facets", "lock", *after, "-o", before, *options])
        fix = f"if that is intended, update it: {command}"
        if not naming and _namespaces(old.lineage).isdisjoint(_namespaces(new.lineage)):
            reason = "they have no namespace of datasets in common"
            fix = f"{reason}, so pass --naming as for the lock file; {fix}"
        print_message(f"{before}: differs from {' '.join(after)}; {fix}")
        raise typer.Exit(1)
    failed = {
        _FailOn.removed: changes.has_removals,
        _FailOn.breaking: changes.is_breaking,
        _FailOn.any: bool(changes),
        _FailOn.never: False,
    }
    if failed[fail_on or _FailOn.breaking]:
        raise typer.Exit(1)


def _namespaces(lineage: Lineage) -> set[str]:
    return {dataset.id.namespace for dataset in lineage.datasets}


def _range(text: str) -> tuple[float, float]:
    try:
        low, high = map(float, text.split("..", 1))
    except ValueError:
        low, high = 1.0, 0.0
    if not 0 <= low <= high:
        raise CommandError(f"--statistics: expected a range such as 0.5..2, found {text}")
    return low, high


def _is_lock(path: str) -> bool:
    from openlineage_facets.cli.command_lineage import is_lock_file
    from openlineage_facets.cli.file_events import command_sources

    sources = command_sources([path])
    return len(sources) == 1 and is_lock_file(sources[0])


def _report(changes: LineageChanges, output_format: _Format, file: str) -> str:
    from openlineage_facets.review import report
    from openlineage_facets.review.change_texts import end_text, summary_line

    if output_format is _Format.html:
        from openlineage_facets.review.change_page import change_page

        return change_page(changes)
    if output_format is _Format.text:
        return escape_commands(report.text_report(changes))
    if output_format is _Format.markdown:
        return escape_commands(report.markdown_report(changes))
    if output_format is _Format.json:
        return escape_json_commands(report.json_report(changes))
    from openlineage_facets.cli.formats import Format, create_report
    from openlineage_facets.cli.results.summary import ReportedFinding, Summary

    text = StringIO()
    writer, summary = create_report(Format(output_format.value), text), Summary(files=1)
    writer.begin()
    for change in changes.changes:
        finding = report.finding_of(changes, change)
        # Several sources or statistics may have changed: services distinguish alerts by what they are about.
        fact = change.facts[-1]
        others = [] if fact.other is None else [end_text(fact.other)]
        if fact.part == "statistics":
            others = [fact.value.partition(" ")[0]]
        writer.add(file, ReportedFinding(finding, about=" ".join([end_text(change.node), *others])))
        summary.add_finding(finding)
    if output_format is _Format.github:
        return f"{text.getvalue()}{summary_line(changes)}\n"
    writer.end(summary)
    return text.getvalue()
