"""Print an event on a terminal, with shortened facets and one line of lineage per column."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any, TextIO, cast

from rich.console import Console
from rich.text import Text

from openlineage_facets.base.display.printable import printable
from openlineage_facets.base.redaction.redact import redact_json
from openlineage_facets.base.redaction.unparsed_text import redacted_text
from openlineage_facets.cli.formats.lineage_view import DatasetNumbers, lineage_lines
from openlineage_facets.cli.formats.value_text import MAX_LENGTH, compact, full_name, shortened, word, wrapped
from openlineage_facets.cli.workflow_commands import escape_commands
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


def print_event(reading: ReadResult, location: str, line: int, *, full: bool = False) -> None:
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
    """Return a value that is not an event in one line. Bytes are text that is not valid JSON."""
    if isinstance(raw, bytes):
        raw = redacted_text(raw).encode("utf-8", "surrogateescape")
    return compact(redact_json(raw, for_display=True), limit)
