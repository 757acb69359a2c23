"""Assertions about events and their lineage, and the wire format of the events that tests pass."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from openlineage_facets.base.errors.findings import Finding, is_client_object
from openlineage_facets.base.model.model import Model
from openlineage_facets.validation import validate


def wire_form(event: Any) -> str | bytes | bytearray | Mapping[str, Any]:
    """Return an event as JSON text or as a JSON object.

    Args:
        event: An event of this package or of openlineage-python, JSON text, or a JSON object.

    Raises:
        TypeError: `event` has another type.
    """
    if isinstance(event, (str, bytes, bytearray, Mapping)):
        return event
    if isinstance(event, Model):
        return event.to_json()
    if is_client_object(event):
        from openlineage.client.serde import Serde

        return Serde.to_json(event)
    raise TypeError(f"expected an event, JSON text or a dict, found {type(event).__name__}")


def assert_valid(event: Any, *, ignore: Collection[str] = (), warnings: bool = False) -> None:
    """Assert that an event is valid.

    Args:
        event: An event of this package or of openlineage-python, JSON text, or a JSON object as returned by
            `json.loads`.
        ignore: Codes of findings to ignore, such as `{"OL016"}`.
        warnings: Whether to treat warnings as errors, like `--strict` on the command line.

    Raises:
        AssertionError: The event is invalid. The message has one line per finding.
        TypeError: `event` has another type.

    Example:
        >>> assert_valid(event, ignore={"OL016"})
    """
    __tracebackhide__ = True
    failing = failing_findings(validate(wire_form(event), rules=warnings), ignore=ignore, warnings=warnings)
    if failing:
        raise AssertionError("\n".join(["invalid event:", *finding_lines(failing)]))


def failing_findings(
    findings: Iterable[Finding], *, ignore: Collection[str], warnings: bool
) -> list[Finding]:
    """Return the findings that fail an assertion."""
    if isinstance(ignore, str):
        raise TypeError(f"ignore: expected a collection of codes, found the string {ignore!r}")
    return [
        finding
        for finding in findings
        if finding.code not in ignore and (warnings or finding.severity == "error")
    ]


def finding_lines(findings: Iterable[Finding]) -> list[str]:
    """Return one line per finding: code, severity, location, cause and fix."""
    return [f"{finding.code} {finding.severity} {finding}" for finding in findings]


DatasetName: TypeAlias = str | tuple[str, str]
"""A dataset: its name, the end of its name after a slash or a dot, or namespace and name."""

ColumnName: TypeAlias = str
"""A column: a dataset name, a dot and the column."""


class _Dataset(NamedTuple):
    namespace: str
    name: str

    def __str__(self) -> str:
        return f"{self.namespace} {self.name}"


class _Column(NamedTuple):
    dataset: _Dataset
    field: str

    def __str__(self) -> str:
        return f"{self.dataset.name}.{self.field}"


def lineage_differences(
    events: Iterable[Any],
    *,
    inputs: Iterable[DatasetName] | None = None,
    outputs: Iterable[DatasetName] | None = None,
    columns: Mapping[ColumnName, Iterable[ColumnName]] | None,
) -> Iterator[str]:
    """Yield one line per difference between the lineage in events and the expected one.

    Args:
        events: JSON objects of events. Other values are ignored.
        inputs: All input datasets, None if any are accepted.
        outputs: All output datasets, None if any are accepted.
        columns: The source columns from which these columns get their values. Other columns, and columns that
            only decide which rows are written (filters, joins), are ignored.
    """
    entities = list(_entities(events))
    for role, expected in (("input", inputs), ("output", outputs)):
        if expected is not None:
            datasets = {_dataset(value): None for kind, value in entities if kind == role}
            yield from _set_differences(f"{role}s", list(expected), list(datasets), _names_dataset)
    if columns:
        sources = _column_sources(value for kind, value in entities if kind == "output")
        for column, expected_sources in columns.items():
            matching = [source for source in sources if _names_column(column, source)]
            if not matching:
                known = ", ".join(map(str, sources)) or "no column lineage"
                yield f"column {column}: expected column lineage, found {known}"
                continue
            actual = list(dict.fromkeys(source for column in matching for source in sources[column]))
            yield from _set_differences(f"column {column}", list(expected_sources), actual, _names_column)


def _set_differences(label: str, expected: list[Any], actual: list[Any], names: Any) -> Iterator[str]:
    missing = [name for name in expected if not any(names(name, source) for source in actual)]
    unexpected = [source for source in actual if not any(names(name, source) for name in expected)]
    if missing:
        found = ", ".join(map(str, actual)) or "none"
        with_namespace = [source for source in actual if str(source).replace(" ", "/", 1) in missing]
        fix = f"; to name the namespace, pass {tuple(with_namespace[0])}" if with_namespace else ""
        yield f"{label}: missing {', '.join(map(_shown, missing))}; found {found}{fix}"
    if unexpected:
        yield f"{label}: unexpected {', '.join(map(str, unexpected))}"


def _shown(expected: DatasetName) -> str:
    return expected if isinstance(expected, str) else " ".join(expected)


def _names_dataset(expected: DatasetName, dataset: _Dataset) -> bool:
    if not isinstance(expected, str):
        return tuple(expected) == dataset
    return _is_end(expected, dataset.name)


def _names_column(expected: ColumnName, column: _Column) -> bool:
    return _is_end(expected, f"{column.dataset.name}.{column.field}")


def _is_end(expected: str, name: str) -> bool:
    """Return whether a name is the expected one, or ends with it after a slash or a dot."""
    return name == expected or (
        bool(expected) and name.endswith(expected) and name[-len(expected) - 1] in "/."
    )


def _entities(events: Iterable[Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for event in events:
        if isinstance(event, dict):
            for kind in ("input", "output"):
                for value in _values(event.get(f"{kind}s")):
                    if isinstance(value, dict):
                        yield kind, value


def _column_sources(outputs: Iterable[dict[str, Any]]) -> dict[_Column, list[_Column]]:
    """Return the direct sources of each column; a later event replaces the lineage of an earlier one."""
    sources: dict[_Column, list[_Column]] = {}
    for output in outputs:
        facets = output.get("facets")
        facet = facets.get("columnLineage") if isinstance(facets, dict) else None
        fields = facet.get("fields") if isinstance(facet, dict) else None
        for column, lineage in fields.items() if isinstance(fields, dict) else ():
            inputs = _values(lineage.get("inputFields")) if isinstance(lineage, dict) else []
            sources[_Column(_dataset(output), column)] = [
                _Column(_dataset(source), str(source.get("field")))
                for source in inputs
                if isinstance(source, dict) and _is_direct(source)
            ]
    return sources


def _is_direct(source: dict[str, Any]) -> bool:
    """Return whether a source contributes to the value of a column. Without transformations, it does."""
    types = [value.get("type") for value in _values(source.get("transformations")) if isinstance(value, dict)]
    return not types or any(kind != "INDIRECT" for kind in types)


def _dataset(entity: dict[str, Any]) -> _Dataset:
    return _Dataset(str(entity.get("namespace")), str(entity.get("name")))


def _values(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
