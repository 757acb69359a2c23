"""`openlineage-facets validate`: check event files."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from openlineage_facets.base.display.printable import printable
from openlineage_facets.cli.command_error import CommandError
from openlineage_facets.cli.formats import Format, create_report
from openlineage_facets.cli.options import Backend, complete_codes
from openlineage_facets.cli.output_files import FORCE_HELP, OutputFile, file_path
from openlineage_facets.cli.workflow_commands import print_message

if TYPE_CHECKING:
    from openlineage_facets.cli.check.check_options import CheckOptions
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
    from openlineage_facets.cli.check.check_options import CheckOptions
    from openlineage_facets.cli.config import Config, read_config

    options = CheckOptions.resolve(
        read_config(Path.cwd()) if use_config else Config(),
        paths=paths,
        select=select,
        ignore=ignore,
        report_format=report_format,
        output=output,
        force=force,
        strict=strict,
        jobs=jobs,
        schemas=schemas,
        id_base=id_base,
        baseline=baseline,
        write_baseline=write_baseline,
        null_is_absent=null_is_absent,
        backends=backend,
        max_findings=max_findings,
        statistics=statistics,
        quiet=quiet,
    )
    if check_files(options).errors and options.write_baseline is None:
        raise typer.Exit(1)


def check_files(options: CheckOptions) -> Summary:
    """Check files and write the report.

    Raises:
        CommandError: A path does not exist, there are only lock files, or a file cannot be read or written.
    """
    from openlineage_facets.cli.check.backend_profiles import load_profiles
    from openlineage_facets.cli.check.check_run import CheckRun
    from openlineage_facets.cli.check.chunk_checker import CheckSettings, load_schemas
    from openlineage_facets.cli.file_events import command_sources
    from openlineage_facets.cli.formats.report import is_report
    from openlineage_facets.cli.formats.text import MAX_FINDINGS
    from openlineage_facets.cli.progress import progress_bar
    from openlineage_facets.cli.results.finding_groups import is_baseline, read_baseline, write_baseline

    sources = _without_lock_files(command_sources(options.paths))
    load_schemas(options.schemas, options.id_base)  # Report invalid schemas before checking anything.
    load_profiles(options.backends)
    baseline = read_baseline(options.baseline) if options.baseline else frozenset()
    inputs = (*(source.path for source in sources), *([options.baseline] if options.baseline else ()))
    known = output = None
    if options.write_baseline is not None:
        known = OutputFile(options.write_baseline, "a baseline", is_baseline, options.force, inputs=inputs)
        known.assert_replaceable()
    if options.output is not None:
        output = OutputFile(options.output, "a report", is_report, options.force, inputs=inputs)
    is_text = options.report_format is Format.TEXT
    has_snippets = options.report_format is Format.SARIF or (is_text and not options.statistics)
    most_findings = MAX_FINDINGS if options.max_findings is None else options.max_findings
    is_quiet = options.quiet or options.output is not None
    sizes = [source.size for source in sources]
    total = sum(size or 0 for size in sizes)
    with (
        output.opened() if output is not None else nullcontext(sys.stdout) as file,
        progress_bar(None if None in sizes else total) as progress,
    ):
        run = CheckRun(
            sources,
            CheckSettings(
                options.selection,
                has_snippets,
                most_findings if is_text else 0,
                options.schemas,
                options.id_base,
                options.null_is_absent,
                options.backends,
            ),
            create_report(
                options.report_format,
                file,
                quiet=is_quiet,
                max_findings=options.max_findings,
                statistics=options.statistics,
            ),
            strict=options.strict,
            jobs=options.jobs,
            baseline=baseline,
            collect_fingerprints=options.write_baseline is not None,
            progress=progress,
        )
        summary = run.run()
    if known is not None:
        with known.opened() as file:
            write_baseline(file, run.fingerprints)
    _print_summary(options, summary)
    return summary


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


def _print_summary(options: CheckOptions, summary: Summary) -> None:
    """Print the summary if it is not part of the report, and the speed."""
    if options.quiet:
        return
    if options.output is not None:
        create_report(Format.TEXT, sys.stdout, max_findings=0).end(summary)
    elif options.report_format not in (Format.TEXT, Format.GITHUB):
        print(summary.one_line(), file=sys.stderr)
    if options.write_baseline is not None:
        path = printable(str(options.write_baseline))
        print(f"baseline written to {path}; use it with --baseline", file=sys.stderr)
    if summary.events >= _MIN_EVENTS_FOR_SPEED:
        speed = summary.events / summary.seconds
        print(
            f"{summary.events:,} events in {summary.seconds:,.1f} s: {speed:,.0f} events/s", file=sys.stderr
        )
