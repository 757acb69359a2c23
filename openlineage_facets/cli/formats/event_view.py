"""Print an event on a terminal, with shortened facets and column lineage as a table."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any, TextIO, cast

from rich.console import Console
from rich.table import Table
from rich.text import Text

from openlineage_facets.base.printable import printable
from openlineage_facets.base.redaction.redact import redact_json
from openlineage_facets.cli.results.unparsed_text import redacted_text
from openlineage_facets.cli.workflow_commands import escape_commands
from openlineage_facets.validation.event_document import Document, Entity
from openlineage_facets.validation.tolerant_parsing import ReadResult

__all__ = ["print_event"]

_MAX_LENGTH = 200
"""Maximum number of characters per facet."""

_META = ("_producer", "_schemaURL", "_deleted")


class _EscapedOutput:
    """Text stream that escapes workflow commands of GitHub Actions."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        return self._stream.write(escape_commands(text))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def print_event(reading: ReadResult, location: str, line: int, *, full: bool = False) -> None:
    """Print an event, valid or invalid, with secrets redacted.

    Args:
        reading: Result of tolerant parsing.
        location: File and line of the event.
        line: Line on which the event starts.
        full: Whether to show all values in full.
    """
    output = cast("TextIO", _EscapedOutput(sys.stdout))
    console = Console(file=output, highlight=False, soft_wrap=True)
    console.print(Text(printable(location), style="dim"))
    if isinstance(reading.raw, dict):
        _print_event(
            console, Document(redact_json(reading.raw, for_display=True)), None if full else _MAX_LENGTH
        )
    else:
        console.print(Text(f"not an event: {_not_an_event(reading.raw, None if full else _MAX_LENGTH)}"))
    if reading.findings:
        console.print()
    for finding in reading.findings:
        at = line + (finding.line or 1) - 1
        style = "red" if finding.severity == "error" else "yellow"
        console.print(Text(f"{finding.severity} {finding.code}", style=style), Text(f"line {at}: {finding}"))


def _print_event(console: Console, document: Document, limit: int | None) -> None:
    value = document.value
    parts = [
        _word(value.get("eventType")),
        f"{document.kind or 'unknown'} event",
        _word(value.get("eventTime")),
    ]
    console.print(Text("  ".join(part for part in parts if part), style="bold"))
    for name in ("producer", "schemaURL"):
        if name in value:
            console.print(Text(f"{name:<10}"), Text(_word(value[name]), style="dim"))
    shown = {"eventType", "eventTime", "producer", "schemaURL", "run", "job", "dataset", "inputs", "outputs"}
    for name in value:
        if name not in shown:
            console.print(Text(f"{printable(name):<10}"), Text(_compact(value[name], limit)))
    for entity in document.entities:
        _print_entity(console, entity, limit)
    for entity in document.entities:
        _print_lineage(console, entity)


def _print_entity(console: Console, entity: Entity, limit: int | None) -> None:
    console.print()
    name = entity.value.get("runId") if entity.kind == "run" else _name(entity.value)
    console.print(Text(f"{entity.kind:<8}", style="bold cyan"), Text(_word(name), style="bold"))
    for field in ("facets", "inputFacets", "outputFacets"):
        facets = entity.value.get(field)
        if not isinstance(facets, dict):
            if field in entity.value:
                console.print(Text(f"  {field}: {_compact(facets, limit)}"))
            continue
        for key, facet in facets.items():
            console.print(Text(f"  {printable(key)}", style="green"), Text(_facet(key, facet, limit)))
    for key, value in entity.value.items():
        if key not in ("runId", "namespace", "name", "facets", "inputFacets", "outputFacets"):
            console.print(Text(f"  {printable(key)}: {_compact(value, limit)}"))


def _facet(key: str, facet: Any, limit: int | None) -> str:
    """Return the fields of a facet, without producer and schema URL."""
    if not isinstance(facet, dict):
        return _compact(facet, limit)
    if facet.get("_deleted") is True:
        return "(deleted)"
    fields: dict[str, Any] = {name: value for name, value in facet.items() if name not in _META}
    if key == "columnLineage" and isinstance(facet.get("fields"), dict):
        fields["fields"] = f"{len(facet['fields'])} columns, below"
        fields.pop("dataset", None)
    columns = fields.get("fields")
    if key == "schema" and isinstance(columns, list):
        return _shortened(", ".join(_columns(columns)), limit)
    return _shortened(
        ", ".join(f"{printable(name)}={_compact(value, limit)}" for name, value in fields.items()), limit
    )


def _columns(fields: list[Any]) -> Iterator[str]:
    for field in fields:
        if isinstance(field, dict) and isinstance(field.get("name"), str):
            kind = field.get("type")
            nested = field.get("fields")
            inner = f"<{', '.join(_columns(nested))}>" if isinstance(nested, list) and nested else ""
            yield printable(f"{field['name']} {kind}{inner}" if isinstance(kind, str) else field["name"])
        else:
            yield _compact(field, _MAX_LENGTH)


def _print_lineage(console: Console, entity: Entity) -> None:
    """Print the source columns of each column of a dataset."""
    rows = list(_lineage_rows(entity.facet("columnLineage")))
    if not rows:
        return
    console.print()
    table = Table(
        "column", "from", "how", title=f"column lineage of {_word(_name(entity.value))}", title_justify="left"
    )
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    console.print(table)


def _lineage_rows(facet: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    fields = facet.get("fields")
    for column, lineage in fields.items() if isinstance(fields, dict) else ():
        sources = lineage.get("inputFields") if isinstance(lineage, dict) else None
        first = printable(column)
        for source in sources if isinstance(sources, list) else ():
            yield first, _source(source), _transformations(source)
            first = ""
        if first:
            yield first, "", ""
    whole = facet.get("dataset")
    for source in whole if isinstance(whole, list) else ():
        yield "(all)", _source(source), _transformations(source)


def _source(source: Any) -> str:
    if not isinstance(source, dict):
        return _compact(source, _MAX_LENGTH)
    field = source.get("field")
    return f"{_word(_name(source))} {_word(field)}".strip()


def _transformations(source: Any) -> str:
    transformations = source.get("transformations") if isinstance(source, dict) else None
    shown = []
    for one in transformations if isinstance(transformations, list) else ():
        if isinstance(one, dict):
            words = [
                _word(one.get("type")),
                _word(one.get("subtype")),
                "masked" if one.get("masking") is True else "",
            ]
            shown.append(" ".join(word for word in words if word))
    return ", ".join(shown)


def _name(entity: dict[str, Any]) -> str:
    return "  ".join(_word(entity[part]) for part in ("namespace", "name") if part in entity)


def _word(value: Any) -> str:
    """Return a string unchanged, any other value as JSON."""
    if value is None:
        return ""
    return printable(value) if isinstance(value, str) else _compact(value, _MAX_LENGTH)


def _not_an_event(raw: Any, limit: int | None) -> str:
    """Return a value that is not an event in one line. Bytes are text that is not valid JSON."""
    if isinstance(raw, bytes):
        raw = redacted_text(raw).encode("utf-8", "surrogateescape")
    return _compact(redact_json(raw, for_display=True), limit)


def _compact(value: Any, limit: int | None) -> str:
    """Return a value in one line."""
    if isinstance(value, bytes):
        value = value.decode("utf-8", "backslashreplace")
    text = " ".join(value.split()) if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return _shortened(printable(text), limit)


def _shortened(text: str, limit: int | None) -> str:
    if limit is None or len(text) <= limit:
        return text
    return f"{text[:limit]}... ({len(text):,} characters)"
