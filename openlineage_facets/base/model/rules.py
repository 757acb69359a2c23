"""Validators of generated classes: fields that exclude or require each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic_core import PydanticCustomError, to_json

from openlineage_facets.base.model.field_names import wire_names
from openlineage_facets.base.model.model import Model
from openlineage_facets.base.wire.core_schemas import FunctionRole, read_inside
from openlineage_facets.base.wire.json_schema_keywords import with_keywords
from openlineage_facets.base.wire.pydantic_internals import unknown_fields

if TYPE_CHECKING:
    from pydantic import ValidationInfo


M = TypeVar("M", bound=Model)


@FunctionRole.KEEPS_UNKNOWN_APART.mark
def keep_unknown_apart(value: M) -> M:
    """Distinguish an unknown field from the declared field with the same Python name.

    pydantic adds unknown fields to those that are set, by wire name: an unknown `deleted` of a facet
    would mark the absent `_deleted` as set, and serialize it as null.
    """
    for name in unknown_fields(value) or ():
        if value.__dict__.get(name, value) is None:
            value.model_fields_set.discard(name)
    return value


def keep_nulls_apart(cls: type[M], data: Any, handler: Callable[[Any], M], info: ValidationInfo) -> M:
    """Like `keep_unknown_apart`, for a class with fields that may be null in the wire format."""
    if info.mode == "json":
        value: M = read_inside(cls, keep_nulls_apart, to_json(data), strict=True)
    else:
        value = handler(data)
    if isinstance(data, Mapping):
        for name, wire in wire_names(cls).items():
            if wire not in data:
                value.model_fields_set.discard(name)
    return value


def forbid_together(*names: str) -> Callable[[M], M]:
    """Return a validator that rejects values with all of these fields (JSON Schema `not: {required}`)."""

    @FunctionRole.CHECKS_JSON.mark
    def check(value: M) -> M:
        present = _wire_names_set(value)
        if present.issuperset(names):
            listed = " and ".join(names)
            quoted = " and ".join(map(repr, names))
            problem = (
                f"field {quoted} is not allowed" if len(names) == 1 else f"{quoted} cannot be used together"
            )
            raise PydanticCustomError(
                "presence",
                "no {listed}" if len(names) == 1 else "not {listed} together",
                {"listed": listed, "found": listed, "problem": problem, "hint": f"remove {names[-1]!r}"},
            )
        return value

    return with_keywords(check, **{"not": {"required": list(names)}})


def require_with(name: str, *needed: str) -> Callable[[M], M]:
    """Return a validator that requires `needed` if `name` is present (JSON Schema `dependentRequired`)."""

    @FunctionRole.CHECKS_JSON.mark
    def check(value: M) -> M:
        present = _wire_names_set(value)
        if name in present:
            missing = [other for other in needed if other not in present]
            if missing:
                listed = ", ".join(missing)
                problem = f"missing field {listed!r}, which is required with {name!r}"
                raise PydanticCustomError(
                    "presence",
                    "{listed} with {name}",
                    {"listed": listed, "name": name, "found": f"only {name}", "problem": problem, "hint": ""},
                )
        return value

    return with_keywords(check, dependentRequired={name: list(needed)})


def require_any(*alternatives: tuple[str, ...]) -> Callable[[M], M]:
    """Return a validator that requires the fields of an alternative (JSON Schema `anyOf: [{required}]`)."""
    return _require(alternatives, exactly_one=False)


def require_one(*alternatives: tuple[str, ...]) -> Callable[[M], M]:
    """Return a validator that requires those of exactly one (JSON Schema `oneOf: [{required}]`)."""
    return _require(alternatives, exactly_one=True)


def _require(alternatives: tuple[tuple[str, ...], ...], *, exactly_one: bool) -> Callable[[M], M]:
    listed = " or ".join(" and ".join(names) for names in alternatives)
    count = "exactly one" if exactly_one else "at least one"

    @FunctionRole.CHECKS_JSON.mark
    def check(value: M) -> M:
        present = _wire_names_set(value)
        matching = [names for names in alternatives if present.issuperset(names)]
        if len(matching) == 1 or (matching and not exactly_one):
            return value
        found = " and ".join(name for names in matching for name in names) or "none of them"
        problem = f"expected {count} of {listed}, found {found}"
        context = {"count": count, "listed": listed, "found": found, "problem": problem, "hint": ""}
        raise PydanticCustomError("presence", "{count} of {listed}", context)

    keyword = "oneOf" if exactly_one else "anyOf"
    return with_keywords(check, **{keyword: [{"required": list(names)} for names in alternatives]})


def _wire_names_set(value: Model | dict[str, Any]) -> set[str]:
    """Return the wire names of the fields that are set, of a value or in its JSON."""
    return set(value) if isinstance(value, dict) else value._wire_names_set()
