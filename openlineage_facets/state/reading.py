"""What one event says, taken apart: about which run, job and datasets, when, and with which facets."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from openlineage_facets.base.errors import EventError, Finding, json_pointer, shown
from openlineage_facets.generated.open_lineage import DatasetEvent, JobEvent, RunEvent
from openlineage_facets.state.history import Order
from openlineage_facets.state.moments import Moment, moment_of

__all__ = ["TERMINAL", "DatasetReading", "EventReading", "Key", "read", "run_key"]

Key: TypeAlias = tuple[str, str]
"""Namespace and name of a job or dataset."""

TERMINAL = ("FAIL", "ABORT", "COMPLETE")
"""The event types that end a run, in the order in which they rank at one moment."""

_RANKS = {name: rank for rank, name in enumerate(("START", "RUNNING", "OTHER", *TERMINAL), start=1)}
_STATIC_RANK = 0

_KINDS = (RunEvent, JobEvent, DatasetEvent)

_encoder = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False)

_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class DatasetReading:
    """A dataset as an event names it."""

    key: Key
    facets: Mapping[str, str]
    """Dataset facets in canonical JSON, by wire key."""
    use_facets: Mapping[str, str]
    """Input or output facets likewise."""


@dataclass(frozen=True, slots=True)
class EventReading:
    """What one event says."""

    moment: Moment
    rank: int
    event_type: str | None = None
    run: str | None = None
    run_facets: Mapping[str, str] | None = None
    job: Key | None = None
    job_facets: Mapping[str, str] | None = None
    inputs: tuple[DatasetReading, ...] = ()
    outputs: tuple[DatasetReading, ...] = ()
    dataset: DatasetReading | None = None

    def order(self, *, output: bool = False) -> Order:
        """Return where the event's statements stand among all; those about an output come last."""
        return (*self.moment, self.rank * 2 + output)


def run_key(run_id: str) -> str:
    """Return the one spelling of a run id: UUIDs differ in letter case and mean the same."""
    return run_id.lower() if _UUID.fullmatch(run_id) else run_id


def read(event: RunEvent | JobEvent | DatasetEvent | Mapping[str, Any]) -> EventReading:
    """Take an event apart.

    Only what the state cannot do without is asked for: the time, and the names of the run, the job and
    the datasets. Everything else may be as wrong as a tolerant reader lets through; what is no object
    among the datasets is none.

    Raises:
        EventError: It is no event, has no time with an offset, or something in it has no name.
    """
    if not isinstance(event, (*_KINDS, Mapping)):
        hint = "parse_event() reads JSON text"
        raise EventError([Finding("", "an event, or its JSON object as a dict", shown(event), hint)])
    document = event if isinstance(event, Mapping) else event.to_dict()
    kind = type(event) if isinstance(event, _KINDS) else _kind_of(document)
    try:
        moment = moment_of(document["eventTime"])
    except (KeyError, TypeError, ValueError, OverflowError):
        raise _unplaced(
            "/eventTime", "an RFC 3339 date-time with an offset", document.get("eventTime")
        ) from None
    if issubclass(kind, DatasetEvent):
        dataset = _dataset(_object(document, ["dataset"]), ["dataset"])
        return EventReading(moment, _STATIC_RANK, dataset=dataset)
    job = _object(document, ["job"])
    said: dict[str, Any] = {
        "job": _key(job, ["job"]),
        "job_facets": _facets(job, ["job"], "facets"),
        "inputs": tuple(_datasets(document, "inputs", "inputFacets")),
        "outputs": tuple(_datasets(document, "outputs", "outputFacets")),
    }
    if issubclass(kind, JobEvent):
        return EventReading(moment, _STATIC_RANK, **said)
    run = _object(document, ["run"])
    event_type = document.get("eventType")
    known_type = event_type if isinstance(event_type, str) and event_type in _RANKS else None
    return EventReading(
        moment,
        _RANKS[known_type or "OTHER"],
        event_type=known_type,
        run=run_key(_text(run, ["run"], "runId")),
        run_facets=_facets(run, ["run"], "facets"),
        **said,
    )


def _kind_of(document: Mapping[str, Any]) -> type:
    if "run" in document and ("job" in document or "dataset" not in document):
        return RunEvent
    if "job" in document or "dataset" not in document:
        return JobEvent
    return DatasetEvent


def _unplaced(pointer: str, expected: str, found: Any) -> EventError:
    return EventError(
        [Finding(pointer, expected, shown(found), "without it the event has no place in a state")]
    )


def _object(parent: Mapping[str, Any], path: list[str | int]) -> Mapping[str, Any]:
    value = parent.get(str(path[-1]))
    if not isinstance(value, Mapping):
        raise _unplaced(json_pointer(path), "an object", value)
    return value


def _text(parent: Mapping[str, Any], path: list[str | int], name: str) -> str:
    value = parent.get(name)
    if not isinstance(value, str):
        raise _unplaced(json_pointer([*path, name]), "a string", value)
    return value


def _key(entity: Mapping[str, Any], path: list[str | int]) -> Key:
    return _text(entity, path, "namespace"), _text(entity, path, "name")


def _datasets(document: Mapping[str, Any], name: str, use_facets: str) -> Iterator[DatasetReading]:
    datasets = document.get(name)
    for index, dataset in enumerate(datasets if isinstance(datasets, list) else ()):
        if isinstance(dataset, Mapping):
            yield _dataset(dataset, [name, index], use_facets)


def _dataset(dataset: Mapping[str, Any], path: list[str | int], use_facets: str = "") -> DatasetReading:
    return DatasetReading(
        _key(dataset, path),
        _facets(dataset, path, "facets"),
        _facets(dataset, path, use_facets) if use_facets else {},
    )


def _facets(entity: Mapping[str, Any], path: list[str | int], name: str) -> dict[str, str]:
    facets = entity.get(name)
    if not isinstance(facets, Mapping):
        return {}
    return {key: _canonical(facet, [*path, name, key]) for key, facet in facets.items()}


def _canonical(facet: Any, path: list[str | int]) -> str:
    try:
        return _encoder.encode(facet)
    except (TypeError, ValueError, RecursionError) as error:
        raise EventError([Finding(json_pointer(path), "a JSON value", str(error))]) from None
