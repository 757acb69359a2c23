"""Translate pydantic errors into findings, one for each location and only for the likeliest union branch."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sized
from dataclasses import replace
from datetime import datetime
from math import isfinite
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from openlineage_facets.base.errors.findings import EventError, Finding, describe, missing_field, with_article
from openlineage_facets.base.errors.json_pointer import first_part, json_pointer
from openlineage_facets.base.errors.name_suggestions import normalized, own_class_hint
from openlineage_facets.base.json.json_input import MOST_LEVELS, is_utf8, nesting_finding
from openlineage_facets.base.model.field_names import wire_names
from openlineage_facets.base.model.union_errors import likeliest_errors
from openlineage_facets.base.times.rfc3339 import DATE_TIME
from openlineage_facets.base.wire.lazy_items import LazyItems
from openlineage_facets.base.wire.pydantic_internals import unknown_fields

if TYPE_CHECKING:
    from pydantic import ValidationError
    from pydantic_core import ErrorDetails, PydanticCustomError


def event_error(error: ValidationError, document: Any) -> EventError:
    """Return the error that pydantic raised, translated into findings.

    Args:
        error: The error that validation raised.
        document: The validated value, in the wire format.
    """
    details = [detail for detail in error.errors(include_url=False) if not _is_long_enough(detail)]
    groups = likeliest_errors(details, document)
    findings = (_merged([_finding(error.steps, error.detail) for error in group]) for group in groups)
    return EventError(list(dict.fromkeys(findings)))


def validator_exception(error: ValidationError) -> Exception | None:
    """Return the first exception that a validator of a user-defined class raised.

    One whose message has secrets is None: a traceback would show it.
    """
    contexts = (detail.get("ctx", {}) for detail in error.errors(include_url=False, include_input=False))
    causes = (context.get("error") for context in contexts)
    cause = next((cause for cause in causes if isinstance(cause, Exception)), None)
    return cause if cause is None or _redacted(cause) == str(cause) else None


def _redacted(message: object) -> str:
    """Return the message of a user's validator, which may repeat the value, without secrets."""
    from openlineage_facets.base.redaction.redact import redact_for_display

    return redact_for_display(str(message))


def _is_long_enough(detail: ErrorDetails) -> bool:
    """Return whether an array is only too short because pydantic does not count its invalid entries."""
    value, least = detail["input"], detail.get("ctx", {}).get("min_length")
    if detail["type"] != "too_short" or not isinstance(value, (list, tuple)):
        return False
    return isinstance(least, int) and len(value) >= least


def _merged(findings: list[Finding]) -> Finding:
    """Return one finding with the expected values of all branches of a union."""
    expected = " or ".join(dict.fromkeys(finding.expected for finding in findings))
    problem = findings[0].problem if expected == findings[0].expected else ""
    return replace(findings[0], expected=expected, problem=problem)


def _by_type(types_of: Mapping[str, str]) -> dict[str, str]:
    """Return the text of each error type, of texts with the types that they are for."""
    return {kind: text for text, kinds in types_of.items() for kind in kinds.split()}


_EXPECTED = _by_type(
    {
        "a string": "string_type",
        "text without lone surrogates": "string_unicode",
        "an integer": "int_type int_from_float int_parsing int_parsing_size",
        "a number": "float_type float_parsing",
        "true or false": "bool_type bool_parsing",
        "an array": "list_type tuple_type set_type frozen_set_type iterable_type",
        "an object": "dict_type model_type model_attributes_type mapping_type dataclass_type",
        "bytes": "bytes_type",
        "one of {expected}": "enum",
        "{expected}": "literal_error",
        "a number of at least {ge}": "greater_than_equal",
        "a number above {gt}": "greater_than",
        "a number of at most {le}": "less_than_equal",
        "a number below {lt}": "less_than",
        "a multiple of {multiple_of}": "multiple_of",
        "a string of at least {min_length} characters": "string_too_short",
        "a string of at most {max_length} characters": "string_too_long",
        "a string that matches {pattern}": "string_pattern_mismatch",
        "at least {min_length} {entries}": "too_short",
        "at most {max_length} {entries}": "too_long",
        "a value that does not contain itself": "recursion_loop",
        "a datetime with an offset": "timezone_aware",
        "a datetime without an offset": "timezone_naive",
        "a finite number": "finite_number",
        "an iterable that does not raise": "iteration_error",
        "a value of the class {class}": "is_instance_of",
        "a date in the past": "date_past",
        "a date in the future": "date_future",
        "a datetime in the past": "datetime_past",
        "a datetime in the future": "datetime_future",
        "a number of at most {max_digits} digits": "decimal_max_digits",
        "a number of at most {decimal_places} decimal places": "decimal_max_places",
        "a URL with one of the schemes {expected_schemes}": "url_scheme",
    }
)
"""The expected value by the type of an error."""

