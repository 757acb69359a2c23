"""Fold event files and saved states into one state, and read lock files and saved tables."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Container, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from openlineage_facets.base.display.printable import printable
from openlineage_facets.base.errors.findings import EventError, describe
from openlineage_facets.base.json.json_input import json_value
from openlineage_facets.cli.command_error import CommandError, InputError
from openlineage_facets.cli.file_events import beginning_of, command_sources, events_of, location_of
from openlineage_facets.cli.spark_programs import reason_of, use_this_python_for_workers
from openlineage_facets.cli.workflow_commands import escape_commands
from openlineage_facets.event_files.chunks import FileProblem, unreadable_file
from openlineage_facets.event_files.sources import Source
from openlineage_facets.review.lock import is_lock
from openlineage_facets.review.lock_reading import read_lock
from openlineage_facets.review.reviewed import joined
from openlineage_facets.state import Lineage, LineageState
from openlineage_facets.version import install_command

_SAVED_STATE = re.compile(rb'\s*\{\s*"(?:datasets|exactHistory|format|jobs|runs)"\s*:')
"""How `LineageState.to_dict` begins as JSON, also with sorted keys. Events have none of these keys."""

_MOST_MESSAGES = 10


@dataclass(slots=True)
class FoldedState:
    """The state of all events, and the graphs of lock files.

    Args:
        state: The state.
        locks: The graphs of lock files.
        skipped: The number of events and files that could not be folded.
    """

    state: LineageState = field(default_factory=LineageState)
    locks: list[Lineage] = field(default_factory=list)
    skipped: int = 0

    def lineage(
        self, *, join_symlinks: bool, by_job: bool = False, facets: Container[str] | None = None
    ) -> Lineage:
        """Return one graph. Facets of events replace those of lock files."""
        folded = self.state.lineage(join_symlinks=join_symlinks, by_job=by_job, facets=facets)
        has_events = bool(folded.jobs or folded.datasets)
        return joined([*self.locks, folded] if has_events else self.locks) if self.locks else folded

    def skip(self, location: str, reason: str) -> None:
        """Count an event or a file and print why it is skipped, for the first ones."""
        self.skipped += 1
        if self.skipped <= _MOST_MESSAGES:
            print(escape_commands(printable(f"{location}: skipped: {reason}")), file=sys.stderr)


def folded_state(paths: Iterable[str], *, null_is_absent: bool = False) -> FoldedState:
    """Return the state of event files, folders, saved states and lock files. Print what is skipped.

    Args:
        paths: As in `command_sources`. A file with the JSON of `LineageState.to_dict` is merged.
        null_is_absent: Whether to read fields of events that are null as absent.

    Raises:
        CommandError: A path does not exist.
        InputError: A saved state or lock file cannot be used.
    """
    folded = FoldedState()
    for source in command_sources(paths):
        lock = lock_of(source)
        if lock is not None:
            folded.locks.append(lock)
        elif source.path is not None and _SAVED_STATE.match(beginning_of(source)):
            _merge_saved_state(folded.state, source.path)
        else:
            _apply_events(folded, source, null_is_absent)
    if folded.skipped > _MOST_MESSAGES:
        print(
            f"skipped {folded.skipped:,} events or files in total; `validate` lists all problems",
            file=sys.stderr,
        )
    return folded


def _apply_events(folded: FoldedState, source: Source, null_is_absent: bool) -> None:
    is_empty = True
    for line, text in events_of(source):
        is_empty = False
        location = location_of(source, line)
        if isinstance(text, FileProblem):
            folded.skip(location, str(text.finding))
            continue
        event = json_value(text)
        if not isinstance(event, dict):
            found = "text that is not valid JSON" if event is None else describe(event)
            folded.skip(location, f"expected an event, found {found}")
            continue
        try:
            folded.state.apply(event, null_is_absent=null_is_absent)
        except EventError as error:
            folded.skip(location, str(error.findings[0]))
    if is_empty:  # Lines may be none; but a job whose file was cut off would be missing without a word.
        print(escape_commands(printable(f"{source.name}: contains no events")), file=sys.stderr)


def lock_of(source: Source) -> Lineage | None:
    """Return the graph of a lock file, None if the file is not one.

    Raises:
        InputError: The file begins like a lock file and is invalid.
    """
    if source.path is None or not is_lock(beginning_of(source).decode("utf-8", "replace")):
        return None
    try:
        return read_lock(source.path.read_bytes())
    except OSError as error:
        raise InputError(f"{source.name}: {unreadable_file(error, source.path).finding}") from None
    except ValueError as error:
        raise InputError(f"{source.name}: {error}; `openlineage-facets lock` writes it again") from None


def _merge_saved_state(state: LineageState, path: Path) -> None:
    try:
        plain = json.loads(path.read_bytes())
        saved = LineageState.from_dict({**plain, "exactHistory": False})
    except OSError as error:
        raise InputError(f"{path}: {unreadable_file(error, path).finding}") from None
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        raise InputError(
            f"{path}: expected the JSON of LineageState.to_dict(): {reason}; save it again"
        ) from None
    state.merge(saved)


def is_saved_tables(path: str) -> bool:
    """Return whether a folder contains the tables of a fold."""
    return all((Path(path) / table).is_dir() for table in ("records", "edges", "column_edges"))


def lineage_of_saved_tables(path: str, *, join_symlinks: bool) -> Lineage:
    """Return the graph of saved tables. Starts Spark unless a session is active.

    Raises:
        CommandError: PySpark is missing.
        InputError: Spark cannot read the tables.
    """
    try:
        from py4j.protocol import Py4JError  # type: ignore[import-untyped,unused-ignore]
        from pyspark.errors import PySparkException
        from pyspark.sql import SparkSession

        from openlineage_facets.spark.archives.tables.lineage_tables import LineageTables
        from openlineage_facets.spark.jvm.session import has_jvm
    except ModuleNotFoundError as error:
        extra = install_command("spark")
        raise CommandError(f"{path}: reading the tables of a fold needs {error.name}: {extra}") from None
    running = SparkSession.getActiveSession()
    use_this_python_for_workers(None)
    spark = SparkSession.builder.appName("openlineage-facets graph").getOrCreate()
    if running is None and has_jvm(spark):
        spark.sparkContext.setLogLevel("OFF")
    try:
        return LineageTables.load(spark, path).lineage(join_symlinks=join_symlinks)
    except (PySparkException, Py4JError) as error:
        raise InputError(f"{path}: expected the tables of a fold: {reason_of(error)}") from None
    finally:
        if running is None:
            spark.stop()
