"""Rules about which fields may and must stand together, as generated classes declare them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from pydantic_core import PydanticCustomError

from openlineage_facets.base.model import Model, wire_names

__all__ = ["forbid_together", "keep_nulls_apart", "keep_unknown_apart", "require_with"]

M = TypeVar("M", bound=Model)


def keep_unknown_apart(value: M) -> M:
    """Keep an unknown field from standing for the declared one whose Python name it bears.

    pydantic counts unknown fields among those that were set, by the names they have on the wire: a
    facet's unknown `deleted` would make the absent `_deleted` look set, and be written as null.
    """
    for name in value.__pydantic_extra__ or ():
        if value.__dict__.get(name, value) is None:
            value.__pydantic_fields_set__.discard(name)
    return value


def keep_nulls_apart(cls: type[M], data: Any, handler: Callable[[Any], M]) -> M:
    """Do what `keep_unknown_apart` does, for a class with fields that may be null on the wire."""
    value = handler(data)
    if isinstance(data, Mapping):
        for name, wire in wire_names(cls).items():
            if wire not in data:
                value.__pydantic_fields_set__.discard(name)
    return value


def forbid_together(*names: str) -> Callable[[M], M]:
    """Return a check that a value does not hold all of the wire names (JSON Schema `not: {required}`)."""

    def check(value: M) -> M:
        present = value.wire_names_set()
        if present.issuperset(names):
            listed = " and ".join(names)
            raise PydanticCustomError(
                "presence",
                "no {listed}" if len(names) == 1 else "not {listed} together",
                {"listed": listed, "found": listed, "hint": f"leave out {names[-1]!r}"},
            )
        return value

    return check


def require_with(name: str, *needed: str) -> Callable[[M], M]:
    """Return a check that where `name` stands, `needed` stand too (JSON Schema `dependentRequired`)."""

    def check(value: M) -> M:
        present = value.wire_names_set()
        if name in present:
            missing = [other for other in needed if other not in present]
            if missing:
                listed = ", ".join(missing)
                raise PydanticCustomError(
                    "presence",
                    "{listed} beside {name}",
                    {"listed": listed, "name": name, "found": f"{name} alone", "hint": f"add {listed!r}"},
                )
        return value

    return check
