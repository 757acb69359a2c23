"""Convert events to the classes of openlineage-python."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from enum import Enum
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias, get_args, get_origin, get_type_hints, overload

from openlineage_facets.base.containers.facet_map import FacetMap
from openlineage_facets.base.errors.findings import EventError, Finding, describe, invalid
from openlineage_facets.base.errors.json_pointer import json_pointer
from openlineage_facets.base.json.json_input import without_null_fields
from openlineage_facets.base.model.field_names import wire_names
from openlineage_facets.generated.open_lineage import (
    DatasetEvent,
    DatasetFacet,
    InputDatasetFacet,
    JobEvent,
    JobFacet,
    OutputDatasetFacet,
    RunEvent,
    RunFacet,
)
from openlineage_facets.version import install_command

if TYPE_CHECKING:
    from openlineage.client import event_v2 as client

_BASE_FACETS = (RunFacet, JobFacet, InputDatasetFacet, OutputDatasetFacet, DatasetFacet)
_GENERATED = "openlineage_facets.generated."


@overload
def to_openlineage(event: RunEvent) -> client.RunEvent: ...
@overload
def to_openlineage(event: JobEvent) -> client.JobEvent: ...
@overload
def to_openlineage(event: DatasetEvent) -> client.DatasetEvent: ...
def to_openlineage(event: RunEvent | JobEvent | DatasetEvent) -> Any:
    """Return an event as an object of openlineage-python, for code that has not been migrated yet.

    Facets that the client defines become its classes. Other facets become its base facets with additional
    properties, and objects with fields that its classes do not have become dicts. `parse_event` converts the
    result back into an equal event.

    Args:
        event: The event.

    Raises:
        EventError: The argument is not an event, or openlineage-python cannot represent a part of it: a null,
            an empty object in a list, an unknown field of a run, job, dataset, event or tag, or an invalid
            value.
        ImportError: openlineage-python is not installed.

    Example:
        >>> OpenLineageClient().emit(to_openlineage(event))
    """
    try:
        from openlineage.client.serde import Serde
    except ImportError:
        raise ImportError(f"to_openlineage needs openlineage-python: {install_command('client')}") from None
    kind = next((cls for cls in (RunEvent, JobEvent, DatasetEvent) if isinstance(event, cls)), None)
    if kind is None:
        expected = "a RunEvent, a JobEvent or a DatasetEvent"
        raise invalid("", expected, describe(event), "create it with parse_event or a builder")
    document = event.to_dict()
    with _refusals_as_findings("an event", _SEND_UNCHANGED):
        converted = _entity(_client_class("base", kind.__name__), event, document)
    facets: dict[_Steps, Any] = {
        (entity, "facets"): getattr(getattr(converted, entity, None), "facets", None)
        for entity in ("run", "job")
    }
    _assert_lossless(document, Serde.to_dict(converted), facets, _SEND_UNCHANGED)
    return converted


def client_lineage(lineage: Any) -> dict[str, Any]:
    """Return the lineage of a task as objects of openlineage-python, by the names of its attributes.

    Fields that are null are left out, because the client does not write them.

    Args:
        lineage: A model with the attributes `inputs`, `outputs`, `run_facets` and `job_facets`.

    Raises:
        EventError: openlineage-python cannot represent a part, see `to_openlineage`.
    """
    from openlineage.client.serde import Serde

    document = without_null_fields(lineage.to_dict())
    hint = "leave it out; tags_facet composes tags that the client reads"
    with _refusals_as_findings("a lineage", hint):
        parts = _parts(lineage, document, dict.fromkeys(("inputs", "outputs", "runFacets", "jobFacets")))
    written: dict[str, Any] = {
        name: {key: Serde.to_dict(facet) for key, facet in part.items()}
        if isinstance(part, dict)
        else list(map(Serde.to_dict, part))
        for name, part in parts.items()
    }
    run, job = parts.get("runFacets", {}), parts.get("jobFacets", {})
    _assert_lossless(document, written, {("runFacets",): run, ("jobFacets",): job}, hint)
    datasets = {name: parts.get(name, []) for name in ("inputs", "outputs")}
    return {**datasets, "run_facets": run, "job_facets": job}


@contextmanager
def _refusals_as_findings(converted: str, hint: str) -> Iterator[None]:
    """Raise what the client's classes refuse as an EventError."""
    try:
        yield
    except (TypeError, ValueError) as error:
        raise invalid("", f"{converted} that openlineage-python accepts", str(error), hint) from None


def _assert_lossless(document: Any, written: Any, facets: Mapping[_Steps, Any], hint: str) -> None:
    """Raise an EventError for what the client would lose, or for which it would raise.

    Args:
        document: The wire format of the event.
        written: What the client writes.
        facets: The client's facets of the run and the job, by the steps to them.
        hint: How to fix it.
    """
    expected = "a value that openlineage-python writes unchanged"
    places = list(_losses(document, written, ()))
    if not places:
        expected = "a tag with key, value and source, since the client reads the tags of runs and jobs"
        places = list(_unread_tags(facets))
    if places:
        raise EventError(
            Finding(json_pointer(steps), expected, describe(value), hint) for steps, value in places
        )


_Steps: TypeAlias = tuple[str | int, ...]

_SEND_UNCHANGED = "ClientEmitter sends the event unchanged through the client's transports"


def _entity(cls: Any, entity: Any, document: dict[str, Any]) -> Any:
    """Return an event, run, job or dataset as an instance of a class of openlineage-python.

    Unknown fields of runs, jobs and datasets are lost, because the client has no place for them.

    Args:
        cls: The class.
        entity: The event, run, job or dataset.
        document: Its wire format.
    """
    return _instance(cls, document, _parts(entity, document, _hints(cls)))


