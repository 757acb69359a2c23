"""Typed facet containers: attributes by Python name, and a mapping by facet key."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NoReturn, TypeVar, get_args, overload

from pydantic import ValidationError
from pydantic_core import PydanticCustomError, core_schema
from typing_extensions import Self

from openlineage_facets.base.containers.facet_fit import read_as
from openlineage_facets.base.containers.facet_placement import (
    facets_by_key,
    known_slot,
    no_facet,
    slot_named,
    twice,
    typed_facets,
)
from openlineage_facets.base.containers.known_facets import FacetSlot, keys_by_variant
from openlineage_facets.base.containers.registered_facets import (
    forget_on_registration,
    load_installed_facets,
)
from openlineage_facets.base.errors.findings import EventError
from openlineage_facets.base.json.json_input import is_utf8
from openlineage_facets.base.lazy_imports import load_class
from openlineage_facets.base.model.spec_models import FacetModel
from openlineage_facets.base.model.tombstones import is_deleted
from openlineage_facets.base.wire.core_schemas import FunctionRole, extras_of_parsed
from openlineage_facets.base.wire.pydantic_internals import PYDANTIC, is_built

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler, TypeAdapter
    from pydantic.json_schema import JsonSchemaValue


F = TypeVar("F", bound=FacetModel, covariant=True)
G = TypeVar("G", bound=FacetModel)
D = TypeVar("D")


class FacetMap(Mapping[str, F], Generic[F]):
    """The facets of one entity: an immutable mapping from facet key to facet.

    Known facets are typed and available as attributes; others are preserved. `FacetMap[RunFacet]`,
    without known keys, has the facets of another entity that are embedded in a facet: they are validated
    only as base facets, and `get` returns typed ones.

    Args:
        facets: Facets with a key, or a mapping from facet key to facet.
        named: Facets by Python name.

    Raises:
        EventError: A facet belongs to another entity, or has another key.
    """

    __slots__ = ("_facets",)

    __slots_by_key__: ClassVar[Mapping[str, FacetSlot[Any]]] = {}
    __base_facet__: ClassVar[str] = ""
    """Module and class of the base facet of the entity."""

    _facets: dict[str, Any]

    def __init__(self, facets: Iterable[Any] | Mapping[str, Any] = (), /, **named: Any) -> None:
        cls = type(self)
        wire: dict[str, Any] = {}
        try:
            wire = _by_key(facets, cls)
            for name, facet in named.items():
                if facet is not None:
                    slot = slot_named(cls, name)
                    if slot.key in wire:
                        raise twice(slot.key)
                    wire[slot.key] = facet
            validated = container_adapter(cls).validate_python(wire)
        except PydanticCustomError as error:
            from openlineage_facets.base.model.pydantic_errors import misplacement

            raise EventError([misplacement(error)]) from None
        except ValidationError as error:
            from openlineage_facets.base.model.pydantic_errors import event_error

            raise event_error(error, wire) from None
        object.__setattr__(self, "_facets", validated._facets)

    @classmethod
    def _of_facets(cls, facets: Any) -> Self:
        """Return the container of some facets, if each is an instance of the class of its key.

        Raises:
            ValueError: Some are not. They may still be valid, which the container's schema decides.
        """
        if type(facets) is cls:
            return facets
        if type(facets) not in (list, tuple, dict):
            raise ValueError("not a collection of facets")
        wire = _of_usual_classes(facets, cls)
        if wire is None:
            wire = cls._of_own_classes(facets)
        if len(wire) > 1:  # In the order of the schema, as when parsed.
            wire = {key: wire[key] for key in cls.__slots_by_key__ if key in wire} | wire
        return cls._of(wire)

    @classmethod
    def _of_own_classes(cls, facets: Any) -> dict[str, Any]:
        """Return facets by key, if each is an instance of the class of its key.

        Raises:
            ValueError: Some are not.
        """
        wire = _by_key(facets, cls)
        base = cls._base_facet()
        for key, facet in wire.items():
            slot = known_slot(cls, key)
            if slot is None:
                fits = isinstance(facet, base) and isinstance(key, str) and is_utf8(key)
            else:
                fits = slot.is_its_own(facet)
                if fits and slot.has_one_class:
                    _usual_classes(cls)[type(facet)] = key
            if not fits:
                raise ValueError("not an instance of the class of its key")
        return wire

    @classmethod
    def _of(cls, facets: dict[str, Any]) -> Self:
        self = cls.__new__(cls)
        object.__setattr__(self, "_facets", facets)
        return self

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> NoReturn:
            raise AttributeError(no_facet(type(self), name), name=name, obj=self)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is immutable; with_facets() returns a changed copy")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is immutable; without() returns a changed copy")

    def __getitem__(self, key: str) -> F:
        facet: F = self._facets[key]
        return facet

    def __iter__(self) -> Iterator[str]:
        return iter(self._facets)

    def __len__(self) -> int:
        return len(self._facets)

    @overload
    def get(self, key: type[G], default: None = None) -> G | None: ...
    @overload
    def get(self, key: type[G], default: D) -> G | D: ...
    @overload
    def get(self, key: str, default: None = None) -> F | None: ...
    @overload
    def get(self, key: str, default: D) -> F | D: ...
    def get(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, key: str | type[G], default: Any = None
    ) -> Any:
        """Return a facet by facet key, or by class.

        With a class, a facet that was preserved as a base facet, or parsed as a base of that class, is
        parsed as that class, and the default is returned for a deleted one, and for a custom facet of
        another schema or MODEL.

        Raises:
            EventError: The facet under the class's key is invalid for that class.
        """
        if isinstance(key, str):
            return self._facets.get(key, default)
        wire_key = key.__facet_key__
        if wire_key is None:
            raise TypeError(f"{key.__name__} is a base facet without a key; pass a facet key")
        facet = self._facets.get(wire_key)
        if facet is None or is_deleted(facet):
            return default
        if isinstance(facet, key):
            return facet
        if facet.__facet_key__ is not None and not issubclass(key, type(facet)):
            return default
        typed = read_as(key, facet)
        return default if typed is None else typed

    def with_facets(self, *facets: Any, **named: Any) -> Self:
        """Return a copy with `facets` added; each replaces the one under its key.

        Args:
            facets: Facets with a key, or mappings from facet key to facet.
            named: Facets by Python name.

        Raises:
            EventError: A facet belongs to another entity.
        """
        added = type(self)(**named)._facets
        for facet in facets:
            added = {**added, **type(self)(facet if isinstance(facet, Mapping) else [facet])._facets}
        return self._of({**self._facets, **added})

    def without(self, *keys: str) -> Self:
        """Return a copy without the facets under these keys."""
        removed = frozenset(keys)
        return self._of({key: facet for key, facet in self._facets.items() if key not in removed})

    def __eq__(self, other: object) -> bool:
        if isinstance(other, FacetMap):
            return self._facets == other._facets
        return self._facets == other if isinstance(other, Mapping) else NotImplemented

    def __hash__(self) -> int:
        return hash(frozenset(self._facets))  # Facets may contain dicts, which have no hash.

    def __repr__(self) -> str:
        from openlineage_facets.base.display.short_values import shown_keys  # Composing needs none.

        return f"{type(self).__name__}({', '.join(shown_keys(self._facets))})"

    def _repr_html_(self) -> str:
        """Return a table of the facets, for notebooks."""
        from openlineage_facets.base.display.notebook_html import MOST_ROWS, field_lines, notebook_table

        rows = [(key, field_lines(facet)) for key, facet in islice(self._facets.items(), MOST_ROWS)]
        return notebook_table(type(self).__name__, rows, total=len(self))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self)._of, (self._facets,)

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        if cls.__slots_by_key__:
            load_installed_facets()
        arguments = get_args(source)
        base: type[FacetModel] = arguments[0] if arguments else cls._base_facet()
        facets = core_schema.typed_dict_schema(
            {
                key: core_schema.typed_dict_field(slot.core_schema(handler, base), required=False)
                for key, slot in cls.__slots_by_key__.items()
            },
            extra_behavior="allow",
            extras_schema=handler.generate_schema(base),
        )
        read = core_schema.no_info_after_validator_function(
            FunctionRole.CREATES_ONLY.mark(lambda parsed: cls._of(_with_plain_tombstones(parsed, base))),
            facets,
        )
        return core_schema.json_or_python_schema(
            json_schema=read,
            python_schema=core_schema.no_info_before_validator_function(
                lambda facets: _by_key(facets, cls, base), read
            ),
            serialization=cls._written_as_mapping(),
        )

    @staticmethod
    def _written_as_mapping() -> core_schema.PlainSerializerFunctionSerSchema:
        """Return how pydantic serializes a container: each facet with the serializer of its class."""
        facets = core_schema.dict_schema(values_schema=core_schema.any_schema())
        return core_schema.plain_serializer_function_ser_schema(
            _facets_of, return_schema=core_schema.nullable_schema(facets)
        )

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        described = handler(schema)
        mapping = handler.resolve_ref_schema(described)
        if mapping.get("additionalProperties", True) is True:  # Pydantic 2.11 leaves it out.
            extras = extras_of_parsed(schema)
            if extras is not None:
                mapping["additionalProperties"] = handler(extras)
        for slot in mapping.get("properties", {}).values():
            for node in (slot, *slot.get("anyOf", ())):
                if "oneOf" in node:  # Both formats of a facet may match; the schema URL decides.
                    node["anyOf"] = node.pop("oneOf")
        return described

    @classmethod
    def _base_facet(cls) -> type[FacetModel]:
        """Return the base facet of the entity."""
        if not cls.__base_facet__:
            return FacetModel
        base: type[FacetModel] = load_class(cls.__module__.rpartition(".")[0], cls.__base_facet__)
        return base


C = TypeVar("C", bound=FacetMap[Any])


def or_empty(container: C | None, cls: type[C]) -> C:
    """Return a container, an empty one if it is None."""
    return cls._of({}) if container is None else container


def _facets_of(container: FacetMap[Any] | None) -> dict[str, Any] | None:
    """Return the facets of a container; None if pydantic serializes the default of an absent one."""
    if container is None:
        return None
    if not _BUILDS_WHILE_SERIALIZING:
        for facet in container._facets.values():
            if not is_built(type(facet)):
                type(facet).model_rebuild()
    return container._facets


_BUILDS_WHILE_SERIALIZING = PYDANTIC >= (2, 14)
"""Older pydantic cannot serialize a value in an `Any` field if its class is not built yet."""


def _with_plain_tombstones(facets: dict[str, Any], base: type[FacetModel]) -> dict[str, Any]:
    """Parse tombstones as base facets: only the base facet applies to them."""
    for key, facet in facets.items():
        if facet.__dict__.get("deleted") is True and type(facet) is not base and is_deleted(facet):
            facets[key] = base.from_json(facet.to_json())
    return facets


@cache
def container_adapter(container: type[C]) -> TypeAdapter[C]:
    """Return the adapter of a container with the facets that are registered now, cached."""
    from pydantic import TypeAdapter

    return TypeAdapter(container)


forget_on_registration(container_adapter.cache_clear)
forget_on_registration(keys_by_variant.cache_clear)


@cache
def _usual_classes(container: type[FacetMap[Any]]) -> dict[type[FacetModel], str]:
    """Return the keys of classes that alone decide where their facets belong; filled on first use."""
    return {}


forget_on_registration(_usual_classes.cache_clear)


def _of_usual_classes(facets: Iterable[Any], container: type[FacetMap[Any]]) -> dict[str, Any] | None:
    """Return facets by key, or None if the class of one does not decide where it belongs."""
    keys = _usual_classes(container)
    wire: dict[str, Any] = {}
    for facet in facets:
        key = keys.get(type(facet))
        if key is None or key in wire or facet.__dict__.get("deleted") is True:
            return None
        wire[key] = facet
    return wire


def _by_key(
    facets: Any, container: type[FacetMap[Any]], base: type[FacetModel] | None = None
) -> dict[str, Any]:
    """Return facets by facet key, after checking that each belongs there."""
    base = base or container._base_facet()
    is_checked = isinstance(facets, FacetMap)
    return typed_facets(
        dict(facets) if is_checked else facets_by_key(facets, container, base), container, base
    )
