"""Convert validation errors of the `jsonschema` package to findings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any, TypeAlias

from openlineage_facets.base.errors.findings import Finding, describe, missing_field
from openlineage_facets.base.errors.json_pointer import json_pointer, steps_of
from openlineage_facets.base.times.rfc3339 import DATE_TIME

_Error: TypeAlias = Any
"""A `ValidationError` of jsonschema. `Any`, because its attributes are typed as possibly unset."""

_TYPES = {
    "array": "an array",
    "boolean": "true or false",
    "integer": "an integer",
    "null": "null",
    "number": "a number",
    "object": "an object",
    "string": "a string",
}
_FORMATS = {
    "date-time": ("OL011", DATE_TIME),
    "uuid": ("OL012", "a UUID, such as 0198c5a2-7c1e-7bd1-9d5e-1f2f3a4b5c6d"),
}
_LIMITS: dict[str, tuple[str, str]] = {
    "minimum": ("OL007", "a number of at least {}"),
    "exclusiveMinimum": ("OL007", "a number above {}"),
    "maximum": ("OL007", "a number of at most {}"),
    "exclusiveMaximum": ("OL007", "a number below {}"),
    "multipleOf": ("OL007", "a multiple of {}"),
    "minLength": ("OL008", "a string of at least {} characters"),
    "maxLength": ("OL008", "a string of at most {} characters"),
    "pattern": ("OL008", "a string that matches {}"),
    "minItems": ("OL008", "at least {} items"),
    "maxItems": ("OL008", "at most {} items"),
    "minProperties": ("OL008", "at least {} fields"),
    "maxProperties": ("OL008", "at most {} fields"),
}


def findings_of_schema(errors: Iterable[_Error], pointer: str) -> list[Finding]:
    """Convert the errors of one validation.

    Args:
        errors: The errors from `iter_errors`.
        pointer: JSON Pointer to the validated value.
    """
    found = (finding for error in errors for finding in _findings(error, pointer))
    return list(dict.fromkeys(found))


def _findings(error: _Error, pointer: str) -> Iterator[Finding]:
    place = pointer + json_pointer(error.absolute_path)
    keyword, value, found = error.validator, error.validator_value, error.instance
    if keyword in _BY_KEYWORD:
        yield from _BY_KEYWORD[keyword](error, place)
    elif keyword in ("anyOf", "oneOf") and all(_is_type_error(cause) for cause in error.context or [error]):
        type_errors = [finding for cause in error.context for finding in _findings(cause, pointer)]
        expected = " or ".join(dict.fromkeys(finding.expected for finding in type_errors))
        yield replace(type_errors[0], expected=expected)
    elif keyword in ("anyOf", "oneOf") and error.context:
        for nearest in _nearest_branch(error.context):
            yield from _findings(nearest, pointer)
    elif keyword in _LIMITS:
        code, expected = _LIMITS[keyword]
        yield Finding(place, expected.format(value), describe(found), code=code)
    elif keyword == "format":
        code, expected = _FORMATS.get(value, ("OL008", f"a string of the format {value!r}"))
        yield Finding(place, expected, describe(found), code=code)
    elif keyword in ("anyOf", "oneOf"):
        yield Finding(place, "exactly one matching alternative of the schema", "several", code="OL010")
    else:
        expected = f"a value that {keyword!r} of the schema allows" if keyword else "no value"
        yield Finding(place, expected, describe(found), code="OL018")


def _required(error: _Error, place: str) -> Iterator[Finding]:
    # There is one error for each missing field, and only its message contains the name.
    missing = [name for name in error.validator_value if name not in error.instance]
    named = [name for name in missing if error.message.startswith(repr(name))] or missing
    for name in named:
        yield missing_field(place + json_pointer([name]), name)


def _type(error: _Error, place: str) -> Iterator[Finding]:
    names = [error.validator_value] if isinstance(error.validator_value, str) else error.validator_value
    expected = " or ".join(_TYPES.get(name, str(name)) for name in names)
    yield Finding(place, expected, describe(error.instance), code="OL004")


def _enum(error: _Error, place: str) -> Iterator[Finding]:
    *most, last = [
        repr(value) if isinstance(value, str) else describe(value) for value in error.validator_value
    ]
    expected = f"one of {', '.join(most)} or {last}" if most else last
    yield Finding(place, expected, describe(error.instance), code="OL005")


def _const(error: _Error, place: str) -> Iterator[Finding]:
    yield Finding(place, describe(error.validator_value), describe(error.instance), code="OL005")


def _closed(error: _Error, place: str) -> Iterator[Finding]:
    problem = f"unknown field {steps_of(place)[-1]!r}" if place else ""
    yield Finding(place, "no such field", describe(error.instance), code="OL006", problem=problem)


def _not(error: _Error, place: str) -> Iterator[Finding]:
    required = error.validator_value.get("required") if isinstance(error.validator_value, dict) else None
    expected = "a value that 'not' of the schema does not exclude"
    if required:
        expected = f"an object without {' and '.join(map(repr, required))}"
    yield Finding(place, expected, describe(error.instance), code="OL009")


def _dependent(error: _Error, place: str) -> Iterator[Finding]:
    for name, others in error.validator_value.items():
        missing = [other for other in others if other not in error.instance] if name in error.instance else []
        for other in missing:
            problem = f"missing field {other!r}, which is required with {name!r}"
            yield Finding(place, f"{other!r} with {name!r}", f"only {name!r}", code="OL009", problem=problem)


_BY_KEYWORD: dict[str, Callable[[_Error, str], Iterator[Finding]]] = {
    "required": _required,
    "type": _type,
    "enum": _enum,
    "const": _const,
    "additionalProperties": _closed,
    "patternProperties": _closed,
    "properties": _closed,
    "unevaluatedProperties": _closed,
    "not": _not,
    "dependentRequired": _dependent,
}


def _is_type_error(error: _Error) -> bool:
    """Return whether an alternative requires a different JSON type."""
    return error.validator == "type" and not error.relative_path


def _nearest_branch(errors: Iterable[_Error]) -> list[_Error]:
    """Return the errors of the best matching alternative, which is probably the intended one.

    Alternatives of the right type come first, then those without a wrong constant, then those with the
    fewest errors.
    """
    branches: dict[Any, list[_Error]] = {}
    for error in errors:
        branches.setdefault(error.relative_schema_path[0], []).append(error)
    return min(branches.values(), key=_distance)


def _distance(errors: list[_Error]) -> tuple[bool, bool, int]:
    wrong_type = any(map(_is_type_error, errors))
    wrong_constant = any(error.validator in ("const", "enum") for error in errors)
    return wrong_type, wrong_constant, len(errors)
