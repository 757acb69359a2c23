"""Validators of generated classes: fields that exclude or require each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

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


class _Broken(NamedTuple):
    """Why a value breaks a rule; the fields are those of a finding."""

    expected: str
    found: str
    problem: str
    hint: str = ""


def _rule(broken: Callable[[set[str]], _Broken | None], **keywords: Any) -> Callable[[M], M]:
    """Return a validator with the keywords of JSON Schema that it enforces.

    Args:
        broken: Called with the wire names of the fields that are set; returns why they break the rule, if so.
        keywords: The keywords.
    """

    @FunctionRole.CHECKS_JSON.mark
    def check(value: M) -> M:
        present = set(value) if isinstance(value, dict) else value._wire_names_set()
        problem = broken(present)
        if problem is not None:
            raise PydanticCustomError("presence", "{expected}", problem._asdict())
        return value

    return with_keywords(check, **keywords)


def forbid_together(*names: str) -> Callable[[M], M]:
    """Return a validator that rejects values with all of these fields (JSON Schema `not: {required}`)."""
    listed, quoted = " and ".join(names), " and ".join(map(repr, names))
    hint = f"remove {names[-1]!r}"
    error = _Broken(f"not {listed} together", listed, f"{quoted} cannot be used together", hint)
    if len(names) == 1:
        error = _Broken(f"no {listed}", listed, f"field {quoted} is not allowed", hint)
    return _rule(
        lambda present: error if present.issuperset(names) else None, **{"not": {"required": list(names)}}
    )


def require_with(name: str, *needed: str) -> Callable[[M], M]:
    """Return a validator that requires `needed` if `name` is present (JSON Schema `dependentRequired`)."""

    def broken(present: set[str]) -> _Broken | None:
        missing = [other for other in needed if other not in present]
        if name not in present or not missing:
            return None
        listed = ", ".join(missing)
        problem = f"missing field {listed!r}, which is required with {name!r}"
        return _Broken(f"{listed} with {name}", f"only {name}", problem)

    return _rule(broken, dependentRequired={name: list(needed)})


def require_any(*alternatives: tuple[str, ...]) -> Callable[[M], M]:
    """Return a validator that requires the fields of an alternative (JSON Schema `anyOf: [{required}]`)."""
    return _require(alternatives, exactly_one=False)


def require_one(*alternatives: tuple[str, ...]) -> Callable[[M], M]:
    """Return a validator that requires those of exactly one (JSON Schema `oneOf: [{required}]`)."""
    return _require(alternatives, exactly_one=True)


def _require(alternatives: tuple[tuple[str, ...], ...], *, exactly_one: bool) -> Callable[[M], M]:
    count, keyword = ("exactly one", "oneOf") if exactly_one else ("at least one", "anyOf")
    expected = f"{count} of {' or '.join(' and '.join(names) for names in alternatives)}"

    def broken(present: set[str]) -> _Broken | None:
        matching = [names for names in alternatives if present.issuperset(names)]
        if len(matching) == 1 or (matching and not exactly_one):
            return None
        found = " and ".join(name for names in matching for name in names) or "none of them"
        return _Broken(expected, found, f"expected {expected}, found {found}")

    return _rule(broken, **{keyword: [{"required": list(names)} for names in alternatives]})
