"""Validate lines of archives, and read the columns of validated events."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from os import PathLike, fspath
from typing import Any, NamedTuple, TypeAlias

import pyarrow as pa  # type: ignore[import-untyped,unused-ignore]
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import (
    ArrayType,
    BinaryType,
    BooleanType,
    LongType,
    StringType,
    StructField,
    StructType,
    TimestampType,
)

from openlineage_facets.base.errors.findings import Finding
from openlineage_facets.event_files.chunks import MAX_BYTES, TOO_LONG
from openlineage_facets.event_kind import kind_of
from openlineage_facets.spark.archives.arrow_functions import (
    Batches,
    arrow_schema,
    map_batches,
    record_batch,
    small_batches,
    texts,
)
from openlineage_facets.spark.archives.text_lines import LineNumbers, lines_of
from openlineage_facets.state.event_parts import normalized_run_id
from openlineage_facets.state.instants import instant_of
from openlineage_facets.validation.backends.profile import Profile
from openlineage_facets.validation.event_validation import validate_document
from openlineage_facets.validation.ruleset import installed_rules


class ValidatedLine(NamedTuple):
    """A line with its findings."""

    valid: bool | None
    """None for blank lines."""
    findings: list[Finding]
    value: Any = None
    """Its JSON value, without nulls if they are read as absent; the line itself or None if it has none."""


def validated_line(
    line: bytes | str, *, null_is_absent: bool, backends: Sequence[Profile] = ()
) -> ValidatedLine:
    """Validate a line.

    Args:
        line: JSON text. Blank lines are neither valid nor invalid.
        null_is_absent: Read fields that are null as absent.
        backends: The profiles of backends: what they refuse is invalid.
    """
    text = line.encode(errors="surrogatepass") if isinstance(line, str) else line
    if len(text) > MAX_BYTES:
        return ValidatedLine(valid=False, findings=[TOO_LONG])
    if not text.strip():
        return ValidatedLine(valid=None, findings=[])
    result = validate_document(text, null_is_absent=null_is_absent, backends=backends)
    valid = all(finding.severity != "error" for finding in result.findings)
    return ValidatedLine(valid, result.findings, result.raw)


def errors_of(line: bytes, *, null_is_absent: bool, backends: Sequence[Profile] = ()) -> ValidatedLine:
    """Validate a line, but leave out the warnings of a valid one, which take half of the time.

    Args:
        line: JSON text, as for `validated_line`.
        null_is_absent: Read fields that are null as absent.
        backends: The profiles of backends, as for `validated_line`.
    """
    if not _rules_report_errors() and len(line) <= MAX_BYTES and line.strip():
        result = validate_document(line, rules=False, null_is_absent=null_is_absent, backends=backends)
        if not result.findings:
            return ValidatedLine(valid=True, findings=[], value=result.raw)
    return validated_line(line, null_is_absent=null_is_absent, backends=backends)


@lru_cache(maxsize=1)
def _rules_report_errors() -> bool:
    """Return whether a rule of another package can make an event invalid."""
    return any(rule.severity == "error" for rule in installed_rules())


_NAMED = texts("namespace", "name")
_FINDING = texts("code", "severity", "pointer", "message", "expected", "found", "hint")

EVENT_COLUMNS = StructType(
    [
        StructField("kind", StringType()),
        StructField("event_type", StringType()),
        StructField("event_time", StringType()),
        StructField("event_timestamp", TimestampType()),
        StructField("run_id", StringType()),
        StructField("job", _NAMED),
        StructField("dataset", _NAMED),
        StructField("inputs", ArrayType(_NAMED)),
        StructField("outputs", ArrayType(_NAMED)),
        StructField("valid", BooleanType()),
        StructField("findings", ArrayType(_FINDING)),
    ]
)
"""The columns as Spark schema."""


ARROW_COLUMNS = arrow_schema(EVENT_COLUMNS)
"""The columns as Arrow schema."""

_BLANK: tuple[Any, ...] = (*[None] * 10, [])


def assert_text_column(frame: DataFrame, column: str) -> None:
    """Raise `ValueError` unless the table has a string or binary column with this name."""
    if column not in frame.columns:
        raise ValueError(f"the table has no column {column!r}; it has {frame.columns}")
    if not isinstance(frame.schema[column].dataType, (StringType, BinaryType)):
        kind = frame.schema[column].dataType.simpleString()
        raise ValueError(f"expected a string or binary column, found {column!r} of type {kind}")


def columns_of(lines: list[bytes | str | None], *, null_is_absent: bool = False) -> list[list[Any]]:
    """Validate events and return the column values, one list per column.

    Args:
        lines: JSON text. Blank lines and None are neither valid nor invalid.
        null_is_absent: Read fields that are null as absent.
    """
    rows = [_BLANK if line is None else _row(line, null_is_absent) for line in lines]
    return [list(column) for column in zip(*rows, strict=True)] or [[] for _ in EVENT_COLUMNS]


def _row(line: bytes | str, null_is_absent: bool) -> tuple[Any, ...]:
    valid, findings, value = validated_line(line, null_is_absent=null_is_absent)
    if valid is None:
        return _BLANK
    event = value if isinstance(value, dict) else {}
    kind = kind_of(event)
    time = _text(event, "eventTime")
    run_id = _text(event.get("run"), "runId")
    is_dataset_event = kind == "dataset"
    return (
        kind,
        _text(event, "eventType"),
        time,
        _microseconds(time),
        run_id and normalized_run_id(run_id),
        None if is_dataset_event else _named(event.get("job")),
        _named(event.get("dataset")) if is_dataset_event else None,
        _all_named(event.get("inputs")),
        _all_named(event.get("outputs")),
        valid,
        [finding.to_dict() for finding in findings],
    )


def _text(entity: Any, name: str) -> str | None:
    value = entity.get(name) if isinstance(entity, dict) else None
    return value if isinstance(value, str) else None


def _microseconds(time: str | None) -> int | None:
    if time is None:
        return None
    try:
        seconds, fraction = instant_of(time)
    except (ValueError, OverflowError):
        return None
    if not _FIRST <= seconds <= _LAST:
        return None
    return seconds * 1_000_000 + int(fraction[:6].ljust(6, "0"))


_FIRST, _LAST = -62_135_596_800, 253_402_300_799
"""The years 1 to 9999 in UTC, in seconds since 1970. With an offset, times may be outside."""


def _named(entity: Any) -> dict[str, str | None] | None:
    named = {"namespace": _text(entity, "namespace"), "name": _text(entity, "name")}
    return named if any(value is not None for value in named.values()) else None


def _all_named(entities: Any) -> list[dict[str, str | None]]:
    found: Iterator[Any] = map(_named, entities if isinstance(entities, list) else ())
    return [named for named in found if named is not None]


Paths: TypeAlias = str | PathLike[str] | Sequence[str | PathLike[str]]
"""One or several paths."""

_LINE_COLUMNS = StructType(
    [
        StructField("file", StringType()),
        StructField("line_number", LongType()),
        StructField("line", StringType()),
        StructField("line_bytes", BinaryType()),
    ]
)
_EVENT_LINES = StructType([*_LINE_COLUMNS.fields, *EVENT_COLUMNS.fields])
_ARROW_EVENT_LINES = arrow_schema(_EVENT_LINES)


def read_events(
    spark: SparkSession, paths: Paths, *, line_numbers: bool = False, null_is_absent: bool = False
) -> DataFrame:
    """Read files with one event per line and validate each line.

    Returns one row per line, valid or not; errors are in `findings`. `docs/archives.md` lists the columns.

    Args:
        spark: The session.
        paths: Files, folders (recursively) or globs. Compressed files are recognised by their extension
            (`.gz`, `.bz2`, `.zst`, ...). As everywhere in Spark, names that begin with `_` or `.` are
            ignored.
        line_numbers: Number all lines of large uncompressed files, which Spark reads in several pieces, with
            another pass over the text. By default, `line_number` is null in all pieces but the first.
        null_is_absent: Read fields that are null as absent, in objects of any depth. For exports of backends
            that write null for absent fields, such as Marquez. Lines are returned unchanged.

    Raises:
        FileNotFoundError: A path only has files that Spark ignores.
        AnalysisException: A path does not exist.

    Example:
        >>> events = read_events(spark, "s3a://lake/lineage/2026/")
        >>> events.where("not valid").select("file", "line_number", "findings.message").show()
    """
    lines = lines_of(spark, paths_of(paths), count_lines=line_numbers)
    return map_batches(lines, partial(_read, null_is_absent=null_is_absent), _EVENT_LINES)


def paths_of(paths: Paths) -> list[str]:
    """Return one or several paths as a list of strings."""
    return [fspath(path) for path in ([paths] if isinstance(paths, (str, PathLike)) else paths)]


def validate_events(frame: DataFrame, column: str, *, null_is_absent: bool = False) -> DataFrame:
    """Validate the events in a column of a table, such as a Kafka topic or a Delta table.

    The columns of validated events are added after the existing columns.

    Args:
        frame: The table. It may be a stream.
        column: The string or binary column with one event per row. Null and blank text are ignored.
        null_is_absent: Read fields that are null as absent, as for `read_events`.

    Raises:
        ValueError: The string or binary column does not exist, or the table has a column with an added name.

    Example:
        >>> records = spark.readStream.format("kafka").option("subscribe", "lineage").load()
        >>> events = validate_events(records, "value")
    """
    assert_text_column(frame, column)
    names = {name.lower() for name in frame.columns}  # Spark column names are case-insensitive.
    taken = [name for name in EVENT_COLUMNS.names if name in names]
    if taken:
        raise ValueError(f"the table already has the added columns {taken}; rename them first")
    index = frame.columns.index(column)

    def check(batches: Batches) -> Batches:
        for batch in small_batches(batches):
            texts = batch.column(index).to_pylist()
            added = record_batch(ARROW_COLUMNS, columns_of(texts, null_is_absent=null_is_absent))
            fields = [*batch.schema, *ARROW_COLUMNS]
            yield pa.RecordBatch.from_arrays([*batch.columns, *added.columns], schema=pa.schema(fields))

    return map_batches(frame, check, StructType([*frame.schema.fields, *EVENT_COLUMNS.fields]))


def _read(batches: Batches, *, null_is_absent: bool) -> Batches:
    numbers = LineNumbers()
    for batch in small_batches(batches):
        file, lines = (batch.column(name).to_pylist() for name in ("file", "line"))
        texts, exact = zip(*map(_text_column, lines), strict=True)
        event_columns = columns_of(lines, null_is_absent=null_is_absent)
        yield record_batch(
            _ARROW_EVENT_LINES, [file, list(numbers.of(batch)), list(texts), list(exact), *event_columns]
        )


def _text_column(line: bytes) -> tuple[str, bytes | None]:
    """Return a line as text, and its bytes if it is not valid UTF-8."""
    try:
        return line.decode(), None
    except UnicodeDecodeError:
        return line.decode(errors="replace"), line
