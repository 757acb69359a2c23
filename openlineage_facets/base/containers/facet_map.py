"""Typed facet containers: attributes by Python name, and a mapping by facet key."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NoReturn, TypeVar, get_args, overload

from pydantic import ValidationError
from pydantic_core import PydanticCustomError, core_schema
from typing_extensions import Self

from openlineage_facets.base.containers.known_facets import (
    FacetSlot,
    containers_with_variant,
    forget_known_facets,
    key_of_variant,
    wrong_key,
)
from openlineage_facets.base.containers.registered_facets import (
    Fit,
    fit,
    forget_on_registration,
    load_installed_facets,
)
from openlineage_facets.base.errors.client_classes import own_class_hint
from openlineage_facets.base.errors.findings import EventError, describe, with_article
from openlineage_facets.base.errors.name_suggestions import similar_name
from openlineage_facets.base.json.json_input import is_utf8
from openlineage_facets.base.lazy_imports import load_class
from openlineage_facets.base.model.model import Model
from openlineage_facets.base.model.spec_models import FacetModel
from openlineage_facets.base.model.tombstones import is_deleted
from openlineage_facets.base.redaction.redacted_keys import redact_key
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
                    slot = _slot_named(cls, name)
                    if slot.key in wire:
                        raise _twice(slot.key)
                    wire[slot.key] = facet
            validated = _adapter(cls).validate_python(wire)
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
            slot = cls._known_slot(key)
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
            raise AttributeError(_no_facet(type(self), name), name=name, obj=self)

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

        With a class, a facet that was preserved as a base facet is parsed as that class, and the
        default is returned for a deleted one, and for a custom facet of another schema or MODEL.

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
        if facet.__facet_key__ is not None:
            return default
        how = fit(facet.schema_url or "", key.__schema_url__) if key.__custom__ else Fit.SAME
        if not how.may_apply:
            return default
        try:
            return key.from_json(facet.to_json())
        except EventError:
            if how is Fit.NEWER:
                return default
            raise

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
        return self._of({key: facet for key, facet in self._facets.items() if key not in keys})

    def __eq__(self, other: object) -> bool:
        if isinstance(other, FacetMap):
            return self._facets == other._facets
        return self._facets == other if isinstance(other, Mapping) else NotImplemented

    def __hash__(self) -> int:
        return hash(frozenset(self._facets))  # Facets may contain dicts, which have no hash.

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(redact_key, self._facets))})"

    def _repr_html_(self) -> str:
        """Return a table of the facets, for notebooks."""
        from openlineage_facets.base.display.notebook_html import field_lines, notebook_table

        rows = [(key, field_lines(facet)) for key, facet in self._facets.items()]
        return notebook_table(type(self).__name__, rows)

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
    def _known_slot(cls, key: str) -> FacetSlot[Any] | None:
        """Return the known facet with a key, including registered custom facets."""
        slot = cls.__slots_by_key__.get(key)
        if slot is None and cls.__slots_by_key__:
            load_installed_facets()
            slot = cls.__slots_by_key__.get(key)
        return slot

    @classmethod
    def _slots(cls) -> dict[str, FacetSlot[Any]]:
        """Return the known facets by Python name."""
        return {name: slot for name, slot in vars(cls).items() if isinstance(slot, FacetSlot)}

    @classmethod
    def _class_named(cls, name: str) -> str:
        """Return the name of a known facet's class, without regard to case, or "" if there is none."""
        names = (known for slot in cls.__slots_by_key__.values() for known in slot.class_names())
        return next((known for known in names if known.casefold() == name.casefold()), "")

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


def _slot_named(container: type[FacetMap[Any]], name: str) -> FacetSlot[Any]:
    slots = container._slots()
    if name in slots:
        return slots[name]
    similar = similar_name(name, slots)
    hint = f"did you mean {similar!r}?" if similar else "pass a custom facet in a mapping, by facet key"
    problem = f"{container.__name__} has no facet {name!r}"
    raise _misplaced(f"a facet of {container.__name__}", repr(name), hint, name, "OL014", problem)


@cache
def _adapter(container: type[FacetMap[Any]]) -> TypeAdapter[Any]:
    from pydantic import TypeAdapter

    return TypeAdapter(container)


