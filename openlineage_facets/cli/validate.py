"""`openlineage-facets validate`: judge files of events."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO, TypeAlias

import typer

from openlineage_facets.cli.formats import Format, report_in

if TYPE_CHECKING:
    from openlineage_facets.cli.options import Options
    from openlineage_facets.cli.summary import Summary

__all__ = ["check_files", "validate"]

_MANY = 10_000
"""Events from which on the speed is told."""

_Texts: TypeAlias = list[str] | None
_File: TypeAlias = Path | None


def validate(
    paths: Annotated[
        _Texts, typer.Argument(metavar="PATH...", help="Files, folders, patterns, or - for standard input.")
    ] = None,
    form: Annotated[Format, typer.Option("--format", help="The form of the report.")] = Format.TEXT,
    output: Annotated[
        _File, typer.Option("--output", "-o", metavar="FILE", help="Write the report to this file.")
    ] = None,
    strict: Annotated[
        bool | None, typer.Option("--strict/--no-strict", help="Take warnings for errors.")
    ] = None,
    select: Annotated[
        _Texts, typer.Option(metavar="CODES", help="Report these codes alone, or those that begin so.")
    ] = None,
    ignore: Annotated[
        _Texts, typer.Option(metavar="CODES", help="Leave out these codes, or those that begin so.")
    ] = None,
    baseline: Annotated[
        _File, typer.Option(metavar="FILE", help="Leave out the findings that this file holds.")
    ] = None,
    write_baseline: Annotated[
        _File, typer.Option(metavar="FILE", help="Write all findings to this file as known, and exit with 0.")
    ] = None,
    schemas: Annotated[
        _Texts, typer.Option(metavar="DIR", help="Judge by the JSON Schemas in this folder, too.")
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option("--jobs", "-j", min=0, help="Check in so many processes; 0 for one a core."),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Leave out the summary.")] = False,
    use_config: Annotated[
        bool, typer.Option("--config/--no-config", help="Read the settings in pyproject.toml.")
    ] = True,
) -> None:
    """Judge files of OpenLineage events.

    Reads .json, .ndjson and .jsonl, also compressed (.gz, .zst): an event, several, an event a line, or
    an array of events. Exits with 0 where no event has an error, with 1 where one has, and with 2 where
    the check could not run.
    """
    from openlineage_facets.cli.config import Config, read_config
    from openlineage_facets.cli.options import Options

    options = Options.of(
        read_config(Path.cwd()) if use_config else Config(),
        paths=paths,
        select=select,
        ignore=ignore,
        form=form,
        output=output,
        strict=strict,
        jobs=jobs,
        schemas=schemas,
        baseline=baseline,
        write_baseline=write_baseline,
        quiet=quiet,
    )
    if check_files(options).errors and options.write_baseline is None:
        raise typer.Exit(1)


def check_files(options: Options) -> Summary:
    """Check what the options say, and report it as they say.

    Raises:
        CommandError: A path is not there, or a file cannot be read or written.
    """
    from openlineage_facets.cli.baseline import read_baseline, write_baseline
    from openlineage_facets.cli.check_run import CheckRun
    from openlineage_facets.cli.checking import Checking
    from openlineage_facets.cli.given_schemas import schemas_in
    from openlineage_facets.cli.progress import progress_of
    from openlineage_facets.cli.sources import sources_of

    sources = sources_of(options.paths)
    schemas_in(options.schemas)  # What is wrong with them is said before anything is checked.
    known = read_baseline(options.baseline) if options.baseline else frozenset()
    sizes = [source.size for source in sources]
    total = sum(size or 0 for size in sizes)
    with _report_file(options) as file, progress_of(None if None in sizes else total) as progress:
        run = CheckRun(
            sources,
            Checking(options.selection, options.form in (Format.TEXT, Format.SARIF), options.schemas),
            report_in(options.form, file, quiet=options.quiet or options.output is not None),
            strict=options.strict,
            jobs=options.jobs,
            baseline=known,
            gather=options.write_baseline is not None,
            progress=progress,
        )
        summary = run.run()
    if options.write_baseline is not None:
        write_baseline(options.write_baseline, run.fingerprints)
    _conclude(options, summary)
    return summary


@contextmanager
def _report_file(options: Options) -> Iterator[TextIO]:
    if options.output is None:
        yield sys.stdout
        return
    from openlineage_facets.cli.output import written_whole

    with written_whole(options.output) as file:
        yield file


def _conclude(options: Options, summary: Summary) -> None:
    """Tell the summary where the report does not, and how long it took."""
    if options.quiet:
        return
    if options.output is not None:
        report_in(Format.TEXT, sys.stdout).end(summary)
    elif options.form not in (Format.TEXT, Format.GITHUB):
        print(summary.sentence(), file=sys.stderr)
    if options.write_baseline is not None:
        print(f"{options.write_baseline}: what was found counts as known from now on", file=sys.stderr)
    if summary.events >= _MANY:
        speed = summary.events / summary.seconds
        told = f"{summary.events:,} events in {summary.seconds:,.1f} s: {speed:,.0f} events/s"
        print(told, file=sys.stderr)
