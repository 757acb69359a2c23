"""The lineage of the paths of a command: events, saved states, lock files and tables, with naming rules."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from openlineage_facets.base.display.short_values import counted
from openlineage_facets.base.errors.findings import EventError, Finding
from openlineage_facets.base.json.json_input import json_value
from openlineage_facets.cli.command_error import CommandError, InputError
from openlineage_facets.cli.command_naming import command_naming, renamed_lineage
from openlineage_facets.cli.config import read_config
from openlineage_facets.cli.file_events import (
    BEGINNING,
    beginning_of,
    command_sources,
    events_of,
    is_json_graph,
)
from openlineage_facets.cli.results.summary import location_text
from openlineage_facets.cli.spark_programs import reason_of, spark_session
from openlineage_facets.cli.workflow_commands import print_message, print_safely
from openlineage_facets.event_files.chunks import FileProblem, unreadable_file
from openlineage_facets.event_files.sources import Source
from openlineage_facets.review.lock import begins_like_lock, is_lock
from openlineage_facets.review.lock_reading import LockReader
from openlineage_facets.review.policies.unmatched import unknown_tag
from openlineage_facets.review.reviewed_lineage import joined
from openlineage_facets.review.tagged_columns import propagated
from openlineage_facets.state import Lineage, LineageState
from openlineage_facets.version import install_command


@dataclass(frozen=True)
class CommandLineage:
    """A graph.

    Args:
        lineage: The graph.
        skipped: The number of events and files that could not be read and are not in it.
    """

    lineage: Lineage
    skipped: int = 0

    def assert_not_empty(self, purpose: str) -> None:
        """Reject a graph of no events.

        Args:
            purpose: What the command does with events, such as "draw".

        Raises:
            CommandError: There are none.
            InputError: None could be read.
        """
        if not self.lineage.jobs and not self.lineage.datasets:
            kind = InputError if self.skipped else CommandError
            raise kind(f"expected events to {purpose}, found none")


def assert_complete(lineages: Iterable[CommandLineage], done: str) -> None:
    """Reject graphs from which something is missing, for results that would be wrong without it.

    Args:
        lineages: The graphs.
        done: What is not done with them, such as "compared".

    Raises:
        InputError: An event or a file could not be read.
    """
    skipped = sum(lineage.skipped for lineage in lineages)
    if skipped:
        count = "1 event or file" if skipped == 1 else f"{skipped:,} events or files"
        fix = "correct it or leave it out" if skipped == 1 else "correct them or leave them out"
        raise InputError(f"{count} could not be read, so nothing was {done}; {fix}")


def command_lineage(
    paths: Sequence[str],
    *,
    join_symlinks: bool,
    null_is_absent: bool,
    naming: str | None,
    by_job: bool = False,
    facets: frozenset[str] | None = None,
    propagate: Sequence[str] = (),
    each_rule: bool = False,
    locks: LockReader | None = None,
) -> CommandLineage:
    """Return the graph of event files, folders, saved states and lock files, or of one folder of tables.

    Args:
        paths: The paths.
        join_symlinks: Whether to combine datasets linked by symlinks facets.
        null_is_absent: Whether to read fields of events that are null as absent.
        naming: File with rules for the names of datasets; by default, that of the project.
        by_job: As for `LineageState.lineage`.
        facets: The keys of the facets that jobs and datasets of events need. Default: all.
        propagate: The tags that columns have of what they are computed from.
        each_rule: Whether to print which datasets each rule for names has made one, or only how many.
        locks: What has read lock files that this graph is compared with.

    Raises:
        CommandError: A path does not exist.
        InputError: A saved state, lock file or table cannot be read.
    """
    rules = command_naming(naming)
    if facets is not None and rules is not None and rules.main_name is not None:
        facets |= {"symlinks"}  # Which link the names of a table and of its path.
    skipped = 0
    if len(paths) == 1 and _is_saved_tables(paths[0]):
        lineage = _lineage_of_saved_tables(paths[0], join_symlinks=join_symlinks)
    else:
        fold = _Fold(null_is_absent=reads_null_as_absent(null_is_absent), reader=locks or LockReader())
        fold.add(command_sources(paths))
        lineage = fold.lineage(join_symlinks=join_symlinks, by_job=by_job, facets=facets)
        skipped = fold.skipped
    if by_job:
        _report_unfinished(lineage)
    if rules is not None:
        lineage = renamed_lineage(lineage, rules, each_rule=each_rule)
    return CommandLineage(propagated(lineage, propagate) if propagate else lineage, skipped)


def _report_unfinished(lineage: Lineage) -> None:
    """Print which jobs may read and write more than their last run has reported."""
    names = [
        f"{job.id.namespace}/{job.id.name} ({job.last_run.state or 'unknown state'})"
        for job in lineage.jobs
        if job.last_run and job.last_run.state != "COMPLETE"
    ]
    if names:
        more = "" if len(names) <= _MOST_NAMES else f" and {len(names) - _MOST_NAMES:,} more"
        named = f"{', '.join(names[:_MOST_NAMES])}{more}"
        jobs = counted(len(names), "job")
        print_message(f"the last run of {jobs} is not COMPLETE, so lineage may be missing: {named}")


_MOST_NAMES = 3

_SAVED_STATE = re.compile(rb'\s*\{\s*"(?:datasets|exactHistory|format|jobs|runs)"\s*:')
"""How `LineageState.to_dict` begins as JSON, also with sorted keys. Events have none of these keys."""

_MOST_MESSAGES = 10


class _Fold:
    """The state of all events, and the graphs of lock files.

    Args:
        null_is_absent: Whether to read fields of events that are null as absent.
        reader: Reads lock files.

    Attributes:
        skipped: The number of events and files that could not be folded.
    """

    def __init__(self, *, null_is_absent: bool, reader: LockReader) -> None:
        self._null_is_absent = null_is_absent
        self._reader = reader
        self._state = LineageState()
        self._locks: list[Lineage] = []
        self.skipped = 0

    def add(self, sources: Iterable[Source]) -> None:
        """Fold event files, saved states and lock files. Print what is skipped.

        Raises:
            InputError: A saved state or lock file cannot be used.
        """
        for source in sources:
            lock = lock_of(source, self._reader)
            if lock is not None:
                self._locks.append(lock)
            elif source.path is not None and _SAVED_STATE.match(beginning_of(source)):
                self._merge_saved_state(source.name, _content(source.path))
            else:
                self._add_events(source)
        if self.skipped > _MOST_MESSAGES:
            total = f"skipped {self.skipped:,} events or files in total"
            print(f"{total}; `validate` lists all problems", file=sys.stderr)

    def lineage(self, *, join_symlinks: bool, by_job: bool, facets: Container[str] | None) -> Lineage:
        """Return one graph. Facets of events replace those of lock files."""
        folded = self._state.lineage(join_symlinks=join_symlinks, by_job=by_job, facets=facets)
        has_events = bool(folded.jobs or folded.datasets)
        return joined([*self._locks, folded] if has_events else self._locks) if self._locks else folded

    def _add_events(self, source: Source) -> None:
        is_first = True
        for line, text in events_of(source):
            self._add_text(location_text(source.name, line), text, is_first)
            is_first = False
        if is_first:  # Lines may be none; but a job whose file was cut off would be missing without a word.
            print_safely(f"{source.name}: contains no events")

    def _add_text(self, location: str, text: bytes | FileProblem, is_first: bool) -> None:
        if isinstance(text, FileProblem):
            self._skip(location, text.finding)
            return
        # Files that are compressed, and those from a pipe, are recognized only here.
        lock = lock_in(text, location, self._reader)
        if lock is not None:
            self._locks.append(lock)
        elif is_first and _SAVED_STATE.match(text):
            self._merge_saved_state(location, text)
        else:
            try:
                self._state.apply(json_value(text), null_is_absent=self._null_is_absent)
            except EventError as error:
                self._skip(location, error.findings[0], text)

    def _merge_saved_state(self, name: str, text: bytes) -> None:
        if is_json_graph(text):
            raise InputError(
                f"{name}: expected events or a saved state, found a graph that `graph` has written; "
                "pass the events that it shows"
            )
        try:
            saved = LineageState.from_dict({**json.loads(text), "exactHistory": False})
        except (TypeError, ValueError, RecursionError) as error:
            reason = " ".join(str(error).split())
            raise InputError(
                f"{name}: expected the JSON of LineageState.to_dict(): {reason}; save it again"
            ) from None
        self._state.merge(saved)

    def _skip(self, location: str, finding: Finding, event: bytes | None = None) -> None:
        """Count an event or a file and print why it is skipped, for the first ones."""
        self.skipped += 1
        if self.skipped <= _MOST_MESSAGES:
            reason = finding if event is None else _precise(finding, event)
            print_safely(f"{location}: skipped: {reason}")


def _precise(finding: Finding, event: bytes) -> Finding:
    """Return the first error that `validate` reports at the location of a finding, or else the finding."""
    from openlineage_facets.validation.tolerant_parsing import read_event

    pointer = finding.pointer
    errors = (other for other in read_event(event, rules=False).findings if other.severity == "error")
    return next((error for error in errors if f"{error.pointer}/".startswith(f"{pointer}/")), finding)


def is_lock_file(source: Source) -> bool:
    """Return whether a file is a lock file."""
    return _lock_content(source) is not None


def lock_of(source: Source, reader: LockReader | None = None) -> Lineage | None:
    """Return the graph of a lock file, None if the file is not one.

    Raises:
        InputError: The file is a lock file and is invalid.
    """
    text = _lock_content(source)
    return None if text is None else _read_lock(source.name, text, reader)


def lock_in(text: bytes, name: str, reader: LockReader | None = None) -> Lineage | None:
    """Return the graph of a lock file, None if a text is not one.

    Raises:
        InputError: The text is a lock file and is invalid.
    """
    return _read_lock(name, text, reader) if _is_lock(text) else None


def _is_lock(text: bytes) -> bool:
    begins = begins_like_lock(text[:BEGINNING].decode("utf-8", "replace"))
    return begins and is_lock(text.decode("utf-8", "replace"))


def _lock_content(source: Source) -> bytes | None:
    if source.path is None or not begins_like_lock(beginning_of(source).decode("utf-8", "replace")):
        return None
    text = _content(source.path)
    return text if _is_lock(text) else None


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: {unreadable_file(error, path).finding}") from None


def _read_lock(name: str, text: bytes, reader: LockReader | None) -> Lineage:
    try:
        return (reader or LockReader()).read(text)
    except ValueError as error:
        raise InputError(f"{name}: {error}; `openlineage-facets lock` writes it again") from None


def _is_saved_tables(path: str) -> bool:
    """Return whether a folder contains the tables of a fold."""
    return all((Path(path) / table).is_dir() for table in ("records", "edges", "column_edges"))


def _lineage_of_saved_tables(path: str, *, join_symlinks: bool) -> Lineage:
    """Return the graph of saved tables. Starts Spark unless a session is active.

    Raises:
        CommandError: PySpark is missing.
        InputError: Spark cannot read the tables.
    """
    try:
        from py4j.protocol import Py4JError  # type: ignore[import-untyped,unused-ignore]
        from pyspark.errors import PySparkException

        from openlineage_facets.spark.archives.tables.lineage_tables import LineageTables
    except ModuleNotFoundError as error:
        extra = install_command("spark")
        raise CommandError(f"{path}: reading the tables of a fold needs {error.name}: {extra}") from None
    with spark_session("openlineage-facets graph") as spark:
        try:
            return LineageTables.load(spark, path).lineage(join_symlinks=join_symlinks)
        except (PySparkException, Py4JError) as error:
            raise InputError(f"{path}: expected the tables of a fold: {reason_of(error)}") from None


def reads_null_as_absent(option: bool) -> bool:
    """Return whether fields that are null count as absent: by the option or the settings of the project."""
    return option or read_config(Path.cwd()).null_is_absent


def report_unknown_tags(lineages: Sequence[CommandLineage], tags: Iterable[str]) -> None:
    """Print which tags to propagate no column has, such as one with a typing error."""
    for tag in tags:
        if problem := unknown_tag([one.lineage for one in lineages], tag):
            print_message(f"--propagate {problem}")
