"""Validate one event: the schemas, schema warnings, and the rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic_core import from_json

from openlineage_facets.base.errors.findings import EventError, Finding, FindingList
from openlineage_facets.base.json.json_input import json_text, without_nulls
from openlineage_facets.base.wire.json_schemas import accepts
from openlineage_facets.base.wire.types import integer_was_a_float
from openlineage_facets.event_files.event_text import event_json
from openlineage_facets.event_kind import class_of_kind, strict_kind_of
from openlineage_facets.parsing import parse_document, parse_event
from openlineage_facets.validation.event_document import Document
from openlineage_facets.validation.hints import Hints
from openlineage_facets.validation.line_numbers import json_error_position, line_numbers
from openlineage_facets.validation.model_structure import structure_of
from openlineage_facets.validation.ruleset import check_document
from openlineage_facets.validation.schema_warnings import schema_warnings

if TYPE_CHECKING:
    from openlineage_facets.event_files.event_text import EventInput
    from openlineage_facets.parsing import Event
    from openlineage_facets.validation.backends.catalogue import Backends
    from openlineage_facets.validation.backends.profile import Profile
    from openlineage_facets.validation.schemas.schema_set import SchemaSet


def is_valid_event(document: Any) -> bool:
    """Return whether `parse_event` accepts the text that a JSON value was parsed from.

    Args:
        document: The value as returned by `from_json`.
    """
    if not isinstance(document, dict):
        return False
    try:
        kind = strict_kind_of(document)
    except EventError:
        return False
    return accepts(class_of_kind(kind), document)


class ValidationResult(NamedTuple):
    """The result of validating one event.

    Attributes:
        event: The parsed event; None if it is invalid, or if only its findings were asked for.
        findings: Errors first, then warnings and notes, each in document order.
        raw: The parsed JSON value, without nulls if they are read as absent; the input if it is not valid
            JSON; None if the event is too large.
        document: The view of the JSON value that rules check; None if it is not an object, or if there was
            nothing to check.
    """

    event: Event | None
    findings: list[Finding]
    raw: Any
    document: Document | None = None


def validate(
    data: EventInput,
    *,
    rules: bool = True,
    schemas: SchemaSet | None = None,
    null_is_absent: bool = False,
    backends: Backends = (),
) -> list[Finding]:
    """Return the findings of an event: errors first, then warnings, then notes.

    Errors are violations of the JSON Schemas, including the formats date-time and uuid. An event without
    errors is accepted by `parse_event`. Warnings are invalid URIs, misspelled field names, and the findings
    of the rules. Invalid input never raises.

    Args:
        data: JSON text, a JSON object as returned by `json.loads`, the `Path` of a file with one event (also
            compressed), or an event of this package or of openlineage-python.
        rules: Whether to include warnings.
        schemas: Schemas to validate against, with any versions of each facet.
        null_is_absent: Read fields that are null as absent, as for `parse_event`.
        backends: The backends that receive the event, such as "datahub,marquez" or "all": what they refuse
            is an error, what they lose a warning, and what they change a note. Also paths of profiles.

    Raises:
        OSError: The file cannot be read.
        BackendError: A backend is unknown, or its profile is invalid.

    Example:
        >>> for finding in validate('{"run": {"runId": "seven"}, "job": {"namespace": "etl"}}'):
        ...     print(finding.severity, finding.code, finding)
    """
    result = validate_document(
        data, rules=rules, schemas=schemas, null_is_absent=null_is_absent, backends=profiles_for(backends)
    )
    return FindingList(result.findings)


def profiles_for(backends: Backends) -> tuple[Profile, ...]:
    """Return the profiles of backends, which are read only if there are any.

    Raises:
        BackendError: A backend is unknown, or its profile is invalid.
    """
    if not backends:
        return ()
    from openlineage_facets.validation.backends.catalogue import profiles_of

    return profiles_of(backends)


def validate_document(
    data: EventInput,
    *,
    rules: bool = True,
    schemas: SchemaSet | None = None,
    null_is_absent: bool = False,
    backends: Sequence[Profile] = (),
    typed: bool = False,
) -> ValidationResult:
    """Validate an event and return the findings together with everything parsed on the way.

    Args:
        data: The event, as for `validate`.
        rules: Whether to include warnings.
        schemas: Schemas to validate against, None for those of this package.
        null_is_absent: Read fields that are null as absent.
        backends: The profiles of the backends that receive the event.
        typed: Whether to parse the event, too, which takes longer.

    Raises:
        OSError: The file cannot be read.
    """
    try:
        data = event_json(data)
        text = json_text(data)
    except EventError as error:
        return ValidationResult(None, list(error.findings), data)
    if null_is_absent:
        text = without_nulls(text)
    try:
        # Sharing equal strings would take longer, and what is read here is forgotten soon.
        raw = from_json(text, cache_strings="keys")
    except ValueError:
        _, errors = _parsed(parse_event, text)
        return ValidationResult(None, [_json_error(problem, text) for problem in errors], _as_text(data))
    is_valid = not typed and is_valid_event(raw)
    if typed or (is_valid and integer_was_a_float()):  # Only the text says whether that was an integer.
        event, errors = _parsed(parse_event, text)
    elif is_valid:
        event, errors = None, []
    else:
        event, errors = _parsed(parse_document, text, raw)
    if not isinstance(raw, dict):
        return ValidationResult(None, _with_lines(errors, data), raw)
    if not errors and not rules and not backends and schemas is None:
        return ValidationResult(event, [], raw)
    document = Document(raw)
    findings = _findings(document, errors, rules=rules, schemas=schemas, backends=backends)
    return ValidationResult(event, _with_lines(findings, data), raw, document)


def _findings(
    document: Document,
    errors: list[Finding],
    *,
    rules: bool,
    schemas: SchemaSet | None,
    backends: Sequence[Profile],
) -> list[Finding]:
    """Return all findings of a document, of which strict parsing has found the errors."""
    if schemas is not None:
        errors = schemas.check(document, errors)
    structure = structure_of(class_of_kind(document.kind)) if document.kind else None
    renamed: set[str] = set()
    if errors:
        hints = Hints(document.value, structure)
        errors = sorted(map(hints.with_hint, errors), key=document.position)
        renamed = hints.renamed
    others: list[Finding] = []
    if rules:
        if structure:
            warnings = schema_warnings(structure, document)
            others += [warning for warning in warnings if warning.pointer not in renamed]
        others += check_document(document)
        if schemas is not None:
            others = schemas.without_known_urls(document, others)
    if backends:
        from openlineage_facets.validation.backends.checks import backend_findings

        others += backend_findings(document, backends)
    if len(others) > 1:
        others.sort(key=lambda finding: (_SEVERITIES.index(finding.severity), document.position(finding)))
    return [*errors, *others]


_SEVERITIES = ("error", "warning", "note")


def _parsed(parse: Callable[..., Event], *given: Any) -> tuple[Event | None, list[Finding]]:
    """Return the event, None if it is invalid, and its errors."""
    try:
        return parse(*given), []
    except EventError as error:
        return None, list(error.findings)


def _with_lines(findings: list[Finding], data: object) -> list[Finding]:
    """Return `findings` with line numbers if `data` is text with several lines."""
    if not findings or not isinstance(data, (str, bytes, bytearray)):
        return findings
    text = data if isinstance(data, str) else bytes(data).decode()
    if not _is_multiline(text):
        return findings
    lines = line_numbers(text, [finding.pointer for finding in findings])
    return [replace(finding, line=lines[finding.pointer]) for finding in findings]


def _json_error(finding: Finding, text: bytes | bytearray) -> Finding:
    """Return the finding of invalid JSON with its line, and a hint for common causes."""
    hint = ""
    is_multiline = _is_multiline(text.decode(errors="replace"))
    if is_multiline and "trailing characters" in finding.message:
        hint = "pass one event at a time; read_events() reads files with an event on each line"
    position = json_error_position(text)
    if position is None:
        return replace(finding, hint=hint or finding.hint)
    line, column = position
    # The line goes into its own field: the event may be part of a longer text, such as an NDJSON file.
    found, problem = (
        re.sub(r"at line \d+ column \d+", f"at column {column}", part)
        for part in (finding.found, finding.problem)
    )
    line_of_error = line if is_multiline else None
    return replace(finding, found=found, problem=problem, hint=hint or finding.hint, line=line_of_error)


def _is_multiline(text: str) -> bool:
    stripped = text.strip()
    return "\n" in stripped or "\r" in stripped


def _as_text(data: object) -> object:
    """Return bytes decoded as UTF-8 if possible; anything else unchanged."""
    if isinstance(data, (bytes, bytearray)):
        try:
            return data.decode()
        except UnicodeDecodeError:
            return bytes(data)
    return data
