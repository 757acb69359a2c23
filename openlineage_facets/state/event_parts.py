"""Split an event into run, job and datasets with their facets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias, TypeGuard

from openlineage_facets.base.errors.findings import EventError, describe, invalid, is_client_object
from openlineage_facets.base.errors.json_pointer import json_pointer
from openlineage_facets.base.json.client_objects import ClientEvent, client_document
from openlineage_facets.base.json.json_input import nesting_finding, without_null_fields
from openlineage_facets.base.times.rfc3339 import Instant
from openlineage_facets.event_kind import TERMINAL_EVENT_TYPES, EventKind, class_of_kind, kind_of
from openlineage_facets.generated.open_lineage import DatasetEvent, JobEvent, RunEvent
from openlineage_facets.state.canonical_json import canonical_json
from openlineage_facets.state.facet_history import SortKey
from openlineage_facets.state.instants import instant_of

Key: TypeAlias = tuple[str, str]
"""Namespace and name of a job or dataset."""

_RANKS = {
    name: rank for rank, name in enumerate(("START", "RUNNING", "OTHER", *TERMINAL_EVENT_TYPES), start=1)
}
_STATIC_RANK = 0

_KINDS = (RunEvent, JobEvent, DatasetEvent)

_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


class DatasetParts(NamedTuple):
    """A dataset of an event."""

    key: Key
    facets: Mapping[str, str]
    """Dataset facets in canonical JSON, by facet key."""
    use_facets: Mapping[str, str]
    """Input or output facets in canonical JSON, by facet key."""


class EventParts(NamedTuple):
    """The parts of an event that a state stores."""

    instant: Instant
    rank: int
    event_type: str | None = None
    run: str | None = None
    run_facets: Mapping[str, str] | None = None
    job: Key | None = None
    job_facets: Mapping[str, str] | None = None
    inputs: tuple[DatasetParts, ...] = ()
    outputs: tuple[DatasetParts, ...] = ()
    dataset: DatasetParts | None = None

    def sort_key(self, *, output: bool = False) -> SortKey:
        """Return the position of the event's facets in time. Facets of outputs sort last."""
        return (*self.instant, self.rank * 2 + output)


def normalized_run_id(run_id: str) -> str:
    """Return a UUID in lower case, any other run id unchanged."""
    return run_id.lower() if _UUID.fullmatch(run_id) else run_id


def split_event(
    event: RunEvent | JobEvent | DatasetEvent | Mapping[str, Any] | ClientEvent,
    *,
    null_is_absent: bool = False,
) -> EventParts:
    """Split an event into its parts.

    Only the event time and the names of run, job and datasets are required. Everything else may be
    invalid, as with tolerant parsing; datasets that are not objects are ignored.

    Raises:
        EventError: `event` is not an event, its time is missing or has no offset, or a name is missing.
    """
    document: Mapping[str, Any]
    kind: EventKind | None = None
    if _is_object(event):
        document = event
    elif isinstance(event, _KINDS):
        document, kind = event.to_dict(), _kind(event)
    elif is_client_object(event):
        document = client_document(event)
    else:
        hint = "parse_event() reads JSON text"
        raise invalid("", "an event, or its JSON object as a dict", describe(event), hint)
    if null_is_absent:
        document = _without_nulls(document)
    kind = kind or kind_of(document) or "job"
    try:
        instant = instant_of(document["eventTime"])
    except (KeyError, TypeError, ValueError, OverflowError):
        found = document.get("eventTime")
        hint = "add the UTC offset, such as 'Z' or '+01:00'" if _is_local_time(found) else ""
        expected = "an RFC 3339 date-time with an offset"
        raise invalid("/eventTime", expected, describe(found), hint) from None
    if kind == "dataset":
        dataset = _dataset(_object(document, ["dataset"]), ["dataset"])
        return EventParts(instant, _STATIC_RANK, dataset=dataset)
    job = _object(document, ["job"])
    job_parts: dict[str, Any] = {
        "job": _key(job, ["job"]),
        "job_facets": _facets(job, ["job"], "facets"),
        "inputs": tuple(_datasets(document, "inputs", "inputFacets")),
        "outputs": tuple(_datasets(document, "outputs", "outputFacets")),
    }
    if kind == "job":
        return EventParts(instant, _STATIC_RANK, **job_parts)
    run = _object(document, ["run"])
    event_type = document.get("eventType")
    known_type = event_type if isinstance(event_type, str) and event_type in _RANKS else None
    return EventParts(
        instant,
        _RANKS[known_type or "OTHER"],
        event_type=known_type,
        run=normalized_run_id(_text(run, ["run"], "runId")),
        run_facets=_facets(run, ["run"], "facets"),
        **job_parts,
    )


def _without_nulls(document: Mapping[str, Any]) -> Mapping[str, Any]:
    try:
        without: Mapping[str, Any] = without_null_fields(dict(document))
    except RecursionError:
        finding = nesting_finding(dict(document))
        too_deep = invalid("", "an event", "a dict that is nested too deeply")
        raise (EventError([finding]) if finding else too_deep) from None
    return without


def _kind(event: RunEvent | JobEvent | DatasetEvent) -> EventKind:
    kinds: tuple[EventKind, ...] = ("run", "job", "dataset")
    return next(kind for kind in kinds if isinstance(event, class_of_kind(kind)))


def _is_local_time(value: Any) -> bool:
    return isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:.]+", value) is not None


def _is_object(value: Any) -> TypeGuard[Mapping[str, Any]]:
    """Return whether a value is a JSON object. Asking for the abstract class takes eight times as long."""
    return type(value) is dict or isinstance(value, Mapping)


def _object(parent: Mapping[str, Any], path: list[str | int]) -> Mapping[str, Any]:
    value = parent.get(str(path[-1]))
    if not _is_object(value):
        raise invalid(json_pointer(path), "an object", describe(value))
    return value


def _text(parent: Mapping[str, Any], path: list[str | int], name: str) -> str:
    value = parent.get(name)
    if not isinstance(value, str):
        raise invalid(json_pointer([*path, name]), "a string", describe(value))
    return value


def _key(entity: Mapping[str, Any], path: list[str | int]) -> Key:
    return _text(entity, path, "namespace"), _text(entity, path, "name")


def _datasets(document: Mapping[str, Any], name: str, use_facets: str) -> Iterator[DatasetParts]:
    datasets = document.get(name)
    for index, dataset in enumerate(datasets if isinstance(datasets, list) else ()):
        if _is_object(dataset):
            yield _dataset(dataset, [name, index], use_facets)


def _dataset(dataset: Mapping[str, Any], path: list[str | int], use_facets: str = "") -> DatasetParts:
    return DatasetParts(
        _key(dataset, path),
        _facets(dataset, path, "facets"),
        _facets(dataset, path, use_facets) if use_facets else {},
    )


def _facets(entity: Mapping[str, Any], path: list[str | int], name: str) -> dict[str, str]:
    facets = entity.get(name)
    if not _is_object(facets):
        return {}
    try:
        return {key: canonical_json(facet) for key, facet in facets.items()}
    except (TypeError, ValueError, RecursionError):
        return {key: _canonical(facet, [*path, name, key]) for key, facet in facets.items()}


def _canonical(facet: Any, path: list[str | int]) -> str:
    try:
        return canonical_json(facet)
    except (TypeError, ValueError, RecursionError) as error:
        raise invalid(json_pointer(path), "a JSON value", str(error)) from None
