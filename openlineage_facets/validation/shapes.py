"""What the classes know of a JSON object: its fields, which of them are URIs, what stands inside."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from functools import cached_property
from typing import Any, NamedTuple, get_args, get_origin

from openlineage_facets.base.containers import FacetMap
from openlineage_facets.base.model import Model, wire_names
from openlineage_facets.validation.near_names import near_name

__all__ = ["ContainerShape", "Look", "Shape", "Way", "shape_of"]


class Way(Enum):
    """What a field is to somebody who walks through an object."""

    URI = "a URI"
    OBJECT = "an object"
    LIST = "a list of objects"
    MAP = "a map of objects"
    FACETS = "facets by key"
    MISSPELT = "no field, but nearly one"


class Look(NamedTuple):
    """One field of an object that deserves a look.

    Attributes:
        name: Its wire name.
        way: Why.
        inside: The shape of what stands in it, or the name that was meant.
    """

    name: str
    way: Way
    inside: Any


class Shape:
    """The fields of an object that one of some classes reads.

    Attributes:
        classes: The classes; several where the schema leaves a choice.
        known: The wire names of the fields.
        is_open: Whether any other field is as good: in a base facet, it belongs to a custom facet.
        looks: What deserves a look where it is there, by wire name.
        plans: What deserves a look in an object, by the keys of the object.
    """

    def __init__(self, classes: tuple[type[Model], ...]) -> None:
        self.classes = classes
        self.is_open = any(cls.__open__ for cls in classes)
        self.known: frozenset[str] = frozenset().union(*(wire_names(cls).values() for cls in classes))
        self.looks: dict[str, Look] = {}
        self.plans: dict[tuple[str, ...], tuple[Look, ...]] = {}

    def plan(self, keys: tuple[str, ...]) -> tuple[Look, ...]:
        """Return what deserves a look in an object with these keys, and remember it."""
        plan = [self.looks[key] for key in keys if key in self.looks]
        if not self.is_open:
            absent = sorted(self.known.difference(keys))
            near = ((key, near_name(key, absent)) for key in keys if key not in self.known)
            plan += [Look(key, Way.MISSPELT, meant) for key, meant in near if meant is not None]
        if len(self.plans) >= _REMEMBERED:
            self.plans.clear()
        self.plans[keys] = tuple(plan)
        return self.plans[keys]

    @cached_property
    def holds_uri(self) -> bool:
        """Whether a URI may stand in the object, at any depth."""
        pending, seen = [self], {id(self)}
        while pending:
            for look in pending.pop().looks.values():
                if look.way in (Way.URI, Way.FACETS):
                    return True
                if id(look.inside) not in seen:
                    seen.add(id(look.inside))
                    pending.append(look.inside)
        return False

    def inside(self, steps: Sequence[str]) -> Shape | None:
        """Return the shape of what stands at `steps` below, None where no class knows of it."""
        if not steps:
            return self
        look = self.looks.get(steps[0])
        if look is None or look.way is Way.URI:
            return None
        inner: Shape = look.inside
        if look.way is Way.OBJECT:
            return inner.inside(steps[1:])
        if len(steps) < 2:
            return None
        if look.way is Way.FACETS:
            inner = look.inside.of(steps[1])
        return inner.inside(steps[2:])

    def first_list(self, name: str) -> str | None:
        """Return the field that holds a list of objects: `name` if it does, else the first one that does."""
        lists = [look.name for look in self.looks.values() if look.way is Way.LIST]
        return name if name in lists else next(iter(lists), None)


_REMEMBERED = 1_000
"""Plans that each shape keeps; custom facets have keys without end."""


class ContainerShape:
    """The shapes of the facets in a container.

    Attributes:
        facets: The shapes of the known facets by key.
        other: The shape of any other facet.
    """

    __slots__ = ("facets", "other")

    def __init__(self, facets: dict[str, Shape], other: Shape) -> None:
        self.facets = facets
        self.other = other

    def of(self, key: str) -> Shape:
        """Return the shape of the facet under `key`."""
        return self.facets.get(key, self.other)


_SHAPES: dict[tuple[type[Model], ...], Shape] = {}


def shape_of(*classes: type[Model]) -> Shape:
    """Return the shape of objects that one of `classes` reads, worked out when it is first asked for."""
    shape = _SHAPES.get(classes)
    if shape is None:
        # Known before its fields are, since an object may hold others of its class.
        shape = _SHAPES[classes] = Shape(classes)
        for cls in classes:
            _add_fields(shape, cls)
    return shape


def _add_fields(shape: Shape, cls: type[Model]) -> None:
    names = wire_names(cls)
    for name, field in cls.model_fields.items():
        wire = names[name]
        if "uri" in field.metadata or "uri" in _marks(field.annotation):
            shape.looks[wire] = Look(wire, Way.URI, None)
        for container, base in _containers(field.annotation):
            shape.looks[wire] = Look(wire, Way.FACETS, _container_shape(container, base))
        for way, model in _models(field.annotation):
            before = shape.looks.get(wire)
            classes = before.inside.classes if before else ()
            shape.looks[wire] = Look(wire, way, shape_of(*dict.fromkeys((*classes, model))))


def _marks(annotation: Any) -> Iterator[Any]:
    """Yield what stands beside the types of an annotation."""
    yield from getattr(annotation, "__metadata__", ())
    for part in get_args(annotation):
        yield from _marks(part) if get_origin(part) is not None else ()


def _models(annotation: Any, way: Way = Way.OBJECT) -> Iterator[tuple[Way, type[Model]]]:
    """Yield the classes that an annotation names, and whether one stands alone, in a list or in a map."""
    origin = get_origin(annotation)
    if origin is None:
        if isinstance(annotation, type) and issubclass(annotation, Model):
            yield way, annotation
        return
    if isinstance(origin, type) and issubclass(origin, FacetMap):
        return
    way = Way.LIST if origin is tuple else Way.MAP if origin is dict else way
    for part in get_args(annotation):
        yield from _models(part, way)


def _containers(annotation: Any) -> Iterator[tuple[type[FacetMap[Any]], type[Model] | None]]:
    """Yield the containers that an annotation names, with the base facet where it names that, too."""
    origin = get_origin(annotation)
    found = origin or annotation
    if isinstance(found, type) and issubclass(found, FacetMap):
        yield found, next(iter(get_args(annotation)), None)
        return
    for part in get_args(annotation):
        yield from _containers(part)


_CONTAINERS: dict[tuple[type[FacetMap[Any]], type[Model] | None], ContainerShape] = {}


def _container_shape(container: type[FacetMap[Any]], base: type[Model] | None) -> ContainerShape:
    shape = _CONTAINERS.get((container, base))
    if shape is None:
        facets = {key: shape_of(*slot.classes()) for key, slot in container.__slots_by_key__.items()}
        shape = ContainerShape(facets, shape_of(base or container.base_facet()))
        _CONTAINERS[container, base] = shape
    return shape
