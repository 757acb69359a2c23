"""Event files that a command reads, and the events of a file one after another."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from openlineage_facets.base.display.printable import printable
from openlineage_facets.cli.command_error import CommandError
from openlineage_facets.cli.workflow_commands import escape_commands, print_message
from openlineage_facets.event_files.chunk_reader import chunks_of
from openlineage_facets.event_files.chunks import FileProblem, Values, lines_of, unreadable_file
from openlineage_facets.event_files.sources import Source, sources_of


def events_of(source: Source) -> Iterator[tuple[int | None, bytes | FileProblem]]:
    """Yield each event of a file, and each error of the file, with its line; None is the whole file.

    Print warnings about the file to standard error.
    """
    at = 0
    for chunk, _ in chunks_of(source, sys.stdin.buffer):
        if isinstance(chunk, FileProblem):
            line = None if chunk.line is None else at + chunk.line
            at += chunk.lines
            if chunk.finding.severity == "error":
                yield line, chunk
            else:
                print_problem(source, line, chunk)
        elif isinstance(chunk, Values):
            yield from chunk.values
        else:
            try:
                for text in lines_of(chunk):
                    at += 1
                    if isinstance(text, FileProblem):
                        yield at, text
                    elif text.strip():
                        yield at, text.strip()
            except OSError as error:
                yield None, unreadable_file(error, source.path)
                return


def print_problem(source: Source, line: int | None, problem: FileProblem) -> None:
    """Print a problem of a file to standard error, as `validate` does."""
    finding = f"{problem.finding.severity} {problem.finding.code} {problem.finding}"
    print(escape_commands(printable(f"{location_of(source, line)}: {finding}")), file=sys.stderr)


def location_of(source: Source, line: int | None) -> str:
    """Return the name of a file, with a line unless that is None."""
    return source.name if line is None else f"{source.name}:{line}"


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


BEGINNING = 200
"""How many bytes show what a file contains."""


def beginning_of(source: Source) -> bytes:
    """Return the first bytes of a file, none of a pipe, standard input or a file that cannot be read."""
    if source.path is None or source.size is None:
        return b""
    try:
        with open(source.path, "rb") as file:
            return file.read(BEGINNING)
    except OSError:
        return b""  # Reported when its events are read.


def _report_skipped(path: str, kind: str) -> None:
    print_message(f"{path}: skipped: {kind}, not a file")
