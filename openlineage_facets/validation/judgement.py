"""One event, judged: the schemas, what is odd beside them, and the rules beyond."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from pydantic_core import from_json

from openlineage_facets.base.errors import EventError, Finding
from openlineage_facets.base.jsontext import json_text
from openlineage_facets.parsing import kind_meant, parse_event
from openlineage_facets.validation.document import Document
from openlineage_facets.validation.hints import Hints
from openlineage_facets.validation.lines import break_of, lines_of
from openlineage_facets.validation.remarks import remarks
from openlineage_facets.validation.ruleset import check_document
from openlineage_facets.validation.shapes import Shape, shape_of

if TYPE_CHECKING:
    from openlineage_facets.parsing import Event

__all__ = ["Judgement", "Schemas", "judge"]


class Schemas(Protocol):
    """JSON Schemas to judge an event by instead of those of this package."""

    def check(self, document: Document, errors: list[Finding]) -> list[Finding]:
        """Return what the schemas forbid in `document`, in which strict reading found `errors`."""
        ...


class Judgement(NamedTuple):
    """What there is to say of one event.

    Attributes:
        event: The event, None where it is not valid.
        findings: What is wrong with it: errors first, then warnings, each in the order of the document.
        raw: The JSON value, or what was given where that is no JSON.
        document: The view on the JSON value by which rules judge, None where that is no object.
    """

    event: Event | None
    findings: list[Finding]
    raw: Any
    document: Document | None = None


def judge(
    data: str | bytes | bytearray | Mapping[str, Any], *, rules: bool = True, schemas: Schemas | None = None
) -> Judgement:
    """Judge an event, and return all that this took to read of it.

    Args:
        data: JSON text, or a JSON object as `json.loads` gives it.
        rules: Whether to give warnings, too.
        schemas: Schemas to judge by, None for those of this package.
    """
    errors: list[Finding] = []
    event = None
    try:
        text = json_text(data)
    except EventError as error:
        return Judgement(None, list(error.findings), data)
    try:
        event = parse_event(text)
    except EventError as error:
        errors += error.findings
    try:
        raw = from_json(text)
    except ValueError:
        return Judgement(None, [_without_json(finding, text) for finding in errors], _as_text(data))
    if not isinstance(raw, dict):
        return Judgement(None, errors, raw)
    document = Document(raw)
    if schemas is not None:
        errors = schemas.check(document, errors)
    shape = _shape_of(raw)
    renamed: set[str] = set()
    if errors:
        hints = Hints(raw, shape)
        errors = sorted(map(hints.hinted, errors), key=document.position)
        renamed = hints.renamed
    warnings: list[Finding] = []
    if rules:
        warnings = [one for one in remarks(shape, raw) if one.pointer not in renamed] if shape else []
        warnings += check_document(document)
        if len(warnings) > 1:
            warnings.sort(key=document.position)
    return Judgement(event, _with_lines([*errors, *warnings], data), raw, document)


def _shape_of(document: dict[str, Any]) -> Shape | None:
    try:
        return shape_of(kind_meant(document))
    except EventError:
        return None


def _with_lines(findings: list[Finding], data: object) -> list[Finding]:
    """Return findings with their lines, where the source has several."""
    if not findings or not isinstance(data, (str, bytes, bytearray)):
        return findings
    text = data if isinstance(data, str) else bytes(data).decode()
    if not _has_lines(text):
        return findings
    lines = lines_of(text, [finding.pointer for finding in findings])
    return [replace(finding, line=lines[finding.pointer]) for finding in findings]


def _without_json(finding: Finding, text: bytes | bytearray) -> Finding:
    """Return the finding of a text that is no JSON, with its line and what its beginning tells."""
    hint = ""
    if text.startswith(_MARKS):
        hint = "save it as UTF-8 without a byte order mark"
    has_lines = _has_lines(text.decode(errors="replace"))
    if not hint and has_lines and "trailing characters" in finding.found:
        hint = "give one event at a time: of newline-delimited JSON, each line is one"
    place = break_of(text)
    if place is None:
        return replace(finding, hint=hint or finding.hint)
    line, column = place  # The line is told beside the message, for the event may be a part of a longer text.
    found = re.sub(r"at line \d+ column \d+", f"at column {column}", finding.found)
    return replace(finding, found=found, hint=hint or finding.hint, line=line if has_lines else None)


_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")


def _has_lines(text: str) -> bool:
    stripped = text.strip()
    return "\n" in stripped or "\r" in stripped


def _as_text(data: object) -> object:
    """Return what was given, as text if it is."""
    if isinstance(data, (bytes, bytearray)):
        try:
            return data.decode()
        except UnicodeDecodeError:
            return bytes(data)
    return data
