"""Validators of generated classes: fields that exclude or require each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic_core import PydanticCustomError, SchemaValidator, core_schema, to_json

from openlineage_facets.base.model.field_names import wire_names
from openlineage_facets.base.model.model import Model
from openlineage_facets.base.wire.json_schema_keywords import with_keywords
from openlineage_facets.base.wire.pydantic_internals import core_schema_of, unknown_fields
from openlineage_facets.base.wire.schema_functions import checks_json, keeps_unknown_apart

if TYPE_CHECKING:
    from pydantic import ValidationInfo

__all__ = ["forbid_together", "keep_nulls_apart", "keep_unknown_apart", "require_with"]

M = TypeVar("M", bound=Model)


@keeps_unknown_apart
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
        # Inside a function, pydantic no longer treats data as JSON: in strict mode, a list is not a tuple.
        value: M = _reader(cls).validate_json(to_json(data), strict=True)
    else:
        value = handler(data)
    if isinstance(data, Mapping):
        for name, wire in wire_names(cls).items():
            if wire not in data:
                value.model_fields_set.discard(name)
    return value


_READERS: dict[type[Model], SchemaValidator] = {}


def _reader(cls: type[Model]) -> SchemaValidator:
    """Return the JSON validator of a class without `keep_nulls_apart`."""
    if cls not in _READERS:
        schema: Any = core_schema_of(cls)
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
    """Return a validator that rejects values with all of these fields (JSON Schema `not: {required}`)."""

    @checks_json
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

    @checks_json
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


def _wire_names_set(value: Model | dict[str, Any]) -> set[str]:
    """Return the wire names of the fields that are set, of a value or in its JSON."""
    return set(value) if isinstance(value, dict) else value._wire_names_set()
