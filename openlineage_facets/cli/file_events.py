"""Event files that a command reads, and the events of a file one after another."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from openlineage_facets.base.display.printable import printable
from openlineage_facets.cli.command_error import CommandError
from openlineage_facets.cli.workflow_commands import escape_commands
from openlineage_facets.event_files.bounded_lines import TOO_LONG
from openlineage_facets.event_files.chunk_reader import chunks_of
from openlineage_facets.event_files.chunks import FileProblem, Values, lines_of
from openlineage_facets.event_files.sources import Source, sources_of


def events_of(source: Source) -> Iterator[tuple[int, bytes | FileProblem]]:
    """Yield each event of a file with its line, and a problem instead of each event that is too long.

    Print other problems of the file to standard error.
    """
    at = 0
    for chunk, _ in chunks_of(source, sys.stdin.buffer):
        if isinstance(chunk, FileProblem) and chunk.finding is TOO_LONG:
            yield at + (chunk.line or 0), chunk
            at += chunk.lines
        elif isinstance(chunk, FileProblem):
            location = source.name if chunk.line is None else f"{source.name}:{at + chunk.line}"
            finding = f"{chunk.finding.severity} {chunk.finding.code} {chunk.finding}"
            print(escape_commands(f"{printable(location)}: {finding}"), file=sys.stderr)
            at += chunk.lines
        elif isinstance(chunk, Values):
            yield from chunk.values
        else:
            for line in lines_of(chunk):
                at += 1
                if isinstance(line, FileProblem):
                    yield at, line
                elif line.strip():
                    yield at, line.strip()


def command_sources(paths: Iterable[str]) -> list[Source]:
    """Return the files to read, as `sources_of` does. Print a message about each file that is skipped.

    Args:
        paths: Files, folders, patterns, or "-" for standard input.

    Raises:
        CommandError: A path does not exist, or a folder or pattern contains no event files.
    """
    try:
        return sources_of(paths, _report_skipped)
    except FileNotFoundError as error:
        raise CommandError(str(error)) from None


def input_files(paths: Iterable[str]) -> tuple[Path | None, ...]:
    """Return the files that a command reads, None for standard input. Paths without event files have none."""
    files: list[Path | None] = []
    for path in paths:
        with suppress(FileNotFoundError):  # Reported when it is read.
            files += [source.path for source in sources_of([path], lambda *_: None)]
    return tuple(files)


def _report_skipped(path: str, kind: str) -> None:
    print(f"openlineage-facets: {printable(path)}: skipped: {kind}, not a file", file=sys.stderr)
