"""Event files that a command reads, and the events of a file one after another."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from openlineage_facets.cli.command_error import CommandError
from openlineage_facets.cli.results.summary import location_text
from openlineage_facets.cli.workflow_commands import print_message, print_safely
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
    print_safely(f"{location_text(source.name, line)}: {finding}")


def command_sources(paths: Sequence[str]) -> list[Source]:
    """Return the files to read, as `sources_of` does. Print a message about each file that is skipped.

    Graphs as JSON are skipped in folders and patterns, to which `graph` may have written them.

    Args:
        paths: Files, folders, patterns, or "-" for standard input.

    Raises:
        CommandError: A path does not exist, or a folder or pattern contains no event files.
    """
    try:
        sources = sources_of(paths, _report_no_file)
    except FileNotFoundError as error:
        raise CommandError(str(error)) from None
    graphs = _graphs_among(sources, paths)
    for graph in graphs:
        print_message(f"{graph.name}: skipped: a graph that `graph` has written, not events")
    if graphs and len(graphs) == len(sources):
        raise CommandError(f"{' '.join(paths)}: expected event files, found only graphs; pass the events")
    return [source for source in sources if source not in graphs]


def input_files(paths: Sequence[str]) -> tuple[Path | None, ...]:
    """Return the files that a command reads, None for standard input. Paths without event files have none."""
    sources: list[Source] = []
    for path in paths:
        with suppress(FileNotFoundError):  # Reported when it is read.
            sources += sources_of([path], lambda *_: None)
    graphs = _graphs_among(sources, paths)
    return tuple(source.path for source in sources if source not in graphs)


def _graphs_among(sources: Iterable[Source], paths: Iterable[str]) -> list[Source]:
    """Return the graphs as JSON among files that are not passed by their own names."""
    named = {Path(path).as_posix() for path in paths}
    return [source for source in sources if source.name not in named and _is_json_graph(source)]


def _is_json_graph(source: Source) -> bool:
    if source.path is None or not beginning_of(source).startswith(_JSON_GRAPH):
        return False
    try:
        return is_json_graph(source.path.read_bytes())
    except OSError:
        return False  # Reported when its events are read.


def is_json_graph(text: bytes) -> bool:
    """Return whether a text is a graph as JSON, which `graph` has written."""
    from openlineage_facets.graphs.page import is_graph

    return text.startswith(_JSON_GRAPH) and is_graph(text.decode("utf-8", "replace"))


_JSON_GRAPH = b'{\n  "jobs": ['


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


def _report_no_file(path: str, kind: str) -> None:
    print_message(f"{path}: skipped: {kind}, not a file")
