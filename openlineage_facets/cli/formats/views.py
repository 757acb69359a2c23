"""Print an event or a lock file on a terminal, with one line of lineage per column."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable, Iterator
from typing import Any, TextIO, cast

from rich.console import Console
from rich.text import Text

from openlineage_facets.base.display.printable import printable
from openlineage_facets.base.display.short_values import counted
from openlineage_facets.base.redaction.redact import (
    MAX_REDACTED_LENGTH,
    redact_json,
    redact_repeated,
    redact_unparsed,
)
from openlineage_facets.cli.formats.value_text import MAX_LENGTH, compact, full_name, shortened, word, wrapped
from openlineage_facets.cli.workflow_commands import escape_commands
from openlineage_facets.state import (
    ColumnEdge,
    ColumnId,
    DatasetId,
    JobId,
    Lineage,
    LineageDataset,
    LineageJob,
    Node,
)
from openlineage_facets.validation.event_document import Document, Entity
from openlineage_facets.validation.tolerant_parsing import ReadResult

_META = ("_producer", "_schemaURL", "_deleted")


class _EscapedOutput:
    """Text stream that escapes workflow commands of GitHub Actions."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        return self._stream.write(escape_commands(text))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def print_event(reading: ReadResult, location: str, line: int, *, full: bool) -> None:
    """Print an event, valid or invalid, with secrets redacted.

    Args:
        reading: Result of tolerant parsing.
        location: File and line of the event.
        line: Line on which the event starts.
        full: Whether to show all values in full.
    """
    output = cast("TextIO", _EscapedOutput(sys.stdout))
    lines = _Lines(Console(file=output, highlight=False, soft_wrap=True))
    lines.add((printable(location), "dim"))
    if isinstance(reading.raw, dict):
        _print_event(
            lines, Document(redact_json(reading.raw, for_display=True)), None if full else MAX_LENGTH
        )
    else:
        lines.add(f"not an event: {_not_an_event(reading.raw, None if full else MAX_LENGTH)}")
    if reading.findings:
        lines.add()
    for finding in reading.findings:
        at = line + (finding.line or 1) - 1
        style = {"error": "red", "warning": "yellow", "note": "cyan"}[finding.severity]
        lines.add((f"{finding.severity} {finding.code}", style), f" line {at}: {finding}")


class _Lines:
    """Prints lines, wrapped to the width of the terminal."""

    def __init__(self, console: Console) -> None:
        self._console = console
        console.size = console.size  # Without this, rich determines the size again for each line.
        self.width = console.width

    def add(self, *parts: str | tuple[str, str], indent: int = 4) -> None:
        """Print one line, as text or text with a style. If it is too long, its other lines are indented."""
        for line in wrapped(Text.assemble(*parts), self.width, indent):
            self._console.print(line)


def _print_event(lines: _Lines, document: Document, limit: int | None) -> None:
    value = document.value
    parts = [
        word(value.get("eventType")),
        f"{document.kind or 'unknown'} event",
        word(value.get("eventTime")),
    ]
    lines.add(("  ".join(part for part in parts if part), "bold"))
    for name in ("producer", "schemaURL"):
        if name in value:
            lines.add(f"{name:<10} ", (word(value[name]), "dim"))
    shown = {"eventType", "eventTime", "producer", "schemaURL", "run", "job", "dataset", "inputs", "outputs"}
    for name in value:
        if name not in shown:
            lines.add(f"{printable(name):<10} {compact(value[name], limit)}")
    numbers = DatasetNumbers(entity.value for entity in document.entities if entity.kind == "input")
    for entity in document.entities:
        _print_entity(lines, entity, numbers, limit)
    for entity in document.entities:
        _print_lineage(lines, entity, numbers, limit is None)


