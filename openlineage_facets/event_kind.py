"""The kind of an event: run, job or dataset; the types of events that end a run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

from openlineage_facets.base.errors.findings import EventError, Finding
from openlineage_facets.generated.open_lineage import DatasetEvent, JobEvent, RunEvent

EventKind: TypeAlias = Literal["run", "job", "dataset"]

EventClass: TypeAlias = "type[RunEvent] | type[JobEvent] | type[DatasetEvent]"

_CLASSES: dict[EventKind, EventClass] = {"run": RunEvent, "job": JobEvent, "dataset": DatasetEvent}

NO_EVENT = "OL002"
"""The code of JSON that is not an event, or not of exactly one kind."""

TERMINAL_EVENT_TYPES = ("FAIL", "ABORT", "COMPLETE")
"""The event types that end a run, by precedence at the same time."""


def class_of_kind(kind: EventKind) -> EventClass:
    """Return the class of events of this kind."""
    return _CLASSES[kind]


def kind_of(document: Mapping[str, Any]) -> EventKind | None:
    """Return the kind of an event, valid or not; None if it has no run, job or dataset.

    An event with both a job and a dataset and no run is a job event unless it is only valid, or more
    likely meant, as a dataset event.

    Args:
        document: The event as a JSON object.

    Example:
        >>> kind_of({"dataset": {"namespace": "s3://lake", "name": "orders"}, "job": {"note": 1}})
        'dataset'
    """
    has_run, has_job, has_dataset = "run" in document, "job" in document, "dataset" in document
    if has_run and (has_job or not has_dataset):
        return "run"
    if has_job and has_dataset:
        kinds = _valid_kinds(document)
        return kinds[0] if kinds else _likelier_kind(document)
    if has_job:
        return "job"
    return "dataset" if has_dataset else None


def strict_kind_of(document: Mapping[str, Any]) -> EventKind:
    """Return the kind of an event, as `kind_of` does, if there is exactly one.

    Raises:
        EventError: The event has no run, job or dataset, or is valid both as a job event and as a dataset
            event.
    """
    kind = kind_of(document)
    if kind is None:
        hint = "add the entity that the event describes"
        expected, problem = "a run and a job, a job, or a dataset", "an event without a run, job or dataset"
        finding = Finding("", expected, "nothing", hint, NO_EVENT, problem=problem)
        raise EventError([finding])
    if kind == "job" and "dataset" in document and len(_valid_kinds(document)) > 1:
        hint = "emit the job and the dataset in two events"
        raise EventError([Finding("", "a job event or a dataset event", "both in one", hint, code=NO_EVENT)])
    return kind


def _valid_kinds(document: Mapping[str, Any]) -> list[EventKind]:
    """Return the kinds, of job and dataset, whose core schema accepts an event that has both entities.

    Each kind allows the other's entity as an unknown field.
    """
    core = _without_known_facets(document)
    both: tuple[EventKind, ...] = ("job", "dataset")
    return [kind for kind in both if _is_valid(kind, core)]


def _is_valid(kind: EventKind, document: dict[str, Any]) -> bool:
    try:
        _CLASSES[kind].from_json(document)
    except EventError:
        return False
    return True


def _likelier_kind(document: Mapping[str, Any]) -> EventKind:
    """Return the kind that an invalid event was most likely meant to be.

    That is the kind whose entity has a namespace and a name; if both or none have, the one that
    `schemaURL` names.
    """
    job, dataset = _is_named(document["job"]), _is_named(document["dataset"])
    if job != dataset:
        return "job" if job else "dataset"
    url = document.get("schemaURL")
    return "dataset" if isinstance(url, str) and url.endswith("/DatasetEvent") else "job"


def _is_named(entity: Any) -> bool:
    return isinstance(entity, Mapping) and all(
        isinstance(entity.get(key), str) for key in ("namespace", "name")
    )


def _without_known_facets(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return `document` with its facets under unknown keys, so that only the core schema applies."""

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
