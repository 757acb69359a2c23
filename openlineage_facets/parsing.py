"""Read an event of whichever kind it is, as strictly as the specification says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError
from pydantic_core import to_json

from openlineage_facets.base.errors import EventError, Finding, shown
from openlineage_facets.base.jsontext import json_text, json_value
from openlineage_facets.generated.open_lineage import DatasetEvent, JobEvent, RunEvent

if TYPE_CHECKING:
    from typing import TypeAlias

__all__ = ["Event", "kind_meant", "parse_event"]

Event: TypeAlias = "RunEvent | JobEvent | DatasetEvent"
"""An event of any kind."""

_NO_EVENT = "OL002"


def parse_event(data: str | bytes | bytearray | Mapping[str, Any]) -> Event:
    """Read a run, job or dataset event, typed and without loss.

    Accepts exactly what the specification's JSON Schema accepts, every known facet included, with
    date-times and UUIDs asserted.

    Args:
        data: JSON text, or a JSON object as `json.loads` gives it.

    Raises:
        EventError: The text is no JSON, or no valid event; the findings speak of the kind meant.

    Example:
        >>> event = parse_event(wire)
        >>> event.run.facets.nominal_time.nominal_start_time
        Timestamp('2026-11-21T00:00:00Z')
    """
    text = json_text(data)
    if b'"run"' in text:
        try:
            # A valid run event is neither of the other kinds: both forbid a run beside the job.
            return RunEvent.__pydantic_validator__.validate_json(text, strict=True)  # type: ignore[no-any-return]
        except ValidationError:
            pass
    document = json_value(text)
    if not isinstance(document, dict):
        raise _not_an_object(text, document)
    kind = kind_meant(document)
    if kind is not RunEvent:
        return kind.from_json(text)
    # Once more from the document, in which every key stands once: of two in the text, the last counts.
    try:
        return RunEvent.__pydantic_validator__.validate_json(to_json(document), strict=True)  # type: ignore[no-any-return]
    except ValidationError as error:
        raise EventError.of(error, document) from None


def _not_an_object(text: bytes | bytearray, document: object) -> EventError:
    try:
        RunEvent.__pydantic_validator__.validate_json(text)
    except ValidationError as error:
        if error.errors(include_url=False, include_input=False)[0]["type"] == "json_invalid":
            return EventError.of(error, document)
    return EventError([Finding("", "an event, which is a JSON object", shown(document), code=_NO_EVENT)])


def kind_meant(document: dict[str, Any]) -> type[RunEvent] | type[JobEvent] | type[DatasetEvent]:
    """Return the kind that the schema's `oneOf` gives `document`, or that its author must have meant.

    Raises:
        EventError: It is about nothing, or about a job and a dataset alike.
    """
    has_run, has_job, has_dataset = (name in document for name in ("run", "job", "dataset"))
    if has_run and (has_job or not has_dataset):
        return RunEvent
    if not has_job:
        if not has_dataset:
            raise EventError(
                [
                    Finding(
                        "",
                        "a run and a job, a job, or a dataset",
                        "none of them",
                        "add the entity the event is about",
                        code=_NO_EVENT,
                    )
                ]
            )
        return DatasetEvent
    if not has_dataset:
        return JobEvent
    # A job and a dataset without a run: each kind takes the other's entity for an unknown field.
    core = _without_known_facets(document)
    kinds = [kind for kind in (JobEvent, DatasetEvent) if _is_valid(kind, core)]
    if len(kinds) == 2:
        raise EventError(
            [
                Finding(
                    "",
                    "a job event or a dataset event",
                    "both in one",
                    "send the job and the dataset in two events",
                    code=_NO_EVENT,
                )
            ]
        )
    return kinds[0] if kinds else JobEvent


def _is_valid(kind: type[JobEvent] | type[DatasetEvent], document: dict[str, Any]) -> bool:
    try:
        kind.from_json(document)
    except EventError:
        return False
    return True


def _without_known_facets(document: dict[str, Any]) -> dict[str, Any]:
    """Return `document` with its facets under keys nobody knows, so that the core schema alone judges."""

    def renamed(entity: Any) -> Any:
        if not isinstance(entity, dict):
            return entity
        return {
            name: {f"\0{key}": facet for key, facet in value.items()}
            if name in ("facets", "inputFacets", "outputFacets") and isinstance(value, dict)
            else value
            for name, value in entity.items()
        }

    core = {name: renamed(value) for name, value in document.items()}
    for name in ("inputs", "outputs"):
        if isinstance(core.get(name), list):
            core[name] = [renamed(dataset) for dataset in core[name]]
    return core
