"""A check from the paths to the report: files in, findings and counts out."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import cast

from openlineage_facets.base.errors import Finding
from openlineage_facets.cli.about import named
from openlineage_facets.cli.checking import Checking
from openlineage_facets.cli.chunks import Chunk, cut
from openlineage_facets.cli.fingerprint import Fingerprint, fingerprint
from openlineage_facets.cli.formats.report import Report
from openlineage_facets.cli.results import ChunkResult, Judged
from openlineage_facets.cli.selection import Selection
from openlineage_facets.cli.sources import Source
from openlineage_facets.cli.summary import Summary
from openlineage_facets.cli.workers import checked
from openlineage_facets.validation.ruleset import all_rules
from openlineage_facets.validation.stream import Moment, StreamRules

__all__ = ["CheckRun"]

_WORTH_PROCESSES = 8 << 20
"""Bytes below which starting processes takes longer than checking."""


@dataclass
class _File:
    """Where the check is in a file.

    Attributes:
        source: The file.
        lines: Lines before the next chunk.
        events: Events before the next chunk.
        first: The file's first moment, held back until there is a second one: a file of one event is
            no stream.
    """

    source: Source
    lines: int = 0
    events: int = 0
    first: tuple[int, int, Moment] | None = None
    is_stream: bool = False


@dataclass(frozen=True)
class _Position:
    """Where an event of a stream stands."""

    file: int
    event: int
    line: int
    about: str


class CheckRun:
    """Checks files.

    Args:
        sources: The files, in order.
        checking: How to check each event.
        report: What is told the findings.
        strict: Whether warnings are errors.
        jobs: Processes to check in.
        baseline: Findings that are known and do not count.
        gather: Whether to keep the fingerprints of all findings.
        progress: Told, now and then, how many bytes have been read.
    """

    def __init__(
        self,
        sources: Sequence[Source],
        checking: Checking,
        report: Report,
        *,
        strict: bool = False,
        jobs: int = 1,
        baseline: frozenset[Fingerprint] = frozenset(),
        gather: bool = False,
        progress: Callable[[int], None] = lambda read: None,
    ) -> None:
        self.summary = Summary()
        self.fingerprints: set[Fingerprint] = set()
        self._files = [_File(source) for source in sources]
        self._checking = checking
        self._report = report
        self._strict = strict
        self._jobs = jobs if self._is_worth_processes(sources) else 1
        self._baseline = baseline
        self._gather = gather
        self._progress = progress
        self._stream = StreamRules() if _selects_streams(checking.selection) else None

    @staticmethod
    def _is_worth_processes(sources: Sequence[Source]) -> bool:
        return sum(_WORTH_PROCESSES if one.size is None else one.size for one in sources) >= _WORTH_PROCESSES

    def run(self) -> Summary:
        """Check all files, and return what it adds up to."""
        began = time.perf_counter()
        self._report.begin()
        ended = read = 0
        for (number, position), result in checked(self._chunks(), self._checking, self._jobs):
            while ended < number:
                self._end_file(ended)
                read += self._files[ended].source.size or 0
                ended += 1
            self._take(number, result)
            self._progress(read + position)
        for number in range(ended, len(self._files)):
            self._end_file(number)
        self._finish_stream()
        self.summary.seconds = time.perf_counter() - began
        self._report.end(self.summary)
        return self.summary

    def _chunks(self) -> Iterator[tuple[tuple[int, int], Chunk]]:
        for number, file in enumerate(self._files):
            for chunk, position in cut(file.source, sys.stdin.buffer):
                yield (number, position), chunk

    def _take(self, number: int, result: ChunkResult) -> None:
        """Report what a chunk gave, in terms of its file."""
        file = self._files[number]
        self.summary.add(result)
        findings = [_moved(one, file.lines, file.events) for one in result.findings]
        if self._stream is not None and result.moments:
            said = list(self._follow(number, file, result))
            if said:
                findings = sorted([*findings, *said], key=lambda one: (one.event or 0, one.line or 0))
        file.lines += result.lines
        file.events += result.events
        for judged in findings:
            self._tell(file.source.name, judged)

    def _follow(self, number: int, file: _File, result: ChunkResult) -> Iterator[Judged]:
        """Yield what the rules on streams say of a chunk."""
        for line, event, moment in result.moments:
            here = (line + file.lines, event + file.events, moment)
            if not file.is_stream:
                if file.first is None:
                    file.first = here
                    continue
                file.is_stream = True
                yield from self._see(number, file.first)
                file.first = None
            yield from self._see(number, here)

    def _see(self, number: int, place: tuple[int, int, Moment]) -> Iterator[Judged]:
        assert self._stream is not None
        line, event, moment = place
        about = named(moment.namespace, moment.name)
        position = _Position(number, event, line, about)
        for finding in self._stream.see_moment(moment, position):
            if self._checking.selection.selects(finding.code):
                yield Judged(finding, line, event, about)

    def _end_file(self, number: int) -> None:
        file = self._files[number]
        self.summary.files += 1
        self._report.end_file(file.source.name, file.events)

    def _finish_stream(self) -> None:
        """Report the runs that are left open."""
        if self._stream is None:
            return
        self.summary.forgotten = self._stream.forgotten
        left = cast("list[tuple[_Position, Finding]]", self._stream.finish())
        for position, finding in sorted(left, key=lambda one: (one[0].file, one[0].event)):
            if self._checking.selection.selects(finding.code):
                judged = Judged(finding, position.line, position.event, position.about)
                self._tell(self._files[position.file].source.name, judged)

    def _tell(self, name: str, judged: Judged) -> None:
        if self._baseline or self._gather:
            identity = fingerprint(name, judged)
            if self._gather:
                self.fingerprints.add(identity)
            if identity in self._baseline:
                self.summary.known += 1
                return
        if self._strict and judged.finding.severity == "warning":
            judged = replace(judged, finding=replace(judged.finding, severity="error"))
        self.summary.count(judged.finding)
        self._report.add(name, judged)


def _moved(judged: Judged, lines: int, events: int) -> Judged:
    """Return a finding of a chunk in terms of its file."""
    if not lines and not events:
        return judged
    line = None if judged.line is None else judged.line + lines
    event = None if judged.event is None else judged.event + events
    return replace(judged, line=line, event=event)


def _selects_streams(selection: Selection) -> bool:
    return any(selection.selects(rule.code) for rule in all_rules() if rule.subject in ("moment", "end"))