def _parts(entity: Any, document: dict[str, Any], hints: Mapping[str, Any]) -> dict[str, Any]:
    """Return the entities and facets in an event, entity or lineage as objects of openlineage-python.

    Args:
        entity: The event, entity or lineage.
        document: Its wire format.
        hints: The fields that the client has, with its classes of a run, job and dataset. Others, such as
            those of a user's subclass, are left out.
    """
    parts: dict[str, Any] = {}
    for attribute, name in wire_names(type(entity)).items():
        part = getattr(entity, attribute)
        if name not in hints:
            continue
        if isinstance(part, FacetMap):
            parts[name] = {key: _facet(facet, document[name][key]) for key, facet in part.items()}
        elif name in ("run", "job", "dataset"):
            parts[name] = _entity(hints[name], part, document[name])
        elif name in ("inputs", "outputs") and part is not None:
            kind = "InputDataset" if name == "inputs" else "OutputDataset"
            cls = _client_class("base", kind)
            parts[name] = [_entity(cls, *pair) for pair in zip(part, document[name], strict=True)]
    return parts


def _facet(facet: Any, document: Any) -> Any:
    """Return a facet as the most specific class that writes it unchanged, at last as a dict."""
    own = _own_class(facet.__class__)
    if own is not None and (converted := _unchanged(own, document)) is not document:
        return converted
    base = next((cls for cls in _BASE_FACETS if isinstance(facet, cls)), None)
    return document if base is None else _unchanged(_client_class("base", base.__name__), document)


def _unchanged(cls: Any, document: Any) -> Any:
    """Return an instance of a class that is written unchanged; `document` if there is none."""
    from openlineage.client.serde import Serde

    try:
        converted = _instance(cls, document, {})
    except (TypeError, ValueError, SyntaxError):
        return document  # A tombstone has no required fields; names of fields may be no identifiers.
    return converted if Serde.to_dict(converted) == document else document


@cache
def _own_class(cls: Any) -> Any:
    """Return the client's class for a class of this package, None if it has none."""
    if not cls.__module__.startswith(_GENERATED):
        return None
    try:
        return _client_class(cls.__module__.removeprefix(_GENERATED), cls.__name__)
    except (ModuleNotFoundError, AttributeError):
        return None


def _client_class(module: str, name: str) -> Any:
    return getattr(import_module(f"openlineage.client.generated.{module}"), name)


def _instance(cls: Any, document: Mapping[str, Any], parts: Mapping[str, Any]) -> Any:
    """Return an instance of one of the client's classes.

    Fields that are absent are None, which the client does not write.

    Args:
        cls: The class.
        document: The JSON object.
        parts: Values of fields that have been converted already.
    """
    hints = _hints(cls)
    fields = {field.name: field for field in cls.__attrs_attrs__}
    values = {
        name: parts[name] if name in parts else _value(hints.get(name), value)
        for name, value in document.items()
        if name in fields
    }
    arguments = {
        field.alias: values.get(name)
        for name, field in fields.items()
        if field.init and (name in values or hasattr(field.default, "factory"))
    }
    converted = cls(**arguments)
    unknown = {name: value for name, value in document.items() if name not in fields}
    if unknown and hasattr(converted, "with_additional_properties"):
        converted = converted.with_additional_properties(**unknown)
    for name, value in values.items():
        if not fields[name].init:
            setattr(converted, name, value)
    return converted


@cache
def _hints(cls: Any) -> dict[str, Any]:
    return get_type_hints(cls)


def _value(hint: Any, value: Any) -> Any:
    """Return a JSON value as the type that a field of the client's class has."""
    if isinstance(hint, type) and issubclass(hint, Enum):
        return hint(value)
    if isinstance(value, dict) and hasattr(hint, "__attrs_attrs__"):
        return _unchanged(hint, value)
    arguments = get_args(hint)
    if get_origin(hint) is list and isinstance(value, list):
        return [_value(arguments[0], item) for item in value]
    if get_origin(hint) is dict and isinstance(value, dict):
        return {key: _value(arguments[1], item) for key, item in value.items()}
    if value is not None and type(None) in arguments:
        inner = [argument for argument in arguments if argument is not type(None)]
        return _value(inner[0], value) if len(inner) == 1 else value
    return value


def _unread_tags(facets: Mapping[_Steps, Any]) -> Iterator[tuple[_Steps, Any]]:
    """Yield what is no object of the client in the tags facets to which it adds its own tags."""
    for steps, container in facets.items():
        facet = (container or {}).get("tags")
        if isinstance(facet, dict):
            yield (*steps, "tags"), facet
        for index, tag in enumerate(getattr(facet, "tags", None) or ()):
            if isinstance(tag, dict):
                yield (*steps, "tags", "tags", index), tag


def _losses(document: Any, written: Any, steps: _Steps) -> Iterator[tuple[_Steps, Any]]:
    """Yield the steps to each value that is not written unchanged, and the value."""
    if isinstance(document, dict) and isinstance(written, dict):
        for name, value in document.items():
            if name not in written:
                yield (*steps, name), value
            elif value != written[name]:
                yield from _losses(value, written[name], (*steps, name))
    elif isinstance(document, list) and isinstance(written, list) and len(document) == len(written):
        for index, (value, other) in enumerate(zip(document, written, strict=True)):
            if value != other:
                yield from _losses(value, other, (*steps, index))
    else:
        yield steps, document