_EXPECTED_BY_PREFIX = {
    "datetime_": "a datetime, such as 2026-11-21T08:30:00Z",
    "date_": "a date, such as 2026-11-21",
    "timezone_": "an offset of less than 24 hours",
    "time_delta_": "a duration, such as P1DT2H",
    "time_": "a time, such as 08:30:00",
    "uuid_": "a UUID, such as 0198c5a2-7c1e-7bd1-9d5e-1f2f3a4b5c6d",
    "decimal_": "a number",
    "url_": "a URL",
}
"""The expected value by the prefix of other error types."""


_OURS = frozenset({"date_time", "one_of", "tombstone", "uuid"})
"""Error types of this package; their message is the expected value."""

_CODES = _by_type(
    {
        "OL003": "missing",
        "OL004": "is_instance_of",
        "OL005": "enum literal_error tombstone union_tag_invalid",
        "OL006": "extra_forbidden",
        "OL007": "greater_than greater_than_equal less_than less_than_equal multiple_of",
        "OL008": "string_pattern_mismatch string_too_long string_too_short too_long too_short",
        "OL009": "presence",
        "OL010": "one_of",
        "OL011": "date_time timezone_aware",
        "OL012": "uuid",
        "OL013": "facet_place",
        "OL015": "finite_number invalid_key json_value recursion_loop string_unicode",
    }
)
"""The code by the type of an error, of pydantic or this package; `_code_of` knows others by their suffix."""


def _code_of(kind: str, value: Any) -> str:
    """Return the code of an error of this type about `value`."""
    if isinstance(value, float) and not isfinite(value):
        return _CODES["finite_number"]
    return _CODES.get(kind) or ("OL004" if kind.endswith(("_type", "_parsing")) else "OL018")


def _finding(steps: tuple[str | int, ...], detail: ErrorDetails) -> Finding:
    finding = _described(steps, detail)
    if not finding.hint:
        finding = replace(finding, hint=_hint_about(detail))
    return finding if finding.code else replace(finding, code=_code_of(detail["type"], detail["input"]))


def _hint_about(detail: ErrorDetails) -> str:
    """Return what to pass instead of an object of another class, or of one where a list is expected."""
    value, expected = detail["input"], _expected_class(detail)
    found = type(value)
    hint = getattr(found, "__composed_by__", "") or own_class_hint(value, expected)
    if hint:
        return hint
    if detail["type"] in ("tuple_type", "list_type") and isinstance(value, (BaseModel, Mapping)):
        return "put it into a list"
    if expected == found.__name__:
        return f"it is a {found.__module__}.{expected}; use the {expected} of openlineage_facets, or a dict"
    return ""


def _expected_class(detail: ErrorDetails) -> str:
    """Return the name of the class that an error expects, if it expects one."""
    return str(detail.get("ctx", {}).get("class_name", ""))


