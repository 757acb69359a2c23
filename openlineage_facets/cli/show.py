"""`openlineage-facets show`: one event, readable."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from openlineage_facets.cli.failure import CommandError

if TYPE_CHECKING:
    from openlineage_facets.cli.sources import Source

__all__ = ["show"]


def show(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A file of events, or - for standard input.")],
    number: Annotated[
        int,
        typer.Option("--number", "-n", help="Which of the events in the file; -1 for the last."),
    ] = 1,
    full: Annotated[bool, typer.Option("--full", help="Shorten nothing.")] = False,
) -> None:
    """Show one event of a file: its run, job and datasets, their facets, lineage, and what is wrong."""
    from openlineage_facets.cli.event_view import print_event
    from openlineage_facets.cli.sources import sources_of
    from openlineage_facets.validation.reading import read_event

    if number == 0:
        raise CommandError("--number: expected 1 for the first event or -1 for the last, found 0")
    sources = sources_of([file])
    if len(sources) != 1:
        raise CommandError(f"{file}: expected one file, found {len(sources)}")
    line, text = _numbered(_events(sources[0]), number, file)
    print_event(read_event(text), f"{sources[0].name}:{line}", line, full=full)


def _numbered(events: Iterator[tuple[int, bytes]], number: int, file: str) -> tuple[int, bytes]:
    """Return the event of this number, counted from the end where it is negative."""
    last: deque[tuple[int, bytes]] = deque(maxlen=abs(number) if number < 0 else 1)
    count = 0
    for event in events:
        count += 1
        last.append(event)
        if count == number:
            break
    if count < abs(number):
        wanted = f"{abs(number)} event{'' if abs(number) == 1 else 's'}"
        raise CommandError(f"{file}: expected at least {wanted}, found {count}")
    return last[0]


def _events(source: Source) -> Iterator[tuple[int, bytes]]:
    """Yield the text of every event of a file, with its line."""
    from openlineage_facets.cli.chunks import Problem, Values, cut
    from openlineage_facets.cli.lines import lines_of

    at = 0
    for chunk, _ in cut(source, sys.stdin.buffer):
        if isinstance(chunk, Problem):
            place = source.name if chunk.line is None else f"{source.name}:{at + chunk.line}"
            print(f"{place}: {chunk.finding.severity} {chunk.finding.code} {chunk.finding}", file=sys.stderr)
            at += chunk.lines
        elif isinstance(chunk, Values):
            yield from chunk.values
        else:
            for line in lines_of(chunk):
                at += 1
                if isinstance(line, Problem):
                    yield at, b""
                elif line.strip():
                    yield at, line.strip()
