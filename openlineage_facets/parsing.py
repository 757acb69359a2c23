"""Parse run, job and dataset events strictly."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import ValidationError
from pydantic_core import to_json

from openlineage_facets.base.errors.findings import EventError, describe, invalid
from openlineage_facets.base.json.json_input import json_value
from openlineage_facets.base.model.exact_integers import assert_exact_integers
from openlineage_facets.base.model.model import parsing_error
from openlineage_facets.base.wire.pydantic_internals import validator_of
from openlineage_facets.event_files.event_text import event_text
from openlineage_facets.event_kind import NO_EVENT, class_of_kind, strict_kind_of
from openlineage_facets.generated.open_lineage import DatasetEvent, JobEvent, RunEvent

if TYPE_CHECKING:
    from typing import TypeAlias

    from openlineage_facets.event_files.event_text import EventInput

Event: TypeAlias = "RunEvent | JobEvent | DatasetEvent"
"""An event of any kind."""


def parse_event(data: EventInput, *, null_is_absent: bool = False) -> Event:
    """Parse a run, job or dataset event, typed and without loss.

    Accepts exactly what the specification's JSON Schema accepts, known facets included. Date-times and
    UUIDs are checked, too.

    Args:
        data: JSON text, a JSON object as returned by `json.loads`, the `Path` of a file with one event (also
            compressed), or an event of this package or of openlineage-python.
        null_is_absent: Read fields that are null as absent, in objects of any depth. For exports of backends
            that write null for absent fields, such as Marquez.

    Raises:
        EventError: The text is not valid JSON, or the event is invalid.
        OSError: The file cannot be read.

    Example:
        >>> event = parse_event(wire)
        >>> event.run.facets.nominal_time.nominal_start_time
        Timestamp('2026-11-21T00:00:00Z')
    """
    text = event_text(data, null_is_absent=null_is_absent)
    if b'"run"' in text:
        try:  # A valid run event is of no other kind: job and dataset events must not have a run.
            return _run_event(text, text)
        except ValidationError:
            pass
    return parse_document(text, json_value(text))


def parse_document(text: bytes | bytearray, document: Any) -> Event:
    """Parse an event whose JSON value is known, like `parse_event`.

    Args:
        text: JSON text.
        document: Its value, None if it is not valid JSON.

    Raises:
        EventError: The text is not valid JSON, or the event is invalid.
    """
    if not isinstance(document, dict):
        raise _not_an_object(text, document)
    kind = strict_kind_of(document)
    if kind != "run":
        return class_of_kind(kind).from_json(text)
    try:
        return _run_event(to_json(document), text)
    except ValidationError as error:
        raise parsing_error(error, document) from None


def _run_event(document: bytes | bytearray, text: bytes | bytearray) -> RunEvent:
    """Return the run event in a JSON document.

    Args:
        document: The document. If `text` is not valid, it has each key once, with the last value in `text`.
        text: The text that was read, with its integers as they are written.
    """
    validator = validator_of(RunEvent)
    event: RunEvent = validator.validate_json(document, strict=True)
    assert_exact_integers(
        text, lambda marked: validator.validate_json(to_json(json_value(marked)), strict=True)
    )
    return event


def _not_an_object(text: bytes | bytearray, document: object) -> EventError:
    try:
        validator_of(RunEvent).validate_json(text)
    except ValidationError as error:
        if error.errors(include_url=False, include_input=False)[0]["type"] == "json_invalid":
            return parsing_error(error, document)
    return invalid("", "an event, which is a JSON object", describe(document), code=NO_EVENT)