def _print_entity(lines: _Lines, entity: Entity, numbers: DatasetNumbers, limit: int | None) -> None:
    lines.add()
    name = entity.value.get("runId") if entity.kind == "run" else full_name(entity.value)
    if entity.kind == "input":
        name = f"[{numbers.of(entity.value)}] {name}"
    lines.add((f"{entity.kind:<8}", "bold cyan"), (f" {word(name)}", "bold"), indent=9)
    for field in ("facets", "inputFacets", "outputFacets"):
        facets = entity.value.get(field)
        if not isinstance(facets, dict):
            if field in entity.value:
                lines.add(f"  {field}: {compact(facets, limit)}", indent=6)
            continue
        for key, facet in facets.items():
            lines.add((f"  {printable(key)}", "green"), f" {_facet(key, facet, limit)}", indent=6)
    for key, value in entity.value.items():
        if key not in ("runId", "namespace", "name", "facets", "inputFacets", "outputFacets"):
            lines.add(f"  {printable(key)}: {compact(value, limit)}", indent=6)


def _facet(key: str, facet: Any, limit: int | None) -> str:
    """Return the fields of a facet, without producer and schema URL."""
    if not isinstance(facet, dict):
        return compact(facet, limit)
    if facet.get("_deleted") is True:
        return "(deleted)"
    fields: dict[str, Any] = {name: value for name, value in facet.items() if name not in _META}
    if key == "columnLineage" and isinstance(facet.get("fields"), dict):
        fields["fields"] = f"{len(facet['fields'])} columns, below"
        fields.pop("dataset", None)
    columns = fields.get("fields")
    if key == "schema" and isinstance(columns, list):
        return shortened(", ".join(_columns(columns)), limit)
    return shortened(
        ", ".join(f"{printable(name)}={compact(value, limit)}" for name, value in fields.items()), limit
    )


def _columns(fields: list[Any]) -> Iterator[str]:
    for field in fields:
        if isinstance(field, dict) and isinstance(field.get("name"), str):
            kind = field.get("type")
            nested = field.get("fields")
            inner = f"<{', '.join(_columns(nested))}>" if isinstance(nested, list) and nested else ""
            yield printable(f"{field['name']} {kind}{inner}" if isinstance(kind, str) else field["name"])
        else:
            yield compact(field, MAX_LENGTH)


def _print_lineage(lines: _Lines, entity: Entity, numbers: DatasetNumbers, full: bool) -> None:
    """Print the source columns of each column of a dataset."""
    shown = list(lineage_lines(entity.facet("columnLineage"), numbers, width=lines.width, full=full))
    if shown:
        lines.add()
        lines.add((f"column lineage of {full_name(entity.value)}", "bold"))
    for line in shown:
        lines.add(line, indent=6)


def _not_an_event(raw: Any, limit: int | None) -> str:
    """Return a value that is not an event in one line. Text that is not valid JSON is one, too."""
    if not isinstance(raw, (str, bytes)):
        return compact(redact_json(raw, for_display=True), limit)
    data = raw.encode("utf-8", "surrogatepass") if isinstance(raw, str) else raw
    # Redacting all of a large text to show its first characters would take a minute.
    start = data if limit is None else data[:MAX_REDACTED_LENGTH]
    text = compact(redact_unparsed(start).encode("utf-8", "surrogateescape"), None)
    is_shortened = limit is not None and (len(text) > limit or len(start) < len(data))
    return f"{text[:limit]}... ({len(data):,} bytes)" if is_shortened else text


def print_lock(lineage: Lineage, *, full: bool) -> None:
    """Print a graph with secrets in names redacted, wrapped to the width of the terminal."""
    width = shutil.get_terminal_size().columns
    for line in _lock_lines(lineage, width=width, full=full):
        print(escape_commands(line))


