"""Split an archive into valid lines, quarantined lines and folded state."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from os import PathLike
from uuid import uuid4

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sql

from openlineage_facets.spark.archives.event_columns import Paths, paths_of
from openlineage_facets.spark.archives.file_system import FileSystem, folder_path
from openlineage_facets.spark.archives.outcomes import (
    QUARANTINE,
    RECORDS,
    SUMMARY,
    VALID,
    LineCounts,
    line_outcomes,
    write_outcomes,
)
from openlineage_facets.spark.archives.record import unpacked_records
from openlineage_facets.spark.archives.tables.lineage_tables import LineageTables, records_of, tables_of
from openlineage_facets.spark.archives.tables.saved_state import save_packed_records
from openlineage_facets.spark.archives.tables.state_table import StateTable
from openlineage_facets.spark.archives.text_lines import file_origins, lines_of
from openlineage_facets.validation.backends.catalogue import Backends
from openlineage_facets.validation.event_validation import profiles_for


@dataclass(frozen=True)
class SplitArchive:
    """The line counts of a split archive."""

    lines: int
    """All lines: `valid + quarantined + blank`."""
    valid: int
    """Lines with a valid event."""
    quarantined: int
    """Lines with an invalid event."""
    blank: int
    """Empty lines."""
    errors: dict[str, int] = field(default_factory=dict)
    """The number of errors by code. Empty if no quarantine was written."""


def split_archive(
    spark: SparkSession,
    paths: Paths,
    *,
    valid: str | PathLike[str] | None = None,
    quarantine: str | PathLike[str] | None = None,
    state: str | PathLike[str] | None = None,
    into: LineageTables | None = None,
    state_table: StateTable | None = None,
    line_numbers: bool = False,
    null_is_absent: bool = False,
    compression: str = "none",
    backends: Backends = (),
) -> SplitArchive:
    r"""Validate every line of an archive and write valid and invalid lines to separate folders.

    Folders are written to a temporary folder next to the first of them and moved when everything is complete.
    If one cannot be moved, the others are removed, so either all or none exist unless the process is killed
    while it moves them. `valid` contains the unchanged lines; `quarantine` a JSON object per line with
    `file`, `line_number`, `line` (or `line_base64` if the line is not UTF-8) and `findings`; `state` the
    tables for `LineageTables.load`. Valid events are added to `state_table` before folders are moved: if that
    fails, repeat the call, which counts nothing twice.

    Args:
        spark: The session.
        paths: The paths to read, see `read_events`.
        valid: Folder for valid lines.
        quarantine: Folder for invalid lines. Blank lines are written to neither.
        state: Folder for the state folded from valid events.
        into: The tables of earlier events, to fold into `state`.
        state_table: The table of a catalog to fold the valid events into.
        line_numbers: Number all lines, see `read_events`.
        null_is_absent: Read fields that are null as absent, see `read_events`.
        compression: The compression of lines: "none", "gzip", "bzip2" or another codec of Spark's text files.
        backends: The backends that receive the events, as for `validate`: what they refuse is invalid.

    Raises:
        BackendError: A backend is unknown, or its profile is invalid. Nothing was read.
        FileExistsError: One of the folders exists. Nothing was read.
        NotADirectoryError: One of the folders would be inside a file. Nothing was read.
        ValueError: Two folders are equal, or one is inside another or inside `paths`. Nothing was read. Or a
            folder was passed with a Spark Connect session, which cannot move folders.
        FileNotFoundError: A path only has files that Spark ignores.
        OSError: A folder could not be moved.

    Example:
        >>> split_archive(spark, "lineage/", valid="valid/", quarantine="quarantine/")
        SplitArchive(lines=1000000, valid=990000, quarantined=10000, blank=0, errors={'OL001': 10000})
    """
    profiles = profiles_for(backends)
    targets = {"valid": valid, "quarantine": quarantine, "state": state}
    wanted = {name: folder_path(name, path) for name, path in targets.items() if path is not None}
    earlier = None if into is None else records_of(into)
    if state_table is not None:
        state_table.check()
    if wanted:
        _check_folders(FileSystem(spark), paths_of(paths), wanted)
    lines = lines_of(spark, paths_of(paths), count_lines=line_numbers)
    kept = {VALID, QUARANTINE} & wanted.keys()
    if "state" in wanted or state_table is not None:
        kept.add(RECORDS)
    outcomes = line_outcomes(lines, kept, file_origins, null_is_absent=null_is_absent, backends=profiles)
    if not wanted:
        counts = LineCounts.total(outcomes) if state_table is None else _added(outcomes, state_table)
        return _split(counts, errors=False)
    files = FileSystem(spark)
    unfinished = f"{next(iter(wanted.values()))}.unfinished-{uuid4().hex}"
    try:
        written = write_outcomes(outcomes, f"{unfinished}/lines", files, compression)
        counts, folders = written.counts, dict(written.folders)
        if state_table is not None:
            state_table.add(tables_of(written.records, None))
        if "state" in wanted:
            folders["state"] = f"{unfinished}/state"
            save_packed_records(written.packed, counts.record_bytes, folders["state"], earlier)
        _move_all(files, {folders[name]: path for name, path in wanted.items()})
    finally:
        files.remove(unfinished)
    return _split(counts, errors="quarantine" in wanted)


def _check_folders(files: FileSystem, read: Iterable[str], wanted: dict[str, str]) -> None:
    """Raise if a folder cannot be created, or overlaps another folder or the input."""
    for name, path in wanted.items():
        files.assert_new(path)
        for other, folder in wanted.items():
            if other != name and files.lies_in(path, folder):
                raise ValueError(f"{name}: {path} overlaps the folder of {other}; choose another folder")
        for pattern in read:
            if files.is_read_with(path, pattern):
                raise ValueError(
                    f"{name}: {path} is inside the input {pattern} and would be read as part of the archive; "
                    "choose another folder"
                )


def _move_all(files: FileSystem, targets: dict[str, str]) -> None:
    """Move folders to their targets, all or none."""
    moved = []
    try:
        for source, target in targets.items():
            files.move(source, target)
            moved.append(target)
    except BaseException:
        for target in moved:
            files.remove(target)
        raise


def _added(outcomes: DataFrame, state_table: StateTable) -> LineCounts:
    """Add the records to a table and return the counts of the same pass."""
    kept = outcomes.persist()
    try:
        state_table.add(tables_of(unpacked_records(kept.where(sql.col("outcome") == RECORDS)), None))
        return LineCounts.total(kept.where(sql.col("outcome") == SUMMARY))
    finally:
        kept.unpersist()


def _split(counts: LineCounts, *, errors: bool) -> SplitArchive:
    return SplitArchive(
        lines=counts.lines,
        valid=counts.valid,
        quarantined=counts.quarantined,
        blank=counts.blank,
        errors=counts.errors_by_code() if errors else {},
    )
