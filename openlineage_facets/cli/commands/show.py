"""`openlineage-facets show`: print one event in readable form."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from openlineage_facets.base.printable import printable
from openlineage_facets.cli.command_error import CommandError
from openlineage_facets.cli.workflow_commands import escape_commands

if TYPE_CHECKING:
    from openlineage_facets.event_files.sources import Source

__all__ = ["show"]


def show(
    file: Annotated[str, typer.Argument(metavar="FILE", help="Event file, or - for standard input.")],
    number: Annotated[
        int,
        typer.Option("--number", "-n", help="Number of the event in the file. -1 is the last one."),
    ] = 1,
    full: Annotated[bool, typer.Option("--full", help="Do not shorten long values.")] = False,
    null_is_absent: Annotated[
        bool,
        typer.Option(
            "--null-is-absent", help="Read fields that are null as absent, as in exports of Marquez."
        ),
    ] = False,
) -> None:
    """Show one event of a file.

    Prints its run, job, datasets, facets and column lineage, and the findings about it.
    """
    from openlineage_facets.cli.event_sources import command_sources
    from openlineage_facets.cli.formats.event_view import print_event
    from openlineage_facets.validation.tolerant_parsing import read_event

    if number == 0:
        raise CommandError("--number: expected 1 for the first event or -1 for the last, found 0")
    sources = command_sources([file])
    if len(sources) != 1:
        raise CommandError(f"{file}: expected one file, found {len(sources)}")
    line, text = _nth_event(_events(sources[0]), number, file)
    result = read_event(text, null_is_absent=null_is_absent)
    print_event(result, f"{sources[0].name}:{line}", line, full=full)


def _nth_event(events: Iterator[tuple[int, bytes]], number: int, file: str) -> tuple[int, bytes]:
    """Return the event with this number. Negative numbers count from the end."""
    last: deque[tuple[int, bytes]] = deque(maxlen=abs(number) if number < 0 else 1)
    count = 0
    for event in events:
        count += 1
        last.append(event)
        if count == number:
            break
    if count < abs(number):
        expected = f"{abs(number)} event{'' if abs(number) == 1 else 's'}"
        raise CommandError(f"{file}: expected at least {expected}, found {count}")
    return last[0]


def _events(source: Source) -> Iterator[tuple[int, bytes]]:
    """Yield each event of a file with its line. Print problems of the file to standard error."""
    from openlineage_facets.event_files.chunk_lines import lines_of
    from openlineage_facets.event_files.chunk_reader import chunks_of
    from openlineage_facets.event_files.chunks import FileProblem, Values

    at = 0
    for chunk, _ in chunks_of(source, sys.stdin.buffer):
        if isinstance(chunk, FileProblem):
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
                    yield at, b""
                elif line.strip():
                    yield at, line.strip()
