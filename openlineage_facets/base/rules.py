"""Rules about which fields may and must stand together, as generated classes declare them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic_core import PydanticCustomError, SchemaValidator, core_schema, to_json

from openlineage_facets.base.model import Model, wire_names

if TYPE_CHECKING:
    from pydantic import ValidationInfo

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


def keep_nulls_apart(cls: type[M], data: Any, handler: Callable[[Any], M], info: ValidationInfo) -> M:
    """Do what `keep_unknown_apart` does, for a class with fields that may be null on the wire."""
    if info.mode == "json":
        # What a function is handed is JSON to pydantic no more: strictly, no list will do for a tuple.
        value: M = _reader(cls).validate_json(to_json(data), strict=True)
    else:
        value = handler(data)
    if isinstance(data, Mapping):
        for name, wire in wire_names(cls).items():
            if wire not in data:
                value.__pydantic_fields_set__.discard(name)
    return value


_READERS: dict[type[Model], SchemaValidator] = {}


def _reader(cls: type[Model]) -> SchemaValidator:
    """Return what reads a class from JSON before `keep_nulls_apart` comes to it."""
    if cls not in _READERS:
        schema: Any = cls.__pydantic_core_schema__
        definitions = schema["definitions"] if schema["type"] == "definitions" else []
        by_reference = {one["ref"]: one for one in definitions}
        while not _is_kept_apart(schema):
            is_reference = schema["type"] == "definition-ref"
            schema = by_reference[schema["schema_ref"]] if is_reference else schema["schema"]
        inner = core_schema.definitions_schema(schema["schema"], definitions)
        _READERS[cls] = SchemaValidator(inner)
    return _READERS[cls]


def _is_kept_apart(schema: Any) -> bool:
    if schema["type"] != "function-wrap":
        return False
    function = schema["function"]["function"]
    return getattr(function, "__func__", function) is keep_nulls_apart


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
