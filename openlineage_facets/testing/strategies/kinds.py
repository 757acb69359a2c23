"""What may stand in a field, as its annotation says: what making and breaking values both go by."""

from __future__ import annotations

import inspect
import types
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from operator import getitem
from typing import Annotated, Any, Literal, TypeAlias, Union, cast, get_args, get_origin, get_type_hints

import annotated_types
from pydantic import AfterValidator, BaseModel, BeforeValidator, PlainValidator, WrapValidator
from pydantic.fields import FieldInfo
from typing_extensions import TypeAliasType

from openlineage_facets.base.containers import FacetMap
from openlineage_facets.base.entities import EventModel, FacetModel
from openlineage_facets.base.timestamp import Timestamp
from openlineage_facets.base.types import Integer, Json, Maybe, Number, OneOf, UuidText

__all__ = [
    "Choice",
    "Constants",
    "Facets",
    "Field",
    "Foreign",
    "Kind",
    "ListOf",
    "MapOf",
    "Object",
    "Scalar",
    "extras_of",
    "fields_of",
    "is_closed",
    "kind_of",
]


@dataclass(frozen=True)
class Scalar:
    """A value of one JSON type, or of any.

    Args:
        name: "string", "uri", "uuid", "date-time", "integer", "number", "boolean", "null" or "any"; "int"
            and "float" are numbers as Python's own types read them, an "int" never written with a fraction.
        limits: Bounds and lengths by the names that `Field` gives them, such as `ge`, and `pattern`.
    """

    name: str
    limits: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Constants:
    """One of a few values."""

    values: tuple[Any, ...]


@dataclass(frozen=True)
class Object:
    """A JSON object that a class reads."""

    cls: type[BaseModel]


@dataclass(frozen=True)
class Facets:
    """A map of facets: an entity's own, or with `quoted` those that a facet quotes of another entity."""

    container: type[FacetMap[Any]]
    quoted: type[FacetModel] | None = None

    @property
    def base(self) -> type[FacetModel]:
        """The base facet that every facet in the map extends."""
        return self.quoted or self.container.base_facet()


@dataclass(frozen=True)
class ListOf:
    """An array."""

    items: Kind
    limits: Mapping[str, Any] = field(default_factory=dict)
    unique: bool = False


@dataclass(frozen=True)
class MapOf:
    """An object whose keys are free."""

    values: Kind


@dataclass(frozen=True)
class Choice:
    """One of several kinds; with `counted`, of exactly one.

    Args:
        branches: The kinds.
        counted: The annotation that counts the branches, None where they can't overlap.
    """

    branches: tuple[Kind, ...]
    counted: Any = None


@dataclass(frozen=True)
class Foreign:
    """A type of somebody else's, which hypothesis and pydantic know how to make and to write."""

    annotation: Any


Kind: TypeAlias = "Scalar | Constants | Object | Facets | ListOf | MapOf | Choice | Foreign"


def _marker(alias: Any) -> type:
    """Return the class of the metadata that makes a type of the wire what it is."""
    metadata: object = get_args(alias)[-1]
    return type(metadata)


_OPTIONAL = _marker(Maybe)
_COUNTED = _marker(OneOf)
_MARKED = {
    _marker(Integer): "integer",
    _marker(Number): "number",
    _marker(UuidText): "uuid",
    _marker(Json): "any",
}
_PLAIN = {str: "string", int: "int", float: "float", bool: "boolean", type(None): "null", Any: "any"}
_VALIDATORS = (AfterValidator, BeforeValidator, PlainValidator, WrapValidator)
_LIMITS = ("ge", "gt", "le", "lt", "min_length", "max_length", "pattern", "multiple_of")


def kind_of(annotation: Any, metadata: Sequence[Any] = ()) -> Kind:
    """Return what an annotation and the metadata beside it say."""
    if annotation is None:
        return Scalar("null")
    origin = get_origin(annotation)
    if origin is Annotated:
        inner, *outer = get_args(annotation)
        return kind_of(inner, [*outer, *metadata])
    metadata = [one for given in metadata for one in _flat(given)]
    if isinstance(annotation, TypeAliasType):
        return kind_of(annotation.__value__, metadata)
    if any(isinstance(one, _VALIDATORS) for one in metadata):
        return Foreign(_annotated(annotation, metadata))
    limits = _limits(metadata)
    for one in metadata:
        if type(one) in _MARKED:
            return Scalar(_MARKED[type(one)], limits)
    if origin in (Union, types.UnionType):
        return _choice(annotation, metadata)
    if origin is Literal:
        return Constants(tuple(one.value if isinstance(one, Enum) else one for one in get_args(annotation)))
    if origin is not None:
        return _generic(annotation, origin, limits)
    return _plain(annotation, metadata, limits)


