"""Split an archive into valid lines, quarantined lines and folded state."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from os import PathLike, fspath
from typing import Any
from uuid import uuid4

from pyspark.sql import DataFrame, Observation, SparkSession
from pyspark.sql import functions as sql

from openlineage_facets.spark.archives.file_system import FileSystem
from openlineage_facets.spark.archives.fold import LineageTables, fold_events, records_of
from openlineage_facets.spark.archives.validated_events import Paths, paths_of, read_events

__all__ = ["SplitArchive", "split_archive"]


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
    line_numbers: bool = False,
    null_is_absent: bool = False,
    compression: str = "none",
) -> SplitArchive:
    r"""Validate every line of an archive and write valid and invalid lines to separate folders.

    Folders are written to a temporary folder next to the first of them and moved when everything is complete,
    so either all or none exist. `valid` contains the unchanged lines; `quarantine` a JSON object per line
    with `file`, `line_number`, `line` (or `line_base64` if the line is not UTF-8) and `findings`; `state` the
    tables for `LineageTables.load`.

    Args:
        spark: The session.
        paths: The paths to read, see `read_events`.
        valid: Folder for valid lines.
        quarantine: Folder for invalid lines. Blank lines are written to neither.
        state: Folder for the state folded from valid events.
        into: The tables of earlier events, to fold into `state`.
        line_numbers: Number all lines, see `read_events`.
        null_is_absent: Read fields that are null as absent, see `read_events`.
        compression: The compression of lines: "none", "gzip", "bzip2" or another codec of Spark's text files.

    Raises:
        FileExistsError: One of the folders exists. Nothing was read.
        ValueError: Two folders are equal, or one is inside another or inside `paths`. Nothing was read. Or a
            folder was passed with a Spark Connect session, which cannot move folders.
        FileNotFoundError: A path only has files that Spark ignores.

    Example:
        >>> split_archive(spark, "lineage/", valid="valid/", quarantine="quarantine/")
        SplitArchive(lines=1000000, valid=990000, quarantined=10000, blank=0, errors={'OL001': 10000})
    """
    targets = {"valid": valid, "quarantine": quarantine, "state": state}
    wanted = {name: _folder(name, path) for name, path in targets.items() if path is not None}
    if into is not None:
        records_of(into)
    if wanted:
        _check_folders(FileSystem(spark), paths_of(paths), wanted)
    observation = Observation()
    lines = read_events(spark, paths, line_numbers=line_numbers, null_is_absent=null_is_absent)
    events = _counted(lines, observation)
    if not wanted:
        events.write.format("noop").mode("overwrite").save()
        return SplitArchive(**observation.get)
    files = FileSystem(spark)
    unfinished = f"{next(iter(wanted.values()))}.unfinished-{uuid4().hex}"
    try:
        _write(events, unfinished, wanted, compression)
        written = {name: f"{unfinished}/lines/outcome={name}" for name in ("valid", "quarantine")}
        written["state"] = f"{unfinished}/state"
        for name in ("valid", "quarantine"):
            files.make(written[name])
        if "state" in wanted:
            valid_lines = _text(spark, written["valid"])
            folded = fold_events(valid_lines, column="value", into=into, null_is_absent=null_is_absent)
            folded.save(written["state"])
        errors = _errors(spark, written["quarantine"]) if "quarantine" in wanted else {}
        for name, path in wanted.items():
            files.move(written[name], path)
    finally:
        files.remove(unfinished)
    return SplitArchive(**observation.get, errors=errors)


def _folder(name: str, path: str | PathLike[str]) -> str:
    text = fspath(path)
    if not text.strip("/"):
        raise ValueError(f"{name}: expected the path of a new folder, found {text!r}")
    return text.rstrip("/")


def _check_folders(files: FileSystem, read: Iterable[str], wanted: dict[str, str]) -> None:
    """Raise if a folder exists or overlaps another folder or the input."""
    for name, path in wanted.items():
        if files.exists(path):
            raise FileExistsError(f"{path}: already exists; remove it or choose another folder")
        for other, folder in wanted.items():
            if other != name and files.lies_in(path, folder):
                raise ValueError(f"{name}: {path} overlaps the folder of {other}; choose another folder")
        for pattern in read:
            if files.is_read_with(path, pattern):
                raise ValueError(
                    f"{name}: {path} is inside the input {pattern} and would be read as part of the archive; "
                    "choose another folder"
                )


def _counted(events: DataFrame, observation: Observation) -> DataFrame:
    valid = sql.col("valid")
    return events.observe(
        observation,
        sql.count(sql.lit(1)).alias("lines"),
        sql.count(sql.when(valid, 1)).alias("valid"),
        sql.count(sql.when(~valid, 1)).alias("quarantined"),
        sql.count(sql.when(valid.isNull(), 1)).alias("blank"),
    )


def _write(events: DataFrame, folder: str, wanted: dict[str, str], compression: str) -> None:
    """Write all lines in one pass, partitioned by outcome."""
    quarantined = sql.to_json(
        sql.struct(
            "file",
            "line_number",
            sql.when(sql.col("line_bytes").isNull(), sql.col("line")).alias("line"),
            sql.base64("line_bytes").alias("line_base64"),
            "findings",
        )
    )
    outcomes = [name for name in ("valid", "quarantine") if name in wanted]
    if "state" in wanted and "valid" not in wanted:
        outcomes.append("valid")
    lines = events.select(
        sql.when(sql.col("valid"), sql.col("line")).otherwise(quarantined).alias("value"),
        sql.when(sql.col("valid"), "valid").when(~sql.col("valid"), "quarantine").alias("outcome"),
    )
    with _two_open_files(events.sparkSession):
        lines.where(sql.col("outcome").isin(outcomes)).write.partitionBy("outcome").option(
            "lineSep", "\n"
        ).text(f"{folder}/lines", compression=compression)


@contextmanager
def _two_open_files(spark: SparkSession) -> Iterator[None]:
    """Let tasks write both outcomes at the same time. By default, Spark sorts all lines by outcome."""
    name = "spark.sql.maxConcurrentOutputFileWriters"
    before = spark.conf.get(name)
    spark.conf.set(name, "2")
    try:
        yield
    finally:
        spark.conf.set(name, before or "0")


def _text(spark: SparkSession, folder: str) -> DataFrame:
    return spark.read.schema("value string").option("lineSep", "\n").text(folder)


def _errors(spark: SparkSession, folder: str) -> dict[str, int]:
    quarantined: Any = "findings array<struct<code string, severity string>>"
    findings = spark.read.schema(quarantined).json(folder).select(sql.explode("findings").alias("finding"))
    rows = findings.where("finding.severity = 'error'").groupBy("finding.code").count().collect()
    return {row["code"]: row["count"] for row in sorted(rows)}
