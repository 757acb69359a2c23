"""Validate fields of custom facets with foreign types: Any, dataclasses, other pydantic models.

Their schemas accept values that JSON cannot represent, such as lone surrogates, which would fail later.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Annotated, Any, Literal, get_args, get_origin

from pydantic_core import PydanticSerializationError

from openlineage_facets.base.errors.findings import EventError, Finding, describe, json_pointer
from openlineage_facets.base.json.json_input import is_utf8
from openlineage_facets.base.model.model import Model

__all__ = ["assert_foreign_fields_are_json"]


def assert_foreign_fields_are_json(value: Model) -> None:
    """Validate that a composed value can be serialized as JSON.

    Raises:
        EventError: It cannot; the finding has the location.
    """
    if not _has_foreign_fields(type(value)):
        return
    try:
        value.to_json()
    except (PydanticSerializationError, TypeError, ValueError) as error:
        raise EventError([_finding(value, error)]) from None


def _finding(value: Model, error: Exception) -> Finding:
    steps = _lone_surrogate(value.model_dump())
    if steps is None:
        return Finding("", "fields that JSON can represent", f"another value ({error})", code="OL015")
    hint = "decode it with the encoding it was written in"
    return Finding(
        json_pointer(steps[:-1]), "text without lone surrogates", describe(steps[-1]), hint, code="OL015"
    )


def _lone_surrogate(value: Any) -> list[Any] | None:
    """Return the keys and indexes to the first text with a lone surrogate, and that text."""
    parts: Iterable[tuple[Any, Any]] = ()
    if isinstance(value, str):
        return None if is_utf8(value) else [value]
    if isinstance(value, Mapping):
        wrong = [key for key in value if isinstance(key, str) and not is_utf8(key)]
        if wrong:
            return wrong[:1]
        parts = value.items()
    elif isinstance(value, (list, tuple)):
        parts = enumerate(value)
    for step, part in parts:
        steps = _lone_surrogate(part)
        if steps is not None:
            return [step, *steps]
    return None


_CLASSES: dict[type[Model], bool] = {}


def _has_foreign_fields(cls: type[Model]) -> bool:
    known = _CLASSES.get(cls)
    if known is None:
        _CLASSES[cls] = False  # For a recursive class, its other fields decide.
        fields = cls.model_fields.values()
        known = _CLASSES[cls] = any(
            _is_foreign(field.annotation) for field in fields if not _is_ours(field.metadata)
        )
    return known


def _is_foreign(annotation: Any) -> bool:
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return not _is_ours(arguments[1:]) and _is_foreign(arguments[0])
    if origin is Literal:
        return False
    if arguments:
        return any(_is_foreign(argument) for argument in arguments if argument is not ...)
    if not isinstance(annotation, type):
        return annotation is not None
    if issubclass(annotation, Model):
        return _has_foreign_fields(annotation)
    is_ours = issubclass(annotation, Enum) or hasattr(annotation, "__slots_by_key__")
    return annotation not in _JSON_TYPES and not is_ours


_JSON_TYPES = frozenset({str, int, float, bool, type(None)})


def _is_ours(metadata: Any) -> bool:
    """Return whether the metadata of an annotation has a type of `base/wire/types.py`."""
    return any(type(note).__module__.startswith("openlineage_facets.base.") for note in metadata)