def _described(steps: tuple[str | int, ...], detail: ErrorDetails) -> Finding:
    kind, value = detail["type"], detail["input"]
    context = detail.get("ctx", {})
    place = json_pointer(steps)
    if kind == "missing":
        return missing_field(place, str(steps[-1]), _how_to_add(str(steps[-1]), value))
    if kind == "json_invalid":
        return _invalid_json(str(context.get("error", detail["msg"])))
    if kind in ("union_tag_invalid", "union_tag_not_found"):
        return _wrong_tag(steps, context, value)
    if kind == "facet_place":
        return _misplacement(steps, context)
    if kind == "json_value":
        return _not_json(steps, value, detail["msg"])
    if kind == "model_type" and isinstance(value, BaseModel):
        return _other_class(place, context["class_name"], value)
    if kind in _TIMES and isinstance(value, datetime):
        hint = "give it a tzinfo, such as timezone.utc"
        return Finding(place, _TIMES[kind], "a datetime without an offset", hint)
    if kind == "presence":
        problem, hint = context["problem"], context["hint"]
        return Finding(place, detail["msg"], context["found"], hint, problem=problem)
    found = describe(value)
    if kind == "invalid_key":
        holder = json_pointer(steps[:-1]) if steps[-1:] == (value,) else place
        return Finding(holder, "names that are strings", f"the name {found}")
    if kind == "string_unicode":
        return Finding(place, _EXPECTED[kind], found, _DECODE)
    if kind == "extra_forbidden":
        problem = f"unknown field {steps[-1]!r}"
        return Finding(place, "no such field", found, problem=problem)
    if kind in ("value_error", "assertion_error"):
        return Finding(place, "a value that the class accepts", found, _redacted(context.get("error", "")))
    if kind in _OURS:
        return Finding(place, detail["msg"], found)
    if kind in ("too_short", "too_long"):
        limit = context["min_length" if kind == "too_short" else "max_length"]
        expected = _EXPECTED[kind].format(**context, entries=_entries(limit))
        return Finding(place, expected, _length(value))
    alike = (words for prefix, words in _EXPECTED_BY_PREFIX.items() if kind.startswith(prefix))
    template = _EXPECTED.get(kind) or next(alike, None)
    if template is None:
        return Finding(place, "a value that the class accepts", found, _redacted(detail["msg"]))
    return Finding(place, template.format(**context), found)


_DECODE = "decode it with the encoding it was written in"


def _how_to_add(name: str, holder: Any) -> str:
    """Return the hint for a missing field: an existing field to rename, or ""."""
    meant = (
        [key for key in holder if isinstance(key, str) and normalized(key) == normalized(name)]
        if isinstance(holder, Mapping)
        else []
    )
    return f"rename {meant[0]!r} to {name!r}" if meant else ""


_TIMES = {"date_time": DATE_TIME, "timezone_aware": _EXPECTED["timezone_aware"]}

_BEYOND = {
    "recursion limit": f"JSON nested at most {MOST_LEVELS} levels deep",
    "number out of range": "JSON whose numbers have at most 4300 digits",
    "hex escape": "JSON without lone surrogates",
}
"""Limits beyond JSON, by the words of the parser's message."""


def _invalid_json(reason: str) -> Finding:
    for words, expected in _BEYOND.items():
        if words in reason:
            found = f"more ({reason})" if "most" in expected else f"one ({reason})"
            return Finding("", expected, found, code="OL001")
    hint = "check whether the text was truncated or concatenated"
    problem = f"not valid JSON ({reason})"
    return Finding("", "valid JSON", f"invalid JSON ({reason})", hint, code="OL001", problem=problem)


def _wrong_tag(steps: tuple[str | int, ...], context: Mapping[str, Any], value: Any) -> Finding:
    """Return the finding of an object with a missing or unknown discriminator."""
    if not isinstance(value, Mapping):
        return Finding(json_pointer(steps), "an object", describe(value), code="OL004")
    field = context["discriminator"].strip("'")
    place = json_pointer([*steps, field])
    if field not in value:
        return missing_field(place, field)
    return Finding(place, f"one of {context['expected_tags']}", describe(value[field]))


def misplacement(error: PydanticCustomError) -> Finding:
    """Return the finding of a facet on the wrong entity or under the wrong key."""
    return _misplacement((), error.context or {})


