"""Validate a line of an archive, and the columns of validated events."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from pyspark.sql import DataFrame
from pyspark.sql.types import (
    ArrayType,
    BinaryType,
    BooleanType,
    StringType,
    StructField,
    StructType,
    TimestampType,
)

from openlineage_facets.base.errors.findings import Finding
from openlineage_facets.event_files.bounded_lines import MAX_BYTES, TOO_LONG
from openlineage_facets.event_kind import kind_of
from openlineage_facets.spark.archives.arrow_functions import arrow_schema, texts
from openlineage_facets.state.event_parts import normalized_run_id
from openlineage_facets.state.instants import instant_of
from openlineage_facets.validation.event_validation import validate_document
from openlineage_facets.validation.ruleset import installed_rules

if TYPE_CHECKING:
    from openlineage_facets.validation.backends.profile import Profile


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
    if len(line) > MAX_BYTES:
        return ValidatedLine(valid=False, findings=[TOO_LONG])
    if not line.strip():
        return ValidatedLine(valid=None, findings=[])
    result = validate_document(line, null_is_absent=null_is_absent, backends=backends)
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