def _plain(annotation: Any, metadata: Sequence[Any], limits: Mapping[str, Any]) -> Kind:
    if annotation in (str, int, float, bool, type(None), Any):
        is_uri = annotation is str and "uri" in [one for one in metadata if isinstance(one, str)]
        return Scalar("uri" if is_uri else _PLAIN[annotation], limits)
    if annotation in (Timestamp, datetime):
        return Scalar("date-time")
    if not isinstance(annotation, type):
        return Foreign(_annotated(annotation, metadata))
    if issubclass(annotation, Enum):
        return Constants(tuple(member.value for member in annotation))
    if issubclass(annotation, FacetMap):
        return Facets(annotation)
    if issubclass(annotation, BaseModel):
        return Object(annotation)
    return Foreign(_annotated(annotation, metadata))


def _generic(annotation: Any, origin: Any, limits: Mapping[str, Any]) -> Kind:
    arguments = get_args(annotation)
    if isinstance(origin, type) and issubclass(origin, FacetMap):
        return Facets(origin, quoted=arguments[0])
    if isinstance(origin, type) and issubclass(origin, Mapping) and arguments[0] is str:
        return MapOf(kind_of(arguments[1]))
    if origin is tuple and not (len(arguments) == 2 and arguments[1] is Ellipsis):
        return Foreign(annotation)
    if isinstance(origin, type) and issubclass(origin, (Sequence, Set)):
        return ListOf(kind_of(arguments[0]), limits, unique=issubclass(origin, Set))
    return Foreign(annotation)


def _choice(annotation: Any, metadata: Sequence[Any]) -> Kind:
    markers = {type(one) for one in metadata}
    members = get_args(annotation)
    if _OPTIONAL in markers:
        members = tuple(member for member in members if member is not type(None))
    rest = [one for one in metadata if type(one) is not _OPTIONAL]
    if len(members) == 1:
        return kind_of(members[0], rest)
    branches = tuple(
        kind_of(member, [one for one in rest if type(one) is not _COUNTED]) for member in members
    )
    return Choice(branches, _annotated(annotation, rest) if _COUNTED in markers else None)


def _annotated(annotation: Any, metadata: Sequence[Any]) -> Any:
    return getitem(cast(Any, Annotated), (annotation, *metadata)) if metadata else annotation


def _flat(given: Any) -> list[Any]:
    """Return the metadata that `Field(...)` or a group of constraints stands for."""
    if isinstance(given, FieldInfo):
        return list(given.metadata)
    if isinstance(given, annotated_types.GroupedMetadata):
        return list(given)
    return [given]


def _limits(metadata: Sequence[Any]) -> dict[str, Any]:
    return {
        name: value
        for one in metadata
        for name in _LIMITS
        if (value := getattr(one, name, None)) is not None and not inspect.ismethod(value)
    }


@dataclass(frozen=True)
class Field:
    """A declared field of a class.

    Args:
        name: Its Python name.
        wire: Its wire name.
        kind: What stands in it.
        required: Whether it must be there on the wire.
    """

    name: str
    wire: str
    kind: Kind
    required: bool


_FIELDS: dict[type[BaseModel], tuple[Field, ...]] = {}


def fields_of(cls: type[BaseModel]) -> tuple[Field, ...]:
    """Return the declared fields of a class, in order."""
    fields = _FIELDS.get(cls)
    if fields is None:
        if not cls.__pydantic_complete__:
            cls.model_rebuild()
        fields = _FIELDS[cls] = tuple(
            Field(name, info.alias or name, _field_kind(cls, name, info), info.is_required())
            for name, info in cls.model_fields.items()
        )
    return fields


def _field_kind(cls: type[BaseModel], name: str, info: FieldInfo) -> Kind:
    if issubclass(cls, (EventModel, FacetModel)) and name in ("producer", "schema_url"):
        return Scalar("uri")  # Composing asserts an absolute one, whatever reading lets pass.
    return kind_of(info.annotation, info.metadata)


def is_closed(cls: type[BaseModel]) -> bool:
    """Tell whether a class keeps no fields that it does not declare."""
    return cls.model_config.get("extra") != "allow"


def extras_of(cls: type[BaseModel]) -> Kind:
    """Return what the undeclared fields of a class must be."""
    for owner in cls.__mro__:
        said = inspect.get_annotations(owner).get("__pydantic_extra__")
        if said is not None and owner is not BaseModel:
            hinted = type("Extras", (), {"__annotations__": {"extras": said}, "__module__": owner.__module__})
            kind = kind_of(get_type_hints(hinted, include_extras=True)["extras"])
            return kind.values if isinstance(kind, MapOf) else Scalar("any")
    return Scalar("any")
