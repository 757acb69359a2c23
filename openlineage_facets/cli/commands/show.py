"""`openlineage-facets show`: print one event in readable form."""

from __future__ import annotations

import json
import sys
from collections import deque
from collections.abc import Iterator, Sized
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from openlineage_facets.cli.command_error import CommandError, InputError
from openlineage_facets.cli.options import Backend, NamingFile, NullIsAbsent

if TYPE_CHECKING:
    from openlineage_facets.event_files.chunks import FileProblem
    from openlineage_facets.event_files.sources import Source
    from openlineage_facets.state import Lineage

_Event: TypeAlias = "tuple[int | None, bytes | FileProblem]"


def show(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="Event file, lock file, or - for standard input.")
    ],
    number: Annotated[
        int,
        typer.Option(
            "--number", "-n", metavar="N", help="Number of the event in the file. -1 is the last one."
        ),
    ] = 1,
    full: Annotated[bool, typer.Option("--full", help="Do not shorten long values.")] = False,
    naming: NamingFile = None,
    null_is_absent: NullIsAbsent = False,
    backend: Backend = None,
) -> None:
    """Show one event of a file.

    Prints its run, job, datasets, facets and column lineage, and the findings about it. Of a lock file,
    prints all jobs and datasets. Exits with 1 if the file, or the event, could not be read.
    """
    from openlineage_facets.base.json.json_input import json_value
    from openlineage_facets.cli.check.chunk_checker import load_profiles
    from openlineage_facets.cli.command_lineage import lock_in, lock_of, reads_null_as_absent
    from openlineage_facets.cli.command_naming import command_naming, renamed_lineage
    from openlineage_facets.cli.config import read_config
    from openlineage_facets.cli.file_events import command_sources
    from openlineage_facets.cli.formats.views import print_event, print_lock
    from openlineage_facets.cli.results.summary import location_text
    from openlineage_facets.event_files.chunks import FileProblem
    from openlineage_facets.naming.naming_rules import NamingError
    from openlineage_facets.state.renaming import renamed_event
    from openlineage_facets.validation.tolerant_parsing import read_event

    if number == 0:
        raise CommandError("--number: expected 1 for the first event or -1 for the last, found 0")
    null_is_absent = reads_null_as_absent(null_is_absent)
    profiles = load_profiles(backend or read_config(Path.cwd()).backends)
    sources = command_sources([file])
    if len(sources) != 1:
        raise CommandError(
            f"{file}: expected one file, found {len(sources)}; pass one of them, such as {sources[0].name}"
        )
    rules = command_naming(naming)

    def shows_lock(lock: Lineage | None) -> bool:
        if lock is not None:
            print_lock(lock if rules is None else renamed_lineage(lock, rules), full=full)
        return lock is not None

    if shows_lock(lock_of(sources[0])):
        return
    problems: list[FileProblem] = []
    (line, text), position = _nth_event(_events(sources[0], problems), number, file, problems)
    location = location_text(sources[0].name, line)
    if isinstance(text, FileProblem):
        raise InputError(f"{location}: {text.finding}")
    if shows_lock(lock_in(text, location)):  # From standard input or a compressed file.
        return
    result = read_event(text, null_is_absent=null_is_absent, backends=profiles)
    event = json_value(text) if rules is not None else None
    if rules is not None and isinstance(event, dict):
        lines = {finding.pointer: finding.line for finding in result.findings}
        try:
            text = json.dumps(renamed_event(event, rules)).encode()
        except NamingError as error:
            raise CommandError(str(error)) from None
        result = read_event(text, null_is_absent=null_is_absent, backends=profiles)
        findings = [replace(finding, line=lines.get(finding.pointer)) for finding in result.findings]
        result = result._replace(findings=findings)
    print_event(result, f"{location}{position}", line or 1, full=full)
    if problems or result.event is None:
        raise typer.Exit(1)


def _events(source: Source, problems: list[FileProblem]) -> Iterator[_Event]:
    """Yield the events of a file, each with its line. Print and collect the problems of the file itself."""
    from openlineage_facets.cli.file_events import events_of, print_problem
    from openlineage_facets.event_files.chunks import TOO_LONG, FileProblem

    for line, text in events_of(source):
        if isinstance(text, FileProblem) and text.finding is not TOO_LONG:
            problems.append(text)
            print_problem(source, line, text)
        else:
            yield line, text


def _nth_event(events: Iterator[_Event], number: int, file: str, problems: Sized) -> tuple[_Event, str]:
    """Return the event with this number, and what to say about it if there are others.

    Negative numbers count from the end. Events after a positive number are not read, except for the next.
    """
    last: deque[_Event] = deque(maxlen=min(-number, sys.maxsize) if number < 0 else 1)
    count = 0
    for event in events:
        count += 1
        last.append(event)
        if count == number:
            break
    if count < abs(number):
        if problems:
            raise typer.Exit(1)
        expected = f"{abs(number)} event{'' if abs(number) == 1 else 's'}"
        fix = f"pass a number up to {count}" if count else "pass a file that contains events"
        raise CommandError(f"{file}: expected at least {expected}, found {count}; {fix}")
    if number < 0:
        return last[0], f"  event {count + number + 1} of {count}" if count > 1 else ""
    more = "; more follow, of which --number -1 is the last" if next(events, None) else ""
    return last[0], f"  event {number}{more}" if more or number > 1 else ""
