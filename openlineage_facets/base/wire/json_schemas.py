"""Schemas of the JSON of a class, which check it without creating objects.

`json_of_items` is for nested items that stay plain JSON (`lazy_items`), composed or parsed. `accepts` is for
whole events and facets that were parsed as JSON; it takes half the time of parsing them as objects.

`jsonschema-rs` with one schema of all facets takes half of that time again, but is a compiled package, and
the core needs only pydantic. It would also be a second definition of what is valid: these schemas are
converted from those that parse, so that both accept the same, also in facets with validators of users.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel
from pydantic_core import CoreSchema, SchemaValidator, core_schema, to_json

from openlineage_facets.base.wire.core_schemas import (
    FunctionRole,
    collection_of,
    function_of,
    has_fields,
    is_collection,
    object_schema,
    role_of,
    schema_of,
    unnested,
    with_parts,
    without,
)
from openlineage_facets.base.wire.pydantic_internals import core_schema_of, is_built


@dataclass(frozen=True)
class JsonOfItems:
    """A schema that validates the JSON object of a class.

    Args:
        schema: The schema.
        definitions: The schemas it refers to, by reference.
    """

    schema: CoreSchema
    definitions: dict[str, CoreSchema]


class _State(threading.local):
    def __init__(self) -> None:
        self.building: set[type[BaseModel]] = set()


_STATE = _State()


class _NotPlain(Exception):
    """The class has fields whose values are not plain JSON."""


def json_of_items(cls: type[BaseModel], *, composing: bool) -> JsonOfItems | None:
    """Return the schema of the wire format of a class, or None if its values are not plain JSON.

    Args:
        cls: The class.
        composing: Whether to reject unknown fields, unless the class is open.
    """
    if cls in _STATE.building:
        return None  # An item contains an entity, and the entity facets of this class, which are not plain.
    _STATE.building.add(cls)
    try:
        if not is_built(cls) and not cls.model_rebuild(raise_errors=False):
            return None
    finally:
        _STATE.building.remove(cls)
    converter = _ItemConverter(f"{'composed' if composing else 'parsed'}:", composing)
    try:
        schema = converter.of(core_schema_of(cls))
    except _NotPlain:
        return None
    return JsonOfItems(schema, converter.definitions)


_CONTAINERS = frozenset(
    "chain custom-error definition-ref dict json-or-python list nullable tuple union".split()
)
_SCALARS = frozenset("any bool float int literal none str".split())


class _ItemConverter:
    """Convert the schema of a class to that of its wire format, for parsing and for composing.

    Args:
        prefix: Prefix of each reference, since one schema may contain both variants.
        composing: Whether to reject unknown fields.
    """

    def __init__(self, prefix: str, composing: bool) -> None:
        self.definitions: dict[str, CoreSchema] = {}
        self._prefix = prefix
        self._composing = composing

    def of(self, schema: Any) -> Any:
        kind, role = schema["type"], role_of(function_of(schema))
        if kind == "definitions":
            inner, definitions = unnested(schema)
            for definition in definitions:
                self.of(definition)
            return self.of(inner)
        if kind == "model" and has_fields(schema):
            return self._independent(object_schema(schema, self.of, composing=self._composing))
        if kind == "enum":
            values = [member.value for member in schema["members"]]
            expected = {"expected": " or ".join(map(repr, values))}
            return core_schema.custom_error_schema(
                core_schema.literal_schema(values), custom_error_type="enum", custom_error_context=expected
            )
        if role is FunctionRole.KEEPS_UNKNOWN_APART:
            reference = {"ref": schema["ref"]} if "ref" in schema else {}
            return self.of({**schema["schema"], **reference})  # A dict has no Python names.
        is_float = kind == "is-instance" and schema["cls"] is float
        if kind in _CONTAINERS or kind in _SCALARS or role is FunctionRole.RETURNS_JSON or is_float:
            return self._independent(with_parts(schema, self.of))
        raise _NotPlain

    def _independent(self, schema: Any) -> Any:
        """Return a schema with renamed references, and without serialization and metadata."""
        plain = without(schema, "serialization", "metadata")
        for name in ("ref", "schema_ref"):
            if name in plain:
                plain[name] = self._prefix + plain[name]
        if "ref" in plain:
            self.definitions[plain["ref"]] = plain
            return core_schema.definition_reference_schema(plain["ref"])
        return plain


def accepts(cls: type[BaseModel], value: Any) -> bool:
    """Return whether a class parses a JSON value strictly.

    Args:
        cls: The class.
        value: The value as returned by `from_json`.
    """
    return _checker(cls).isinstance_python(value, strict=True)


_CHECKERS: dict[type[BaseModel], tuple[CoreSchema, SchemaValidator]] = {}


def _checker(cls: type[BaseModel]) -> SchemaValidator:
    schema = schema_of(cls)
    known = _CHECKERS.get(cls)
    if known is None or known[0] is not schema:
        known = _CHECKERS[cls] = schema, SchemaValidator(_CheckConverter(schema).converted())
    return known[1]


_CHECKED_ALIKE = frozenset(
    """
    any bool custom-error definition-ref dict float int list none nullable str tagged-union typed-dict
    typed-dict-field union
    """.split()
)
"""The types of schemas that check parsed JSON as they check text."""

_HOOKS = frozenset({"custom_init", "post_init", "root_model"})
"""Methods that users add to a class."""


class _CheckConverter:
    """Convert the schema of a class to one that checks parsed JSON.

    Args:
        schema: The schema of the class.
    """

    def __init__(self, schema: Any) -> None:
        self._schema, self._definitions = unnested(schema)

    def converted(self) -> CoreSchema:
        """Return the converted schema."""
        definitions = [self._of(definition) for definition in self._definitions]
        return core_schema.definitions_schema(self._of(self._schema), definitions)

    def _of(self, schema: Any) -> Any:
        converted = self._of_type(schema["type"], schema)
        return {**converted, "ref": schema["ref"]} if "ref" in schema else converted

    def _of_type(self, kind: str, schema: Any) -> Any:
        if kind in _CHECKED_ALIKE:
            return with_parts(schema, self._of)
        if kind == "json-or-python":
            return self._of(schema["json_schema"])
        if kind == "model" and has_fields(schema) and not any(map(schema.get, _HOOKS)):
            return object_schema(schema, self._of, composing=False)
        if is_collection(schema):
            return collection_of(schema, self._of(schema["items_schema"][0]))
        if kind == "literal" and all(isinstance(value, str) for value in schema["expected"]):
            return schema
        if kind == "enum" and schema.get("sub_type") == "str" and "missing" not in schema:
            return core_schema.literal_schema([member.value for member in schema["members"]])
        if kind == "function-after":
            return self._of_validator(schema)
        return self._of_text(schema)

    def _of_validator(self, schema: Any) -> Any:
        """Return the schema with a function that checks what another schema accepts."""
        role, inner = role_of(function_of(schema)), self._of(schema["schema"])
        if role in (FunctionRole.CREATES_ONLY, FunctionRole.KEEPS_UNKNOWN_APART):
            return inner
        if role is FunctionRole.CHECKS_JSON or (
            schema["function"]["type"] == "no-info" and _is_scalar(inner)
        ):
            return {**schema, "schema": inner}
        return self._of_text(schema)

    def _of_text(self, schema: Any) -> CoreSchema:
        """Return a schema that parses the text of a value, for anything else, such as validators of users."""
        inner = without(schema, "ref")
        validator = SchemaValidator(core_schema.definitions_schema(inner, self._definitions))

        def parse(value: Any) -> Any:
            return validator.validate_json(to_json(value), strict=True)

        return core_schema.no_info_plain_validator_function(parse)


def _is_scalar(schema: Any) -> bool:
    """Return whether the values of a converted schema are text, numbers or booleans."""
    if schema["type"] == "union":
        return all(map(_is_scalar, schema["choices"]))
    if schema["type"] in ("custom-error", "function-after"):
        return _is_scalar(schema["schema"])
    return schema["type"] in ("bool", "float", "int", "str")