def _lock_lines(lineage: Lineage, *, width: int, full: bool) -> Iterator[str]:
    """Yield the lines of a graph, with an empty line between jobs and datasets.

    Args:
        lineage: The graph.
        width: Number of characters after which a line is wrapped.
        full: Whether to show long column names in full.
    """
    uses: dict[Node, list[str]] = {}
    for edge in lineage.edges:
        if isinstance(edge.target, JobId):
            uses.setdefault(edge.target, []).append(f"  reads   {_name(edge.source)}")
    for edge in lineage.edges:
        if isinstance(edge.target, DatasetId):
            uses.setdefault(edge.source, []).append(f"  writes  {_name(edge.target)}")
    columns: dict[DatasetId, list[ColumnEdge]] = {}
    for column_edge in lineage.columns:
        target = column_edge.target
        dataset = target.dataset if isinstance(target, ColumnId) else target
        if isinstance(dataset, DatasetId) and isinstance(column_edge.source, ColumnId | DatasetId):
            columns.setdefault(dataset, []).append(column_edge)
    separator: tuple[str, ...] = ()
    for job in lineage.jobs:
        yield from separator
        separator = ("",)
        yield f"job  {_name(job.id)}{_owners(job)}"
        yield from uses.get(job.id, ())
    for entity in lineage.datasets:
        yield from separator
        separator = ("",)
        text = f"  {counted(len(entity.columns), 'column')}" if entity.columns else ""
        yield f"dataset  {_name(entity.id)}{text}{_owners(entity)}"
        yield from uses.get(entity.id, ())
        facet = _lineage_facet(entity, columns.get(entity.id, ()))
        yield from lineage_lines(facet, DatasetNumbers([]), width=width, full=full)


def _name(node: Node | ColumnId) -> str:
    assert not isinstance(node, ColumnId)
    return f"{_text(node.namespace)}  {_text(node.name)}"


def _text(name: str) -> str:
    return word(redact_repeated(name))


def _owners(entity: LineageJob | LineageDataset) -> str:
    owners = entity.facets.get("ownership", {}).get("owners", ())
    return "  owned by " + ", ".join(_text(owner["name"]) for owner in owners) if owners else ""


def _lineage_facet(dataset: LineageDataset, edges: Iterable[ColumnEdge]) -> dict[str, Any]:
    """Return the lineage of a dataset as a `columnLineage` facet, with columns in the order of the schema."""
    facet: dict[str, Any] = {"fields": {}, "dataset": []}
    for edge in edges:
        whole = edge.source.dataset if isinstance(edge.source, ColumnId) else edge.source
        source: dict[str, Any] = {
            "namespace": redact_repeated(whole.namespace),
            "name": redact_repeated(whole.name),
            **({"field": edge.source.name} if isinstance(edge.source, ColumnId) else {}),
            "transformations": [
                {"type": step.type, "subtype": step.subtype, "masking": step.masking}
                for step in edge.transformations
            ],
        }
        if isinstance(edge.target, ColumnId):
            facet["fields"].setdefault(edge.target.name, {"inputFields": []})["inputFields"].append(source)
        else:
            facet["dataset"].append(source)
    order = [column.name for column in dataset.columns]
    facet["fields"] = {name: facet["fields"][name] for name in order if name in facet["fields"]}
    return facet


_MAX_COLUMN = 40
"""Maximum number of characters of a column name, unless everything is shown in full."""


class DatasetNumbers:
    """Numbers for the datasets of an event, so that column lineage need not repeat their names.

    Args:
        inputs: The input datasets of the event, which get the first numbers.
    """

    def __init__(self, inputs: Iterable[dict[str, Any]]) -> None:
        self._numbers: dict[tuple[str, str], int] = {}
        for dataset in inputs:
            self.of(dataset)

    def of(self, dataset: dict[str, Any]) -> int:
        """Return the number of a dataset, a new one for an unknown dataset."""
        return self._numbers.setdefault(_key(dataset), len(self._numbers) + 1)

    def __contains__(self, dataset: dict[str, Any]) -> bool:
        return _key(dataset) in self._numbers


def _key(dataset: dict[str, Any]) -> tuple[str, str]:
    return word(dataset.get("namespace")), word(dataset.get("name"))


