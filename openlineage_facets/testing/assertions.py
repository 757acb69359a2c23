"""Assertions about events and their lineage, and the wire format of the events that tests pass."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from openlineage_facets.base.errors.findings import Finding, is_client_object
from openlineage_facets.base.model.model import Model
from openlineage_facets.state import ColumnId, DatasetId, JobId, LineageState
from openlineage_facets.state.column_edges import End, node_of
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


def lineage_differences(
    events: Iterable[Any],
    state: LineageState,
    *,
    inputs: Iterable[DatasetName] | None = None,
    outputs: Iterable[DatasetName] | None = None,
    columns: Mapping[ColumnName, Iterable[ColumnName]] | None = None,
) -> Iterator[str]:
    """Yield one line per difference between the lineage in events and the expected one.

    Args:
        events: JSON objects of events. Other values are ignored.
        state: The state of the events, of which the columns are compared.
        inputs: All input datasets, None if any are accepted.
        outputs: All output datasets, None if any are accepted.
        columns: The source columns from which these columns get their values. Other columns, and columns that
            only decide which rows are written (filters, joins), are ignored.

    Raises:
        TypeError: Names are a string instead of a collection of strings.
    """
    for role, expected in (("inputs", inputs), ("outputs", outputs)):
        if expected is not None:
            yield from _set_differences(role, expected, list(dict.fromkeys(_datasets(events, role))))
    sources: dict[ColumnId, list[End]] = {}
    for edge in state.lineage().columns if columns else ():
        if isinstance(edge.target, ColumnId):
            known = sources.setdefault(edge.target, [])
            if not edge.transformations or any(step.is_direct for step in edge.transformations):
                known.append(edge.source)
    for column, expected in (columns or {}).items():
        matching = [known for target, known in sources.items() if _is_named(target, column)]
        if expected and not matching:
            found = ", ".join(map(_shown, sources)) or "no column lineage"
            yield f"column {column}: expected column lineage, found {found}"
            continue
        actual = list(dict.fromkeys(source for known in matching for source in known))
        yield from _set_differences(f"column {column}", expected, actual)


def _datasets(events: Iterable[Any], role: str) -> Iterator[DatasetId]:
    """Yield the inputs or outputs of events, also of invalid ones."""
    for event in events:
        datasets = event.get(role) if isinstance(event, dict) else None
        for dataset in datasets if isinstance(datasets, list) else ():
            if isinstance(dataset, dict):
                yield DatasetId(str(dataset.get("namespace")), str(dataset.get("name")))


def _set_differences(label: str, expected: Iterable[DatasetName], actual: Sequence[End]) -> Iterator[str]:
    if isinstance(expected, str):
        raise TypeError(f"{label}: expected a collection of names, found the string {expected!r}")
    names = list(expected)
    missing = [name for name in names if not any(_is_named(end, name) for end in actual)]
    unexpected = [end for end in actual if not any(_is_named(end, name) for name in names)]
    if missing:
        found = ", ".join(map(_shown, actual)) or "none"
        pairs = [(end.namespace, end.name) for end in actual if not isinstance(end, ColumnId)]
        with_namespace = [pair for pair in pairs if "/".join(pair) in missing]
        fix = f"; to name the namespace, pass {with_namespace[0]}" if with_namespace else ""
        yield f"{label}: missing {', '.join(map(_shown, missing))}; found {found}{fix}"
    if unexpected:
        yield f"{label}: unexpected {', '.join(map(_shown, unexpected))}"


def _shown(end: End | DatasetName) -> str:
    if isinstance(end, (DatasetId, JobId)):
        return f"{end.namespace} {end.name}"
    if isinstance(end, ColumnId):
        return f"{end.dataset.name}.{end.name}"
    return end if isinstance(end, str) else " ".join(end)


def _is_named(end: End, expected: DatasetName) -> bool:
    """Return whether a dataset or column has a name, or one that ends with it after a slash or a dot."""
    name = _shown(end) if isinstance(end, ColumnId) else end.name
    if not isinstance(expected, str):
        return tuple(expected) == (node_of(end).namespace, name)
    return name == expected or (
        bool(expected) and name.endswith(expected) and name[-len(expected) - 1] in "/."
    )
