"""Validate lines and write what becomes of them: valid, quarantined, or records of a fold."""

from __future__ import annotations

import json
from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped,unused-ignore]
import pyarrow.compute as pc  # type: ignore[import-untyped,unused-ignore]
from pyspark.sql import DataFrame, SparkSession

from openlineage_facets.base.errors.findings import Finding
from openlineage_facets.spark.archives.arrow_functions import (
    ROWS_AT_ONCE,
    Batches,
    arrow_schema,
    is_spark_4_1,
    map_batches,
    paused_collection,
    record_batch,
    small_batches,
    texts,
)
from openlineage_facets.spark.archives.event_columns import ValidatedLine, errors_of
from openlineage_facets.spark.archives.file_system import FileSystem, without_globs
from openlineage_facets.spark.archives.folding import PartialFold
from openlineage_facets.spark.archives.record import packed_records, unpacked_records
from openlineage_facets.spark.archives.text_lines import OriginsOfBatch
from openlineage_facets.validation.backends.profile import Profile

VALID, QUARANTINE, RECORDS, SUMMARY = "valid", "quarantine", "records", "summary"
"""The outcomes: valid lines, quarantined lines, packed records of valid events, and counts of lines."""

QUARANTINE_FIELDS = ("line", "line_base64", "findings")
"""The fields of a quarantined line besides those of its origin."""

_SCHEMA = texts("outcome", "value")
_ARROW = arrow_schema(_SCHEMA)

_encode = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode


@dataclass(slots=True)
class LineCounts:
    """How many lines had which outcome, and how large the records of their events are."""

    valid: int = 0
    quarantined: int = 0
    blank: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    """The number of errors by code."""
    record_bytes: int = 0
    """Bytes of the records in memory."""

    @property
    def lines(self) -> int:
        """The number of all lines."""
        return self.valid + self.quarantined + self.blank

    def errors_by_code(self) -> dict[str, int]:
        """Return the number of errors, ordered by code."""
        return dict(sorted(self.errors.items()))

    def add(self, line: ValidatedLine) -> None:
        """Count a line."""
        if line.valid is None:
            self.blank += 1
        elif line.valid:
            self.valid += 1
        else:
            self.quarantined += 1
            self.errors.update(finding.code for finding in line.findings if finding.severity == "error")

    def to_json(self) -> str:
        """Return the counts as JSON."""
        return _encode([self.valid, self.quarantined, self.blank, self.errors, self.record_bytes])

    def add_json(self, text: str) -> None:
        """Add the counts written by `to_json`."""
        valid, quarantined, blank, errors, record_bytes = json.loads(text)
        self.valid += valid
        self.quarantined += quarantined
        self.blank += blank
        self.errors.update(errors)
        self.record_bytes += record_bytes

    @classmethod
    def total(cls, summaries: DataFrame) -> LineCounts:
        """Add up the texts in the column `value`."""
        counts = cls()
        for row in summaries.select("value").collect():
            counts.add_json(row.value)
        return counts


def line_outcomes(
    lines: DataFrame,
    wanted: Collection[str],
    origins: Callable[[], OriginsOfBatch],
    *,
    null_is_absent: bool,
    backends: Sequence[Profile] = (),
) -> DataFrame:
    """Return rows with an outcome and a text: the lines in `wanted`, records, and a summary for each task.

    In one pass, because reading and parsing the lines again for the state takes longer than folding them.

    Args:
        lines: A table with the binary column `line` and the columns that `origins` needs.
        wanted: The outcomes to return, besides the summary.
        origins: Returns for each task where its lines come from.
        null_is_absent: Read fields that are null as absent.
        backends: The profiles of backends: what they refuse is invalid.
    """
    check = partial(errors_of, null_is_absent=null_is_absent, backends=backends)
    function = partial(_outcomes, wanted=wanted, origins=origins, check=check)
    return map_batches(lines, function, _SCHEMA)


def _outcomes(
    batches: Batches,
    *,
    wanted: Collection[str],
    origins: Callable[[], OriginsOfBatch],
    check: Callable[[bytes], ValidatedLine],
) -> Batches:
    origins_of, counts, folded = origins(), LineCounts(), PartialFold()
    for batch in small_batches(batches):
        lines = batch.column("line").to_pylist()
        origin_of = origins_of(batch)
        valid = []
        quarantined = []
        with paused_collection():
            for row, line in enumerate(lines):
                it = check(line)
                counts.add(it)
                valid.append(it.valid is True)
                if it.valid and RECORDS in wanted:
                    folded.add(it.value, len(line))
                if it.valid is False and QUARANTINE in wanted:
                    quarantined.append(_quarantined(origin_of(row), line, it.findings))
        if VALID in wanted:
            # The text in Spark's memory, without a Python object for each line.
            text = batch.column("line").filter(pa.array(valid)).cast(pa.string())
            yield _rows(VALID, _in_one_line(text))
        if quarantined:
            yield _texts(QUARANTINE, quarantined)
        if folded.is_full():
            yield from _records(folded, counts)
    yield from _records(folded, counts)
    yield _texts(SUMMARY, [counts.to_json()])


