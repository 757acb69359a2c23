"""Sifts an archive: what is good, what is not and why, and what the good adds up to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from os import PathLike, fspath
from typing import Any
from uuid import uuid4

from pyspark.sql import DataFrame, Observation, SparkSession
from pyspark.sql import functions as sql

from openlineage_facets.spark.events.folders import FileSystem
from openlineage_facets.spark.events.folding import LineageTables, fold_events, remembered_of
from openlineage_facets.spark.events.reading import Paths, paths_of, read_events

__all__ = ["Sifted", "sift_archive"]


@dataclass(frozen=True)
class Sifted:
    """How many lines came to what."""

    lines: int
    """All lines: as many as the other three together."""
    good: int
    """Lines that hold a valid event."""
    quarantined: int
    """Lines that do not."""
    blank: int
    """Lines that hold nothing."""
    errors: dict[str, int] = field(default_factory=dict)
    """How often each code of an error stands in the quarantine; empty where none was written."""


def sift_archive(
    spark: SparkSession,
    paths: Paths,
    *,
    good: str | PathLike[str] | None = None,
    quarantine: str | PathLike[str] | None = None,
    state: str | PathLike[str] | None = None,
    into: LineageTables | None = None,
    line_numbers: bool = False,
    compression: str = "none",
) -> Sifted:
    r"""Judge every line of an archive once, and write it to where it belongs.

    All that is asked for is written to a folder beside `good` (or the first that is given) and moved into
    its place when everything is done, so there is all of it or none. `good` holds the lines as they came,
    byte for byte; `quarantine` a JSON object a line, with `file`, `line_number`, `line` (or `line_base64`,
    where the line is no UTF-8) and `findings`; `state` the tables that `LineageTables.load` reads.

    Args:
        spark: The session.
        paths: As `read_events` takes them.
        good: Folder for the lines that hold a valid event.
        quarantine: Folder for the others; blank lines go to neither.
        state: Folder for what the good events add up to.
        into: What earlier events added up to, if `state` shall go on from there.
        line_numbers: As `read_events` takes it.
        compression: How to compress lines: "none", "gzip", "bzip2" or what else Spark writes text with.

    Raises:
        FileExistsError: One of the folders is there already; nothing was read.
        ValueError: Two folders are the same, one lies in another or in what is read; nothing was read. Or a
            folder is asked for in a session of Spark Connect, whose server alone reaches it.
        FileNotFoundError: A path leads to nothing but files that Spark passes over.

    Example:
        >>> sift_archive(spark, "lineage/", good="good/", quarantine="quarantine/")
        Sifted(lines=1000000, good=990000, quarantined=10000, blank=0, errors={'OL001': 10000})
    """
    targets = {"good": good, "quarantine": quarantine, "state": state}
    wanted = {name: _folder(name, path) for name, path in targets.items() if path is not None}
    if into is not None:
        remembered_of(into)
    if wanted:
        _expect_room(FileSystem(spark), paths_of(paths), wanted)
    observation = Observation()
    events = _counted(read_events(spark, paths, line_numbers=line_numbers), observation)
    if not wanted:
        events.write.format("noop").mode("overwrite").save()
        return Sifted(**observation.get)
    files = FileSystem(spark)
    unfinished = f"{next(iter(wanted.values()))}.unfinished-{uuid4().hex}"
    try:
        _write(events, unfinished, wanted, compression)
        written = {name: f"{unfinished}/lines/outcome={name}" for name in ("good", "quarantine")}
        written["state"] = f"{unfinished}/state"
        for name in ("good", "quarantine"):
            files.make(written[name])
        if "state" in wanted:
            fold_events(_text(spark, written["good"]), column="value", into=into).save(written["state"])
        errors = _errors(spark, written["quarantine"]) if "quarantine" in wanted else {}
        for name, path in wanted.items():
            files.move(written[name], path)
    finally:
        files.remove(unfinished)
    return Sifted(**observation.get, errors=errors)


def _folder(name: str, path: str | PathLike[str]) -> str:
    text = fspath(path)
    if not text.strip("/"):
        raise ValueError(f"{name}: expected the path of a folder to make, found {text!r}")
    return text.rstrip("/")


def _expect_room(files: FileSystem, read: Iterable[str], wanted: dict[str, str]) -> None:
    """Raise unless each folder can be made, and holds in the end what belongs there and no more."""
    for name, path in wanted.items():
        if files.exists(path):
            raise FileExistsError(f"{path}: expected nothing to be there yet; remove it or name another")
        for other, folder in wanted.items():
            if other != name and files.lies_in(path, folder):
                raise ValueError(f"{name}: expected a folder apart from that of {other}, found {path}")
        for pattern in read:
            if files.is_read_with(path, pattern):
                raise ValueError(
                    f"{name}: expected a folder outside of what is read, found {path}: the next who reads "
                    f"{pattern} would take it for a part of the archive"
                )


def _counted(events: DataFrame, observation: Observation) -> DataFrame:
    valid = sql.col("valid")
    return events.observe(
        observation,
        sql.count(sql.lit(1)).alias("lines"),
        sql.count(sql.when(valid, 1)).alias("good"),
        sql.count(sql.when(~valid, 1)).alias("quarantined"),
        sql.count(sql.when(valid.isNull(), 1)).alias("blank"),
    )


def _write(events: DataFrame, folder: str, wanted: dict[str, str], compression: str) -> None:
    """Write lines in one pass, those of each outcome into a folder of their own."""
    bad = sql.to_json(
        sql.struct(
            "file",
            "line_number",
            sql.when(sql.col("line_bytes").isNull(), sql.col("line")).alias("line"),
            sql.base64("line_bytes").alias("line_base64"),
            "findings",
        )
    )
    outcomes = [name for name in ("good", "quarantine") if name in wanted]
    if "state" in wanted and "good" not in wanted:
        outcomes.append("good")
    lines = events.select(
        sql.when(sql.col("valid"), sql.col("line")).otherwise(bad).alias("value"),
        sql.when(sql.col("valid"), "good").when(~sql.col("valid"), "quarantine").alias("outcome"),
    )
    with _writing_side_by_side(events.sparkSession):
        lines.where(sql.col("outcome").isin(outcomes)).write.partitionBy("outcome").option(
            "lineSep", "\n"
        ).text(f"{folder}/lines", compression=compression)


@contextmanager
def _writing_side_by_side(spark: SparkSession) -> Iterator[None]:
    """Let a task keep the files of both outcomes open, where Spark would sort all lines by outcome first."""
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
