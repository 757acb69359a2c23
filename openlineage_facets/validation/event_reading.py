"""Read the events of files, one after the other."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from os import PathLike, fspath
from typing import IO, TYPE_CHECKING, Any, NamedTuple, TypeAlias

from openlineage_facets.event_files.chunk_reader import chunks_of
from openlineage_facets.event_files.chunks import Chunk, FileProblem, Range, Values, lines_of, unreadable_file
from openlineage_facets.event_files.sources import Source, sources_of
from openlineage_facets.validation.event_validation import profiles_for
from openlineage_facets.validation.tolerant_parsing import read_event

if TYPE_CHECKING:
    from openlineage_facets.base.errors.findings import Finding
    from openlineage_facets.parsing import Event
    from openlineage_facets.validation.backends.catalogue import Backends
    from openlineage_facets.validation.schemas.schema_set import SchemaSet
    from openlineage_facets.validation.tolerant_parsing import ReadResult


_Path: TypeAlias = str | PathLike[str]

EventPaths: TypeAlias = _Path | Iterable[_Path] | IO[bytes]
"""Files, folders and patterns, or a binary stream."""


class FileEvent(NamedTuple):
    """One event of a file, valid or not, or a problem of the file itself.

    Attributes:
        event: The event, as from `read_event`; None if there is none, as for a damaged file.
        findings: Errors first, then warnings.
        raw: The parsed JSON value, or the text if it is not valid JSON; None for a problem of the file.
        path: Path of the file, with slashes; "<stdin>" or the name of a stream.
        line: Line on which the event starts, None for a problem of the whole file.
    """

    event: Event | None
    findings: list[Finding]
    raw: Any
    path: str
    line: int | None

    @property
    def location(self) -> str:
        """Path and line, such as `lineage.ndjson:7`."""
        return self.path if self.line is None else f"{self.path}:{self.line}"

    @property
    def is_valid(self) -> bool:
        """Whether there is an event without errors."""
        return self.event is not None and all(finding.severity != "error" for finding in self.findings)


def read_events(
    paths: EventPaths,
    *,
    rules: bool = True,
    schemas: SchemaSet | None = None,
    null_is_absent: bool = False,
    backends: Backends = (),
) -> Iterator[FileEvent]:
    """Read the events of files one after the other, in bounded memory.

    Files may contain one event per line, one or several JSON objects, or an array of them, also compressed
    with gzip or Zstandard. Nothing is skipped silently: invalid events, and files that cannot be read to
    their end, are returned with their findings.

    Args:
        paths: Files, folders (recursively), patterns such as `lineage/**/*.json`, "-" for standard input, or
            an open binary file.
        rules: Whether the findings include warnings.
        schemas: Schemas to validate against, as for `validate`.
        null_is_absent: Read fields that are null as absent, as for `parse_event`.
        backends: The backends that receive the events, as for `validate`.

    Raises:
        BackendError: A backend is unknown, or its profile is invalid.
        FileNotFoundError: A path does not exist, or a folder or pattern contains no event files.
        ModuleNotFoundError: A file is compressed with Zstandard and zstandard is not installed.

    Example:
        >>> for event, findings, *_ in read_events("lineage/"):
        ...     print(event.job.name, len(findings))
    """
    if hasattr(paths, "read"):
        stream: IO[bytes] = paths  # type: ignore[assignment]
        sources = [Source(_stream_name(stream), None)]
    else:
        each: Iterable[Any] = [paths] if isinstance(paths, (str, PathLike)) else paths
        skipped: list[str] = []
        sources = sources_of(
            [str(fspath(path)) for path in each],
            lambda path, kind: skipped.append(f"{path}: skipped: {kind}, not a file"),
        )
        for message in skipped:
            warnings.warn(message, stacklevel=2)
        stream = sys.stdin.buffer
    profiles = profiles_for(backends)
    read = partial(read_event, rules=rules, schemas=schemas, null_is_absent=null_is_absent, backends=profiles)
    return _read(sources, stream, read)


def _stream_name(stream: IO[bytes]) -> str:
    name = getattr(stream, "name", None)
    return name if isinstance(name, str) else "<stream>"


def _read(
    sources: list[Source], stream: IO[bytes], read: Callable[[bytes], ReadResult]
) -> Iterator[FileEvent]:
    for source in sources:
        lines = 0
        for chunk, _ in chunks_of(source, stream):
            for relative, text in _texts(chunk):
                if isinstance(text, FileProblem):
                    line = None if text.line is None else lines + text.line
                    yield FileEvent(None, [text.finding], None, source.name, line)
                    lines += text.lines
                elif relative is not None:
                    yield FileEvent(*read(text), source.name, relative)
                else:
                    lines += 1
                    if text.strip():
                        yield FileEvent(*read(text.strip()), source.name, lines)


def _texts(chunk: Chunk) -> Iterator[tuple[int | None, bytes | FileProblem]]:
    """Yield the events of a chunk with their line; None if they are consecutive lines."""
    if isinstance(chunk, FileProblem):
        yield None, chunk
    elif isinstance(chunk, Values):
        yield from chunk.values
    else:
        try:
            for line in lines_of(chunk):
                yield None, line
        except OSError as error:
            yield None, unreadable_file(error, chunk.path if isinstance(chunk, Range) else None)