def _in_one_line(texts: pa.Array) -> pa.Array:
    """Replace line feeds, which in events of tables are white space between the tokens of the JSON."""
    content = texts.buffers()[2]
    if content is None or b"\n" not in content.to_pybytes():  # Finding none takes a tenth of replacing none.
        return texts
    return pc.replace_substring(texts, "\n", " ")  # pyright: ignore[reportAttributeAccessIssue]


def _quarantined(row: dict[str, Any], line: bytes, findings: list[Finding]) -> str:
    try:
        row["line"] = line.decode()
    except UnicodeDecodeError:
        row["line_base64"] = b64encode(line).decode()
    return _encode({**row, "findings": [finding.to_dict() for finding in findings]})


def _records(folded: PartialFold, counts: LineCounts) -> Iterator[pa.RecordBatch]:
    for packed in packed_records(folded.take()):
        counts.record_bytes += packed.size
        yield _texts(RECORDS, [packed.text])


def _texts(outcome: str, values: list[str]) -> pa.RecordBatch:
    return record_batch(_ARROW, [[outcome] * len(values), values])


def _rows(outcome: str, values: pa.Array) -> pa.RecordBatch:
    return pa.RecordBatch.from_arrays([pa.array([outcome] * len(values), pa.string()), values], schema=_ARROW)


@dataclass(frozen=True)
class WrittenOutcomes:
    """The files that `write_outcomes` has written.

    Args:
        spark: The session.
        folders: The folder of each outcome. All exist.
    """

    spark: SparkSession
    folders: dict[str, str]

    @property
    def packed(self) -> DataFrame:
        """The packed records, in the column `value`."""
        return text_in(self.spark, self.folders[RECORDS])

    @property
    def records(self) -> DataFrame:
        """The records of valid events."""
        return unpacked_records(self.packed)

    @cached_property
    def counts(self) -> LineCounts:
        """The counts of all lines."""
        return LineCounts.total(text_in(self.spark, self.folders[SUMMARY]))


def write_outcomes(outcomes: DataFrame, folder: str, files: FileSystem, compression: str) -> WrittenOutcomes:
    """Write the rows of `line_outcomes` in one pass.

    Args:
        outcomes: The rows.
        folder: New folder.
        files: The file systems of the session.
        compression: A codec of Spark's text files, or "none".
    """
    with settings_of_writing(outcomes.sparkSession):
        outcomes.write.partitionBy("outcome").option("lineSep", "\n").text(folder, compression=compression)
    folders = {name: f"{folder}/outcome={name}" for name in (VALID, QUARANTINE, RECORDS, SUMMARY)}
    for path in folders.values():
        files.make(path)
    return WrittenOutcomes(outcomes.sparkSession, folders)


@contextmanager
def settings_of_writing(spark: SparkSession) -> Iterator[None]:
    """Let tasks write all outcomes at the same time, and read few lines at once.

    By default, Spark sorts all lines by outcome. Before 4.1, it reads 10,000 lines at once, however long.
    """
    wanted = {_FILES: 4} if is_spark_4_1(spark) else {_FILES: 4, _ROWS: ROWS_AT_ONCE}
    before = {name: spark.conf.get(name) or "0" for name in wanted}
    # Another thread may have changed a setting, and changes it back.
    changed = [name for name, value in before.items() if int(value) != wanted[name]]
    for name in changed:
        spark.conf.set(name, str(wanted[name]))
    try:
        yield
    finally:
        for name in changed:
            spark.conf.set(name, before[name])


_FILES = "spark.sql.maxConcurrentOutputFileWriters"
_ROWS = "spark.sql.execution.arrow.maxRecordsPerBatch"


def text_in(spark: SparkSession, *folders: str) -> DataFrame:
    """Return the lines of an outcome in the column `value`."""
    paths = [without_globs(folder) for folder in folders]
    return spark.read.schema("value string").option("lineSep", "\n").text(paths)
