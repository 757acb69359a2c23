"""Check files, in this or in several processes, and write the report."""

from __future__ import annotations

import multiprocessing
import signal
import sys
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection
from operator import itemgetter
from queue import SimpleQueue
from typing import NamedTuple, TypeVar, cast

from openlineage_facets.base.errors.findings import Finding
from openlineage_facets.cli.check.chunk_checker import CheckSettings, ChunkChecker
from openlineage_facets.cli.command_error import CommandError
from openlineage_facets.cli.formats.report import Report
from openlineage_facets.cli.results.codes import CodeSelection
from openlineage_facets.cli.results.finding_groups import Fingerprint, fingerprint
from openlineage_facets.cli.results.finding_location import redacted_name
from openlineage_facets.cli.results.summary import ChunkResult, ReportedFinding, Summary
from openlineage_facets.event_files.chunk_reader import chunks_of
from openlineage_facets.event_files.chunks import Chunk
from openlineage_facets.event_files.sources import Source
from openlineage_facets.validation.ruleset import built_in_rules
from openlineage_facets.validation.run_event_summary import RunEventSummary
from openlineage_facets.validation.stream_rules import StreamRules

_MIN_BYTES_FOR_WORKERS = 8 << 20
"""For smaller inputs, starting worker processes takes longer than checking."""


@dataclass
class _FileState:
    """Progress of the check in a file.

    Attributes:
        source: The file.
        lines: Number of lines before the next chunk.
        events: Number of events before the next chunk.
        run_events: Number of run events.
        waiting: The first run event, until there is a second one. Files with one event are not streams.
    """

    source: Source
    lines: int = 0
    events: int = 0
    run_events: int = 0
    waiting: list[tuple[int, int, RunEventSummary]] = field(default_factory=list)


class _Position(NamedTuple):
    """Position of an event in a stream. Positions have the order of files and events."""

    file: int
    event: int
    line: int
    about: str

    def reported(self, finding: Finding) -> ReportedFinding:
        """Return a finding about the event."""
        return ReportedFinding(finding, self.line, self.event, self.about)


class CheckRun:
    """One run of the check over some files.

    Args:
        sources: Files to check, in order.
        settings: How to check each event.
        report: Report to write to.
        strict: Whether to treat warnings as errors.
        jobs: Number of worker processes.
        baseline: Known findings, which are not reported.
        collect_fingerprints: Whether to collect the fingerprints of all findings.
        progress: Called with the number of bytes read so far.
    """

    def __init__(
        self,
        sources: Sequence[Source],
        settings: CheckSettings,
        report: Report,
        *,
        strict: bool = False,
        jobs: int = 1,
        baseline: frozenset[Fingerprint] = frozenset(),
        collect_fingerprints: bool = False,
        progress: Callable[[int], None] = lambda read: None,
    ) -> None:
        self.summary = Summary()
        self.fingerprints: set[Fingerprint] = set()
        self._files = [_FileState(source) for source in sources]
        self._report = report
        self._strict = strict
        self._jobs = jobs if _is_worth_workers(sources) else 1
        # Which findings are shown depends on those before, which a worker and a baseline may hide.
        is_known = self._jobs == 1 and not baseline
        self._settings = settings if is_known else replace(settings, most_snippets=0)
        self._baseline = baseline
        self._collect_fingerprints = collect_fingerprints
        self._progress = progress
        self._stream = StreamRules() if _selects_stream_rules(settings.selection) else None

    def run(self) -> Summary:
        """Check all files and return the totals."""
        began = time.perf_counter()
        self._report.begin()
        ended = read = 0
        for (number, position), result in check_chunks(self._chunks(), self._settings, self._jobs):
            while ended < number:
                self._end_file(ended)
                read += self._files[ended].source.size or 0
                ended += 1
            self._add_result(number, result)
            self._progress(read + position)
        for number in range(ended, len(self._files)):
            self._end_file(number)
        self._end_stream()
        self.summary.seconds = time.perf_counter() - began
        self._report.end(self.summary)
        return self.summary

    def _chunks(self) -> Iterator[tuple[tuple[int, int], Chunk]]:
        for number, file in enumerate(self._files):
            for chunk, position in chunks_of(file.source, sys.stdin.buffer):
                yield (number, position), chunk

    def _add_result(self, number: int, result: ChunkResult) -> None:
        """Report the findings of a chunk, with lines and events counted from the start of its file."""
        file = self._files[number]
        self.summary.add_chunk(result)
        findings = [_shifted(finding, file.lines, file.events) for finding in result.findings]
        if self._stream is not None and result.run_events:
            of_stream = list(self._stream_findings(number, result))
            if of_stream:
                findings = sorted(
                    [*findings, *of_stream], key=lambda finding: (finding.event or 0, finding.line or 0)
                )
        file.lines += result.lines
        file.events += result.events
        for reported in findings:
            self._report_finding(file.source.name, reported)
        if findings:
            self._report.flush()

    def _stream_findings(self, number: int, result: ChunkResult) -> Iterator[ReportedFinding]:
        """Yield the findings of rules on event streams for a chunk."""
        file = self._files[number]
        for line, event, summary in result.run_events:
            file.run_events += 1
            file.waiting.append((line + file.lines, event + file.events, summary))
            if file.run_events > 1:
                for run_event in file.waiting:
                    yield from self._apply_rules(number, *run_event)
                file.waiting.clear()

    def _apply_rules(
        self, number: int, line: int, event: int, summary: RunEventSummary
    ) -> Iterator[ReportedFinding]:
        assert self._stream is not None
        position = _Position(number, event, line, redacted_name(summary.namespace, summary.name))
        for finding in self._stream.check_summary(summary, position):
            if self._settings.selection.selects(finding.code):
                yield position.reported(finding)

    def _end_file(self, number: int) -> None:
        file = self._files[number]
        self.summary.files += 1
        self._report.end_file(file.source.name, file.events)

    def _end_stream(self) -> None:
        """Report runs that have not ended."""
        if self._stream is None:
            return
        self.summary.untracked_runs = self._stream.dropped
        open_runs = cast("list[tuple[_Position, Finding]]", self._stream.finish())
        for position, finding in sorted(open_runs, key=itemgetter(0)):
            if self._settings.selection.selects(finding.code):
                self._report_finding(self._files[position.file].source.name, position.reported(finding))

    def _report_finding(self, name: str, reported: ReportedFinding) -> None:
        if self._baseline or self._collect_fingerprints:
            identity = fingerprint(name, reported)
            if self._collect_fingerprints:
                self.fingerprints.add(identity)
            if identity in self._baseline:
                self.summary.baselined += 1
                return
        if self._strict and reported.finding.severity == "warning":
            reported = replace(reported, finding=replace(reported.finding, severity="error"))
        self.summary.add_finding(reported.finding)
        self._report.add(name, reported)


