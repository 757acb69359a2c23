"""The fields of the generated classes: which are URIs, and which contain objects or facets."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Iterator, MutableMapping, Sequence
from functools import cached_property
from typing import Any, Literal, NamedTuple, TypeAlias, get_args, get_origin

from openlineage_facets.base.containers.facet_map import FacetMap
from openlineage_facets.base.containers.registered_facets import forget_on_registration
from openlineage_facets.base.errors.name_suggestions import similar_name
from openlineage_facets.base.model.field_names import wire_names
from openlineage_facets.base.model.model import Model
from openlineage_facets.base.wire.pydantic_internals import declared_fields
from openlineage_facets.base.wire.types import URI, classes_in

FieldKind: TypeAlias = Literal["uri", "object", "list", "map", "facets", "misspelled"]
"""The kinds of fields that a walk through an event checks or descends into.

An object, a list or a map of objects, or a facet container; "misspelled" is an unknown field with a name
similar to a known one.
"""


class FieldStructure(NamedTuple):
    """One field to check.

    Attributes:
        name: Its wire name.
        kind: Its kind.
        inner: The structure of its value; for a misspelled field, the intended name.
    """

    name: str
    kind: FieldKind
    inner: Any


class ObjectStructure:
    """The fields of the objects that one or several classes read.

    Attributes:
        classes: The classes; several if the field is a union.
        known: The wire names of the fields.
        is_open: Whether unknown fields are expected: a base facet reads custom facets.
        fields: The fields to check or to descend into, by wire name.
        fields_by_keys: Cached results of `fields_to_check`.
    """

    def __init__(self, classes: tuple[type[Model], ...]) -> None:
        self.classes = classes
        self.is_open = any(cls.__open__ for cls in classes)
        self.known: frozenset[str] = frozenset().union(*(wire_names(cls).values() for cls in classes))
        self.fields: dict[str, FieldStructure] = {}
        self.fields_by_keys: dict[tuple[str, ...], tuple[FieldStructure, ...]] = {}

    def fields_to_check(self, keys: tuple[str, ...]) -> tuple[FieldStructure, ...]:
        """Return the fields to check in an object with these keys; cached."""
        fields = [self.fields[key] for key in keys if key in self.fields]
        if not self.is_open:
            absent = sorted(self.known.difference(keys))
            similar = ((key, similar_name(key, absent)) for key in keys if key not in self.known)
            fields += [FieldStructure(key, "misspelled", name) for key, name in similar if name is not None]
        if len(self.fields_by_keys) >= _CACHED_KEYS:
            self.fields_by_keys.clear()
        self.fields_by_keys[keys] = tuple(fields)
        return self.fields_by_keys[keys]

    @cached_property
    def contains_uri(self) -> bool:
        """Whether the object may contain a URI, at any depth."""
        pending, seen = [self], {id(self)}
        while pending:
            for field in pending.pop().fields.values():
                if field.kind in ("uri", "facets"):
                    return True
                if id(field.inner) not in seen:
                    seen.add(id(field.inner))
                    pending.append(field.inner)
        return False

    def at(self, steps: Sequence[str]) -> ObjectStructure | None:
        """Return the structure of the value at `steps` below the object, None if it is unknown."""
        if not steps:
            return self
        field = self.fields.get(steps[0])
        if field is None or field.kind == "uri":
            return None
        inner: ObjectStructure = field.inner
        if field.kind == "object":
            return inner.at(steps[1:])
        if len(steps) < 2:
            return None
        if field.kind == "facets":
            inner = field.inner.facet(steps[1])
        return inner.at(steps[2:])

    def list_field(self, name: str) -> str | None:
        """Return the name of a field with a list of objects: `name` if it is one, else the first one."""
        lists = [field.name for field in self.fields.values() if field.kind == "list"]
        return name if name in lists else next(iter(lists), None)


_CACHED_KEYS = 1_000
"""Key combinations cached for each structure; custom facets have any number of them."""


class ContainerStructure:
    """The structures of the facets in a container.

    Attributes:
        known: The structures of known facets by facet key.
        custom: The structure of every other facet.
    """

    __slots__ = ("custom", "known")

    def __init__(self, known: dict[str, ObjectStructure], custom: ObjectStructure) -> None:
        self.known = known
        self.custom = custom

    def facet(self, key: str) -> ObjectStructure:
        """Return the structure of the facet under `key`."""
        return self.known.get(key, self.custom)


_Structures: TypeAlias = MutableMapping[tuple[Any, ...], Any]
"""Structures of objects by their classes, and of containers by their class and base facet."""

_STRUCTURES: _Structures = {}


def structure_of(*classes: type[Model]) -> ObjectStructure:
    """Return the structure of objects that one of `classes` reads; cached."""
    structure: ObjectStructure = _STRUCTURES.get(classes) or _complete(_object_structure, classes)
    return structure


def container_structure(container: type[FacetMap[Any]]) -> ContainerStructure:
    """Return the structure of a facet container; cached."""
    key = container, None
    structure: ContainerStructure = _STRUCTURES.get(key) or _complete(_container_structure, key)
    return structure


def _complete(make: Callable[[Any, _Structures], Any], key: tuple[Any, ...]) -> Any:
    """Return a new structure. Other threads see it, and those inside it, when all of them are complete."""
    made: dict[tuple[Any, ...], Any] = {}
    structure = make(key, ChainMap(made, _STRUCTURES))
    _STRUCTURES.update(made)
    return structure


def _object_structure(classes: tuple[type[Model], ...], known: _Structures) -> ObjectStructure:
    structure: ObjectStructure | None = known.get(classes)
    if structure is None:
        # Stored before its fields are added, since a class may be recursive.
        structure = known[classes] = ObjectStructure(classes)
        for cls in classes:
            _add_fields(structure, cls, known)
    return structure


def _add_fields(structure: ObjectStructure, cls: type[Model], known: _Structures) -> None:
    names = wire_names(cls)
    for name, field in declared_fields(cls).items():
        wire = names[name]
        if URI in field.metadata or URI in _metadata(field.annotation):
            structure.fields[wire] = FieldStructure(wire, "uri", None)
        for model, around in classes_in(field.annotation):
            container = next((cls for cls in (*around, model) if issubclass(cls, FacetMap)), None)
            if container is not None:
                inner = _container_structure((container, None if container is model else model), known)
                structure.fields[wire] = FieldStructure(wire, "facets", inner)
            elif issubclass(model, Model):
                previous = structure.fields.get(wire)
                classes = previous.inner.classes if previous else ()
                union = _object_structure(tuple(dict.fromkeys((*classes, model))), known)
                kind = _COLLECTIONS.get(around[-1], "object") if around else "object"
                structure.fields[wire] = FieldStructure(wire, kind, union)


_COLLECTIONS: dict[type[Any], FieldKind] = {tuple: "list", dict: "map"}


def _metadata(annotation: Any) -> Iterator[Any]:
    """Yield the metadata of every `Annotated` in an annotation."""
    yield from getattr(annotation, "__metadata__", ())
    for part in get_args(annotation):
        yield from _metadata(part) if get_origin(part) is not None else ()


def _container_structure(
    key: tuple[type[FacetMap[Any]], type[Model] | None], known: _Structures
) -> ContainerStructure:
    """Return the structure of a container class, or of one without known facets that have this base."""
    structure: ContainerStructure | None = known.get(key)
    if structure is None:
        container, base = key
        facets = {
            slot.key: _object_structure(classes, known)
            for slot in container.__slots_by_key__.values()
            if (classes := slot.classes())
        }
        custom = _object_structure((base or container._base_facet(),), known)
        structure = known[key] = ContainerStructure(facets, custom)
    return structure


forget_on_registration(_STRUCTURES.clear)