forget_on_registration(_adapter.cache_clear)
forget_on_registration(forget_known_facets)


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
    if isinstance(facets, FacetMap):
        return dict(facets._facets)
    if isinstance(facets, Mapping):
        for key, facet in facets.items():
            if isinstance(facet, FacetModel):
                _assert_place(facet, base, key)
            elif isinstance(facet, Mapping) and not _MARKS & facet.keys():
                found = "an object without '_producer' and '_schemaURL'"
                raise _misplaced("a facet", found, _by_class(facet, container, base, key), key, "OL003")
            _assert_key(key, container)
        return dict(facets)
    if isinstance(facets, (str, bytes, Model)) or not isinstance(facets, Iterable):
        raise _misplaced(
            "a list of facets, or a mapping from facet key to facet",
            describe(facets),
            "wrap a single facet in a list",
            code="OL004",
        )
    wire: dict[str, Any] = {}
    for facet in facets:
        if not isinstance(facet, FacetModel):
            raise _misplaced("a facet", describe(facet), _by_class(facet, container, base), code="OL004")
        key = type(facet).__facet_key__
        if key is None:
            _assert_place(facet, base, None)
            raise _misplaced(
                "a facet with a key",
                describe(facet),
                f"pass it by facet key: {{'myPrefix_name': {type(facet).__name__}(...)}}",
                problem=f"{type(facet).__name__} has no facet key",
            )
        _assert_place(facet, base, key)
        _assert_key(key, container)
        if key in wire:
            raise _twice(key)
        wire[key] = facet
    return wire


def _no_facet(container: type[FacetMap[Any]], name: str) -> str:
    """Return the message for an attribute that a container does not have."""
    problem = f"{container.__name__!r} object has no attribute {name!r}"
    if name.startswith("_"):
        return problem
    owners = containers_with_variant(container, name)
    if owners:
        return f"{problem}; it is a facet of {' or '.join(owners)}"
    slots = container._slots()
    key = key_of_variant(container, name)
    with_key = next((python for python, slot in slots.items() if slot.key == key), None)
    similar = with_key or similar_name(name, slots)
    return f"{problem}; {f'did you mean {similar!r}?' if similar else 'custom facets are items: facets[key]'}"


_MARKS = {"_producer", "_schemaURL"}
"""Fields of every facet in the wire format; composing a facet fills them in."""


def _by_class(
    given: Any, container: type[FacetMap[Any]], base: type[FacetModel], key: str | None = None
) -> str:
    """Return the hint to use the class of a facet instead of the given value."""
    slots = container.__slots_by_key__
    slot = slots.get(key or "")
    name = slot.class_names()[0] if slot else base.__name__
    if isinstance(given, type):
        return f"create an instance: {given.__name__}(...)"
    own = own_class_hint(given, container._class_named(type(given).__name__))
    if own:
        return own
    if key is None:
        example = next(iter(slots.values())).class_names()[0] if slots else name
        return f"create one, such as {example}(...)"
    fields = [f"{field}=..." for field in given if isinstance(field, str) and field.isidentifier()]
    return f"use its class: {name}({', '.join(fields[:3]) or '...'})"


def _assert_place(facet: FacetModel, base: type[FacetModel], key: str | None) -> None:
    name = type(facet).__name__
    own = type(facet).__facet_key__
    if not isinstance(facet, base):
        entity_base = next((cls.__name__ for cls in type(facet).__mro__ if vars(cls).get("__open__")), name)
        hint = (
            "use the base facet of the entity, or a facet that extends it"
            if entity_base == name
            else f"{name} is {with_article(entity_base)}: add it to the facets of that entity"
        )
        raise _misplaced(with_article(base.__name__), with_article(name), hint, key)
    if own is not None and key != own:
        raise _misplaced(f"the facet key {own!r} for {name}", repr(key), f"use {own!r}", key)


def _assert_key(key: str, container: type[FacetMap[Any]]) -> None:
    if not isinstance(key, str):
        return  # The schema refuses it.
    wrong = None if container._known_slot(key) else wrong_key(container, key)
    if wrong is not None:
        raise _misplaced(wrong.expected, repr(key), wrong.hint, key, problem=wrong.problem)


def _twice(key: str) -> PydanticCustomError:
    problem = f"two facets under the key {key!r}"
    hint = "remove one; facets are replaced, not merged"
    return _misplaced("one facet under this key", "two", hint, key, "OL014", problem)


def _misplaced(
    expected: str, found: str, hint: str, key: str | None = None, code: str = "OL013", problem: str = ""
) -> PydanticCustomError:
    texts = {"expected": expected, "found": found, "hint": hint, "problem": problem}
    context = {**texts, "key": key, "code": code}
    return PydanticCustomError("facet_place", "expected {expected}, found {found}", context)