def _is_worth_workers(sources: Sequence[Source]) -> bool:
    sizes = (_MIN_BYTES_FOR_WORKERS if source.size is None else source.size for source in sources)
    return sum(sizes) >= _MIN_BYTES_FOR_WORKERS


def _shifted(reported: ReportedFinding, lines: int, events: int) -> ReportedFinding:
    """Return a finding with its line and event number moved by an offset."""
    if not lines and not events:
        return reported
    line = None if reported.line is None else reported.line + lines
    event = None if reported.event is None else reported.event + events
    return replace(reported, line=line, event=event)


def _selects_stream_rules(selection: CodeSelection) -> bool:
    return any(
        selection.selects(rule.code) for rule in built_in_rules() if rule.subject in ("run_event", "run_end")
    )


_Key = TypeVar("_Key")

_QUEUED_PER_WORKER = 3
"""Chunks submitted per worker, so that none is idle."""


def check_chunks(
    chunks: Iterable[tuple[_Key, Chunk]], settings: CheckSettings, jobs: int
) -> Iterator[tuple[_Key, ChunkResult]]:
    """Check chunks and yield the results in the same order.

    Args:
        chunks: Chunks, each with a key of the caller that is returned with the result.
        settings: How to check.
        jobs: Number of worker processes. 1 checks in this process.

    Raises:
        CommandError: A worker process died.
    """
    if jobs == 1:
        checker = ChunkChecker(settings)
        for key, chunk in chunks:
            yield key, checker.check(chunk)
        return
    workers = [_Worker(settings) for _ in range(jobs)]
    idle: SimpleQueue[_Worker] = SimpleQueue()
    for worker in workers:
        idle.put(worker)
    pool = ThreadPoolExecutor(jobs)
    pending: deque[tuple[_Key, Future[ChunkResult]]] = deque()
    try:
        for key, chunk in chunks:
            pending.append((key, pool.submit(_check_in_worker, idle, chunk)))
            while len(pending) > jobs * _QUEUED_PER_WORKER or (pending and pending[0][1].done()):
                first, future = pending.popleft()
                yield first, future.result()
        for key, future in pending:
            yield key, future.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for worker in workers:
            worker.stop()
        pool.shutdown()


class _Worker:
    """A process that checks chunks.

    Each has its own connection, which ends with the process. A `ProcessPoolExecutor` shares a queue among its
    processes: if one dies while it sends a result, reading the rest of it never ends.
    """

    def __init__(self, settings: CheckSettings) -> None:
        # Spawn: forked processes would share locks, threads and connections with this one.
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=_work, args=(theirs, settings), daemon=True)
        self._process.start()
        theirs.close()

    def check(self, chunk: Chunk) -> ChunkResult:
        try:
            self._connection.send(chunk)
            result = self._connection.recv()
        except (EOFError, OSError):
            raise CommandError("a worker process died, probably out of memory; try --jobs 1") from None
        if isinstance(result, str):
            raise RuntimeError(f"in a worker process:\n{result}")
        assert isinstance(result, ChunkResult)
        return result

    def stop(self) -> None:
        self._process.terminate()
        self._process.join()


def _check_in_worker(idle: SimpleQueue[_Worker], chunk: Chunk) -> ChunkResult:
    worker = idle.get()
    try:
        return worker.check(chunk)
    finally:
        idle.put(worker)


def _work(connection: Connection, settings: CheckSettings) -> None:
    """Check chunks until the parent process stops this one or exits."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # The parent process handles the interrupt.
    checker = ChunkChecker(settings)
    with suppress(EOFError, OSError):
        while True:
            chunk = connection.recv()
            try:
                result: ChunkResult | str = checker.check(chunk)
            except Exception:
                result = traceback.format_exc()
            connection.send(result)