def lineage_lines(facet: dict[str, Any], numbers: DatasetNumbers, *, width: int, full: bool) -> Iterator[str]:
    """Yield the lines of a column lineage facet, which may be invalid.

    Args:
        facet: The facet, as plain JSON.
        numbers: Numbers of the datasets; source datasets without one get one and an additional line.
        width: Number of characters after which a line is wrapped.
        full: Whether to show long column names and the descriptions of transformations in full.

    Example:
        >>> facet = {"fields": {"total": {"inputFields": [{"namespace": "s3://shop", "name": "orders",
        ...     "field": "amount", "transformations": [{"type": "DIRECT", "subtype": "AGGREGATION"}]}]}}}
        >>> print(*lineage_lines(facet, DatasetNumbers([]), width=80, full=False), sep="\\n")
          [1] s3://shop  orders
          total <- [1].amount (AGGREGATION)
    """
    fields = facet.get("fields")
    columns = {
        column: _objects(lineage.get("inputFields") if isinstance(lineage, dict) else None)
        for column, lineage in (fields.items() if isinstance(fields, dict) else ())
    }
    whole = _objects(facet.get("dataset"))
    for source in (source for sources in (*columns.values(), whole) for source in sources):
        if isinstance(source, dict) and source not in numbers:
            yield f"  [{numbers.of(source)}] {'  '.join(filter(None, _key(source))) or '(no name)'}"
    for column, sources in columns.items():
        shown = [_source(source, numbers, full) + _how(source, full) for source in sources]
        described = _description(fields[column], full) if isinstance(fields, dict) else ""
        yield from _wrapped(f"  {_column(column, full)} <-", shown or ["(no source)"], width, described)
    by_kind: dict[str, list[str]] = {}
    for source in whole:
        for kind in _transformations(source, full) or ["other"]:
            by_kind.setdefault(kind, []).append(_source(source, numbers, full))
    for kind, shown in by_kind.items():
        yield from _wrapped(f"  (all columns) {kind}:", shown, width)


def _objects(values: Any) -> list[Any]:
    return values if isinstance(values, list) else []


def _column(name: Any, full: bool) -> str:
    """Return a column name, long ones without their start: names differ at the end."""
    text = word(name)
    return text if full or len(text) <= _MAX_COLUMN else f"...{text[3 - _MAX_COLUMN :]}"


def _source(source: Any, numbers: DatasetNumbers, full: bool) -> str:
    if not isinstance(source, dict):
        return compact(source, None if full else MAX_LENGTH)
    column = f".{_column(source['field'], full)}" if "field" in source else ""  # Otherwise all of them.
    return f"[{numbers.of(source)}]{column}"


def _how(source: Any, full: bool) -> str:
    kinds = _transformations(source, full)
    return f" ({'; '.join(kinds)})" if kinds else ""


def _transformations(source: Any, full: bool) -> list[str]:
    """Return the kind of each transformation of a source, such as "AGGREGATION masked"."""
    shown = []
    for step in _objects(source.get("transformations") if isinstance(source, dict) else None):
        if isinstance(step, dict):
            kind = word(step.get("subtype")) or word(step.get("type"))
            masked = " masked" if step.get("masking") is True else ""
            description = word(step.get("description")) if full else ""
            shown.append(f"{kind}{masked}{': ' if description else ''}{description}")
    return [kind for kind in shown if kind]


def _description(lineage: Any, full: bool) -> str:
    """Return the deprecated description of how a column is computed."""
    if not isinstance(lineage, dict):
        return ""
    parts = (lineage.get("transformationType"), lineage.get("transformationDescription"))
    return compact(" ".join(word(part) for part in parts if part), None if full else MAX_LENGTH)


def _wrapped(start: str, items: Iterable[str], width: int, end: str = "") -> Iterator[str]:
    """Yield a list as lines of at most `width` characters; longer items are not broken."""
    line = start
    items = list(items)
    for number, item in enumerate(items, 1):
        piece = f" {item}{',' if number < len(items) else ''}"
        if len(line) + len(piece) > width and line != start:
            yield line
            line = "     "
        line += piece
    if end:
        line += f" -- {printable(end)}"
    yield line
