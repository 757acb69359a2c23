"""Where facets belong: the checks of what is put into a container, and how to fix what does not fit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic_core import PydanticCustomError

from openlineage_facets.base.containers.known_facets import (
    FacetContainer,
    FacetSlot,
    containers_with_variant,
    key_of_variant,
    wrong_key,
)
from openlineage_facets.base.containers.registered_facets import load_installed_facets
from openlineage_facets.base.errors.findings import EventError, describe, with_article
from openlineage_facets.base.errors.name_suggestions import own_class_hint, similar_name
from openlineage_facets.base.model.model import Model
from openlineage_facets.base.model.spec_models import FacetModel
from openlineage_facets.base.model.tombstones import is_deleted


def known_slot(container: type[FacetContainer], key: str) -> FacetSlot[Any] | None:
    """Return the known facet with a key, including registered custom facets."""
    slot = container.__slots_by_key__.get(key)
    if slot is None and container.__slots_by_key__:
        load_installed_facets()
        slot = container.__slots_by_key__.get(key)
    return slot


def slots_of(container: type[FacetContainer]) -> dict[str, FacetSlot[Any]]:
    """Return the known facets by Python name."""
    return {name: slot for name, slot in vars(container).items() if isinstance(slot, FacetSlot)}


def class_named(name: str, container: type[FacetContainer]) -> str:
    """Return the name of a known facet's class, without regard to case, or "" if there is none."""
    names = (known for slot in container.__slots_by_key__.values() for known in slot.class_names())
    return next((known for known in names if known.casefold() == name.casefold()), "")


def slot_named(container: type[FacetContainer], name: str) -> FacetSlot[Any]:
    """Return the known facet with a Python name.

    Raises:
        PydanticCustomError: There is none.
    """
    slots = slots_of(container)
    if name in slots:
        return slots[name]
    similar = similar_name(name, slots)
    hint = f"did you mean {similar!r}?" if similar else "pass a custom facet in a mapping, by facet key"
    problem = f"{container.__name__} has no facet {name!r}"
    raise _misplaced(f"a facet of {container.__name__}", repr(name), hint, name, "OL014", problem)


def facets_by_key(facets: Any, container: type[FacetContainer], base: type[FacetModel]) -> dict[str, Any]:
    """Return facets by facet key, after checking that each belongs there.

    Args:
        facets: Facets with a key, or a mapping from facet key to facet.
        container: The container to put them into.
        base: The base facet of the facets of its entity.

    Raises:
        PydanticCustomError: One belongs elsewhere.
    """
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
            raise twice(key)
        wire[key] = facet
    return wire


def typed_facets(
    wire: dict[str, Any], container: type[FacetContainer], base: type[FacetModel]
) -> dict[str, Any]:
    """Return facets by facet key, base facets under the keys of registered ones as those.

    Facets that were parsed or composed before their class was registered are base facets.

    Args:
        wire: The facets, each of which belongs under its key.
        container: The container to put them into.
        base: The base facet of the facets of its entity.

    Raises:
        PydanticCustomError: The registered class does not accept one.
    """
    for key, facet in wire.items():
        slot = known_slot(container, key) if type(facet) is base and not is_deleted(facet) else None
        if slot is not None:
            try:
                wire[key] = slot.typed(facet)
            except EventError as error:
                name = slot.class_names()[0]
                expected, found = with_article(name), with_article(base.__name__)
                hint = f"as {expected}, it is invalid: {error.findings[0]}"
                raise _misplaced(expected, found, hint, key) from None
    return wire


def no_facet(container: type[FacetContainer], name: str) -> str:
    """Return the message for an attribute that a container does not have."""
    problem = f"{container.__name__!r} object has no attribute {name!r}"
    if name.startswith("_"):
        return problem
    owners = containers_with_variant(container, name)
    if owners:
        return f"{problem}; it is a facet of {' or '.join(owners)}"
    slots = slots_of(container)
    key = key_of_variant(container, name)
    with_key = next((python for python, slot in slots.items() if slot.key == key), None)
    similar = with_key or similar_name(name, slots)
    return f"{problem}; {f'did you mean {similar!r}?' if similar else 'custom facets are items: facets[key]'}"


_MARKS = {"_producer", "_schemaURL"}
"""Fields of every facet in the wire format; composing a facet fills them in."""


def _by_class(
    given: Any, container: type[FacetContainer], base: type[FacetModel], key: str | None = None
) -> str:
    """Return the hint to use the class of a facet instead of the given value."""
    slots = container.__slots_by_key__
    slot = slots.get(key or "")
    name = slot.class_names()[0] if slot else base.__name__
    if isinstance(given, type):
        return f"create an instance: {given.__name__}(...)"
    own = own_class_hint(given, class_named(type(given).__name__, container))
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


def _assert_key(key: str, container: type[FacetContainer]) -> None:
    if not isinstance(key, str):
        return  # The schema refuses it.
    wrong = None if known_slot(container, key) else wrong_key(container, key)
    if wrong is not None:
        raise _misplaced(wrong.expected, repr(key), wrong.hint, key, problem=wrong.problem)


def twice(key: str) -> PydanticCustomError:
    """Return the error of two facets under one key."""
    problem = f"two facets under the key {key!r}"
    hint = "remove one; facets are replaced, not merged"
    return _misplaced("one facet under this key", "two", hint, key, "OL014", problem)


def _misplaced(
    expected: str, found: str, hint: str, key: str | None = None, code: str = "OL013", problem: str = ""
) -> PydanticCustomError:
    texts = {"expected": expected, "found": found, "hint": hint, "problem": problem}
    context = {**texts, "key": key, "code": code}
    return PydanticCustomError("facet_place", "expected {expected}, found {found}", context)