def _misplacement(steps: tuple[str | int, ...], context: Mapping[str, Any]) -> Finding:
    place = steps if context["key"] is None else (*steps, context["key"])
    code = context.get("code", _CODES["facet_place"])
    expected, found, hint, problem = (context[name] for name in ("expected", "found", "hint", "problem"))
    return Finding(json_pointer(place), expected, found, hint, code=code, problem=problem)


def _entries(count: int) -> str:
    return "entry" if count == 1 else "entries"


def _length(value: Any) -> str:
    """Return the length of an array for a message."""
    return f"{len(value)} {_entries(len(value))}" if isinstance(value, Sized) else describe(value)


def _other_class(place: str, expected: str, value: Any) -> Finding:
    found = type(value)
    if found.__name__ != expected:
        return Finding(place, with_article(expected), with_article(found.__name__))
    hint = f"use {expected} from the facet's own module, such as facets.parent_run"
    if hasattr(found, "__facet_key__"):
        hint = (
            f"if {expected} was defined again, call register_facets({expected}); otherwise use the {expected}"
            " that is registered for this key, from its own package or version"
        )
    another = f"{found.__module__}.{expected}, another class with that name"
    return Finding(place, f"the {expected} of this field", another, hint)


def _is_not_json(value: Any) -> bool:
    """Return whether JSON has no such value, whatever it contains."""
    if isinstance(value, (dict, list)):
        return False
    try:
        json.dumps(value, allow_nan=False, ensure_ascii=False).encode()
    except (TypeError, ValueError, RecursionError):
        return True
    return isinstance(value, tuple)


def _not_json(steps: tuple[str | int, ...], value: Any, expected: str) -> Finding:
    """Return the finding of the first part of a value that JSON cannot represent."""
    inner, part = first_part(value, _is_not_json, _is_no_json_key) or ((), value)
    place = json_pointer([*steps, *inner])
    if isinstance(part, str):
        return Finding(place, _EXPECTED["string_unicode"], describe(part), _DECODE)
    if isinstance(_part_at(value, inner), dict):
        return Finding(
            place, "an object whose keys are strings", f"the key {describe(part)}", "convert it with str()"
        )
    if isinstance(part, tuple):
        return Finding(place, expected, "a tuple", "convert it with list()")
    return Finding(place, expected, describe(part), _conversion(part))


def _conversion(value: Any) -> str:
    """Return the hint for a value that JSON can represent once it is converted, "" for others."""
    if isinstance(value, Mapping):
        return "convert it with dict()"
    if type(value).__name__ in ("bool", "bool_"):  # Of NumPy.
        return "convert it with bool()"
    is_list = isinstance(value, Collection) and not isinstance(value, (bytes, bytearray, memoryview))
    return "convert it with list()" if is_list else ""


def _part_at(value: Any, steps: Iterable[str | int]) -> Any:
    for step in steps:
        value = value[step]
    return value


def _is_no_json_key(key: Any) -> bool:
    return not isinstance(key, str) or not is_utf8(key)


def unwritable(value: BaseModel, error: Exception) -> Exception:
    """Return the error to raise for a value that pydantic cannot write: something mutable in it was changed.

    Args:
        value: The value.
        error: The error of pydantic.
    """
    finding: Finding | None = nesting_finding(_fields_of(value), None)
    return error if finding is None else EventError([finding])


def _fields_of(value: BaseModel) -> dict[str, Any]:
    """Return the fields of a value by wire name, those of values in it likewise."""
    is_ours = hasattr(value, "__wire_serializer__")
    names = wire_names(type(value)) if is_ours else dict.fromkeys(type(value).model_fields)
    held = {names[name] or name: part for name, part in value.__dict__.items() if name in names}
    return {key: _plain(part) for key, part in {**held, **(unknown_fields(value) or {})}.items()}


def _plain(part: Any) -> Any:
    if isinstance(part, LazyItems):
        return part.plain  # No one else can change it.
    if isinstance(part, BaseModel):
        return _fields_of(part)
    if isinstance(part, Mapping) and not isinstance(part, dict):  # Facets by key.
        return {key: _plain(member) for key, member in part.items()}
    return tuple(map(_plain, part)) if isinstance(part, tuple) else part
