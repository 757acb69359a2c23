"""`openlineage-facets validate`: check event files."""

from __future__ import annotations

import os
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from openlineage_facets.cli.command_error import CommandError
from openlineage_facets.cli.formats import Format, create_report
from openlineage_facets.cli.options import Backend, checked_base, complete_codes
from openlineage_facets.cli.output_files import FORCE_HELP, OutputFile, file_path
from openlineage_facets.cli.workflow_commands import print_message, print_safely

if TYPE_CHECKING:
    from openlineage_facets.cli.results.summary import Summary
    from openlineage_facets.event_files.sources import Source

_MIN_EVENTS_FOR_SPEED = 10_000
"""Number of events from which on the speed is printed."""

_Strings: TypeAlias = list[str] | None
_File: TypeAlias = Path | None


def validate(
    paths: Annotated[
        _Strings, typer.Argument(metavar="PATH", help="Files, folders, patterns, or - for standard input.")
    ] = None,
    report_format: Annotated[Format, typer.Option("--format", help="Report format.")] = Format.TEXT,
    output: Annotated[
        _File,
        typer.Option("--output", "-o", metavar="FILE", parser=file_path, help="Write the report to a file."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help=FORCE_HELP)] = False,
    strict: Annotated[
        bool | None, typer.Option("--strict/--no-strict", help="Treat warnings as errors.")
    ] = None,
    select: Annotated[
        _Strings,
        typer.Option(
            metavar="CODES",
            help="Report only these codes or prefixes (OL012,OL3).",
            autocompletion=complete_codes,
        ),
    ] = None,
    ignore: Annotated[
        _Strings,
        typer.Option(
            metavar="CODES", help="Do not report these codes or prefixes.", autocompletion=complete_codes
        ),
    ] = None,
    baseline: Annotated[
        _File, typer.Option(metavar="FILE", help="Do not report the findings in this baseline file.")
    ] = None,
    write_baseline: Annotated[
        _File,
        typer.Option(
            metavar="FILE", parser=file_path, help="Write all findings to a baseline file and exit with 0."
        ),
    ] = None,
    schemas: Annotated[
        _Strings, typer.Option(metavar="DIR", help="Also validate against the JSON Schemas in this folder.")
    ] = None,
    id_base: Annotated[
        str | None,
        typer.Option("--id-base", metavar="URL", help="URL of this folder, for schemas without $id."),
    ] = None,
    null_is_absent: Annotated[
        bool | None,
        typer.Option(
            "--null-is-absent/--null-is-null",
            help="Read fields that are null as absent, as in exports of Marquez.",
        ),
    ] = None,
    backend: Backend = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs", "-j", metavar="N", min=0, help="Number of worker processes (0: one per core)."
        ),
    ] = None,
    max_findings: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=0,
            help="Print at most this many findings as text (0: all, ungrouped). Default: 1000.",
        ),
    ] = None,
    statistics: Annotated[
        bool, typer.Option("--statistics", help="Print counts of findings by place instead of findings.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Do not print the summary.")] = False,
    use_config: Annotated[
        bool, typer.Option("--config/--no-config", help="Use the settings in pyproject.toml.")
    ] = True,
) -> None:
    """Validate files of OpenLineage events.

    Reads .json, .ndjson and .jsonl files, also compressed (.gz, .zst), with one event, one event per line,
    several JSON values or an array of events. Exits with 0 if there are no errors, with 1 if there are
    errors, and with 2 if the check could not run.
    """
    from openlineage_facets.cli.check.check_run import CheckRun
    from openlineage_facets.cli.check.chunk_checker import CheckSettings, ChunkChecker
    from openlineage_facets.cli.config import Config, read_config
    from openlineage_facets.cli.file_events import command_sources
    from openlineage_facets.cli.formats.report import MAX_FINDINGS, is_report
    from openlineage_facets.cli.progress import progress_bar
    from openlineage_facets.cli.results.codes import CodeSelection
    from openlineage_facets.cli.results.finding_groups import is_baseline, read_baseline, write_fingerprints

    config = read_config(Path.cwd()) if use_config else Config()
    paths = paths or list(config.paths)
    if not paths:
        raise CommandError("missing path to check, such as lineage.ndjson, a folder or -")
    if write_baseline is not None and baseline is not None:
        raise CommandError("--write-baseline: expected no --baseline, which contains findings to leave out")
    if write_baseline is not None and output is not None and _is_same_file(output, write_baseline):
        found = f"found {write_baseline}; choose another name"
        raise CommandError(f"--write-baseline: expected another file than --output, {found}")
    is_text = report_format is Format.TEXT
    if not is_text and (statistics or max_findings is not None):
        option = "--statistics" if statistics else "--max-findings"
        raise CommandError(
            f"{option}: expected --format text, found --format {report_format.value}; remove one of them"
        )
    settings = CheckSettings(
        CodeSelection.parse(select or config.select, ignore or config.ignore),
        snippets=report_format is Format.SARIF or (is_text and not statistics),
        most_snippets=0 if not is_text else MAX_FINDINGS if max_findings is None else max_findings,
        schemas=tuple(schemas or config.schemas),
        id_base=checked_base(id_base or config.id_base),
        null_is_absent=config.null_is_absent if null_is_absent is None else null_is_absent,
        backends=tuple(backend or config.backends),
    )
    if write_baseline is not None:
        baseline = None
    elif baseline is None and config.baseline is not None:
        baseline = Path(config.baseline)
    sources = _without_lock_files(command_sources(paths))
    ChunkChecker(settings)  # Report invalid schemas and profiles before checking anything.
    known = frozenset() if baseline is None else read_baseline(baseline)
    inputs = (*(source.path for source in sources), *(() if baseline is None else (baseline,)))
    baseline_file = report_file = None
    if write_baseline is not None:
        baseline_file = OutputFile(write_baseline, "a baseline", is_baseline, force, inputs=inputs)
        baseline_file.assert_replaceable()
    if output is not None:
        report_file = OutputFile(output, "a report", is_report, force, inputs=inputs)
    sizes = [source.size for source in sources]
    total = sum(size or 0 for size in sizes)
    with (
        report_file.opened() if report_file is not None else nullcontext(sys.stdout) as file,
        progress_bar(None if None in sizes else total) as progress,
    ):
        run = CheckRun(
            sources,
            settings,
            create_report(
                report_format,
                file,
                quiet=quiet or output is not None,
                max_findings=max_findings,
                statistics=statistics,
            ),
            strict=config.strict if strict is None else strict,
            jobs=(config.jobs if jobs is None else jobs) or os.cpu_count() or 1,
            baseline=known,
            collect_fingerprints=write_baseline is not None,
            progress=progress,
        )
        summary = run.run()
    if baseline_file is not None:
        with baseline_file.opened() as file:
            write_fingerprints(file, run.fingerprints)
    if not quiet:
        _print_summary(summary, report_format, output, write_baseline)
    if summary.errors and write_baseline is None:
        raise typer.Exit(1)


