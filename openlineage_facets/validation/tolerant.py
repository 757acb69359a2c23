"""Events of whatever was sent: typed as far as it is valid, and as it came where it is not."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, get_args, get_origin

from pydantic import TypeAdapter, ValidationError
from pydantic_core import to_json

from openlineage_facets.base.containers import FacetMap
from openlineage_facets.base.errors import EventError
from openlineage_facets.base.model import Model, wire_names
from openlineage_facets.generated.open_lineage import JobEvent
from openlineage_facets.parsing import kind_meant
from openlineage_facets.validation.raw_facet import RawFacet

if TYPE_CHECKING:
    from openlineage_facets.base.entities import FacetModel
    from openlineage_facets.parsing import Event

__all__ = ["tolerant_event"]

M = TypeVar("M", bound=Model)


def tolerant_event(document: dict[str, Any]) -> Event | None:
    """Return the event that a JSON object is meant to be; None where it has no run, job or dataset.

    Each facet that is valid by itself is typed. Another is kept as the base facet of its entity, or as a
    `RawFacet` where it is no object. A field that is invalid, or absent and required, reads as None (or
    as it came, where its type is right: a run id that is no UUID); it is written as it came.
    """
    try:
        kind = kind_meant(document)
    except EventError:
        if "job" not in document:
            return None
        kind = JobEvent  # A job and a dataset: the dataset is kept as a field that nobody knows.
    return _model(kind, document)


class _Field(NamedTuple):
    """One field of a class: its names, what reads it, and what may stand in it."""

    name: str
    wire: str
    reader: TypeAdapter[Any]
    kind: type | None
    """The class it holds where it is there, None where that is a list, a map or a choice."""
    entry: type[Model] | None
    """For a list of objects, the class of these."""


_FIELDS: dict[type[Model], tuple[_Field, ...]] = {}


def _fields(cls: type[Model]) -> tuple[_Field, ...]:
    fields = _FIELDS.get(cls)
    if fields is None:
        cls.model_rebuild()  # Before, fields may still name a class further down.
        names = wire_names(cls)
        fields = _FIELDS[cls] = tuple(
            _Field(name, names[name], TypeAdapter(field.rebuild_annotation()), *_kind_of(field.annotation))
            for name, field in cls.model_fields.items()
        )
    return fields


def _kind_of(annotation: Any) -> tuple[type | None, type[Model] | None]:
    """Return the class that a field holds when None is taken out, and that of a list's entries."""
    origin = get_origin(annotation)
    if origin is None:
        return (annotation if isinstance(annotation, type) else None), None
    inner = [one for one in get_args(annotation) if one is not type(None)]
    if origin is tuple:
        entry = _kind_of(inner[0])[0]
        return None, entry if entry is not None and issubclass(entry, Model) else None
    if isinstance(origin, type) and issubclass(origin, FacetMap):
        return origin, None
    return _kind_of(inner[0]) if len(inner) == 1 else (None, None)


def _model(cls: type[M], document: Mapping[str, Any]) -> M:
    """Return a value of `cls` that is written as `document`."""
    values: dict[str, Any] = {}
    held: set[str] = set()
    kept = dict(document)
    for field in _fields(cls):
        values[field.name] = None
        if field.wire in document:
            value, is_whole = _value(field, document[field.wire])
            values[field.name] = value
            if is_whole:
                held.add(field.name)
                del kept[field.wire]
    return _built(cls, values, held, kept)


def _built(cls: type[M], values: dict[str, Any], held: set[str], kept: dict[str, Any] | None = None) -> M:
    """Make a value without validation, as `model_construct` does, but of the very fields given."""
    made = cls.__new__(cls)
    object.__setattr__(made, "__dict__", values)
    object.__setattr__(made, "__pydantic_fields_set__", held)
    object.__setattr__(made, "__pydantic_extra__", kept or {})
    object.__setattr__(made, "__pydantic_private__", None)
    return made


def _value(field: _Field, given: Any) -> tuple[Any, bool]:
    """Return what a field holds, and whether all that was given can be written from that."""
    try:
        return field.reader.validator.validate_json(to_json(given), strict=True), True
    except ValidationError:
        pass
    kind = field.kind
    if field.entry is not None and isinstance(given, list):
        read = tuple(_model(field.entry, entry) for entry in given if isinstance(entry, dict))
        return read, len(read) == len(given)
    if kind is not None and isinstance(given, dict):
        if issubclass(kind, Model):
            return _model(kind, given), True
        if issubclass(kind, FacetMap):
            return _container(kind, given), True
    return (given, True) if type(given) is kind else (None, False)


def _container(cls: type[FacetMap[Any]], given: dict[str, Any]) -> FacetMap[Any]:
    """Return a container of facets, each typed if it is valid by itself."""
    base = cls.base_facet()
    return cls._of({key: _facet(cls, base, key, facet) for key, facet in given.items()})


def _facet(cls: type[FacetMap[Any]], base: type[FacetModel], key: str, given: Any) -> FacetModel:
    try:
        # A container of this one facet: it knows which class reads it, its spellings and deleted ones.
        facet: FacetModel = _reader(cls).validator.validate_json(to_json({key: given}), strict=True)[key]
        return facet
    except ValidationError:
        if isinstance(given, dict):
            return _model(base, given)
        return _built(RawFacet, {"producer": None, "schema_url": None, "value": given}, {"value"})


@cache
def _reader(cls: type[FacetMap[Any]]) -> TypeAdapter[Any]:
    return TypeAdapter(cls)
