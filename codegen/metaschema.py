"""Validate schemas against the JSON Schema 2020-12 metaschema, one keyword at a time.

The official metaschema is recursive: it validates a whole document in one go, with a deep Python stack and
messages about its own structure. Here every schema inside a document is visited in turn, and each keyword is
checked by the part of the metaschema that defines it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema_specifications import REGISTRY

from .errors import pointer_of, truncated_repr
from .keywords import TYPES, schemas_in, with_objects_changed

_VOCABULARIES = ("core", "applicator", "validation", "meta-data", "format-annotation")

_SCHEMA = {"type": ["object", "boolean"]}
"""What a nested schema must be here; its own keywords are checked when it is visited."""


def metaschema_error(document: Mapping[str, Any]) -> tuple[str, str] | None:
    """Return the JSON Pointer and the message of the first violation in `document`, None if it is valid."""
    for pointer, schema in schemas_in(document):
        for keyword, value in schema.items():
            validator = _validators().get(keyword)
            errors = validator.iter_errors(value) if validator else ()
            error = min(errors, key=_place, default=None)  # They have no order of their own.
            if error is not None:
                steps = () if keyword == "type" else error.absolute_path
                return pointer + pointer_of([keyword, *steps]), _message(keyword, error)
    return None


def _place(error: Any) -> tuple[str, str]:
    return pointer_of(error.absolute_path), error.message


@cache
def _validators() -> dict[str, Any]:
    """Return the validator of each keyword's value."""
    validators = {}
    for name in _VOCABULARIES:
        vocabulary: Any = REGISTRY.contents(f"https://json-schema.org/draft/2020-12/meta/{name}")
        definitions = with_objects_changed(vocabulary.get("$defs", {}), _not_recursive)
        for keyword, schema in vocabulary["properties"].items():
            if schema is True:
                continue
            validators[keyword] = Draft202012Validator(
                {**with_objects_changed(schema, _not_recursive), "$defs": definitions}
            )
    return validators


def _not_recursive(schema: dict[str, Any]) -> dict[str, Any]:
    return dict(_SCHEMA) if "$dynamicRef" in schema else schema


_PYTHON_TYPES = {"int": "integer", "bool": "boolean", "str": "string", "float": "number", "double": "number"}
_PYTHON_TYPES |= {"long": "integer", "dict": "object", "list": "array", "None": "null"}
"""The types of JSON Schema that names from programming languages stand for."""

_TYPE_NAMES = {"array": "a list", "object": "an object", "string": "a string", "boolean": "true or false"}
_TYPE_NAMES |= {"integer": "an integer", "number": "a number"}


_EXPECTED = {
    "minItems": "at least one entry",
    "uniqueItems": "distinct entries",
    "minimum": "an integer of at least 0",
}
"""What other keywords of the metaschema expect."""


def _message(keyword: str, error: Any) -> str:
    hint = ""
    if keyword == "type":
        expected = f"one of {', '.join(TYPES)}, or a list of distinct ones"
        if isinstance(error.instance, str) and error.instance in _PYTHON_TYPES:
            hint = f"; did you mean {_PYTHON_TYPES[error.instance]!r}?"
    elif error.validator == "type":
        is_schema = error.validator_value == _SCHEMA["type"]
        expected = "a schema" if is_schema else _TYPE_NAMES[error.validator_value]
    else:
        other = f"a value valid by the metaschema's {error.validator} {error.validator_value!r}"
        expected = _EXPECTED.get(error.validator, other)
    return f"expected {expected}, found {truncated_repr(error.instance)}{hint}"