def _is_same_file(path: Path, other: Path) -> bool:
    """Return whether two output files are one. A device may receive both."""
    return os.path.realpath(path) == os.path.realpath(other) and (path.is_file() or not path.exists())


def _without_lock_files(sources: list[Source]) -> list[Source]:
    """Return the files that may contain events. Print a message about each lock file, which has none.

    Raises:
        CommandError: There are only lock files.
    """
    from openlineage_facets.cli.file_events import beginning_of

    events, messages = [], []
    for source in sources:
        beginning = beginning_of(source).decode("utf-8", "replace")
        if "openlineage-facets lock" in beginning and _is_lock(beginning):
            commands = "read it with `show`, `graph`, `check` or `compare`"
            messages.append(f"{source.name}: expected events, found a lock file; {commands}")
        else:
            events.append(source)
    if not events:
        raise CommandError("\n".join(messages))
    for message in messages:
        print_message(message)
    return events


def _is_lock(beginning: str) -> bool:
    from openlineage_facets.review.lock import is_lock  # Files with events need none of it.

    return is_lock(beginning)


def _print_summary(
    summary: Summary, report_format: Format, output: Path | None, write_baseline: Path | None
) -> None:
    """Print the summary if it is not part of the report, and the speed."""
    if output is not None:
        create_report(Format.TEXT, sys.stdout, max_findings=0).end(summary)
    elif report_format not in (Format.TEXT, Format.GITHUB):
        print(summary.one_line(), file=sys.stderr)
    if write_baseline is not None:
        print_safely(f"baseline written to {write_baseline}; use it with --baseline")
    if summary.events >= _MIN_EVENTS_FOR_SPEED:
        speed = summary.events / summary.seconds
        print(
            f"{summary.events:,} events in {summary.seconds:,.1f} s: {speed:,.0f} events/s", file=sys.stderr
        )
