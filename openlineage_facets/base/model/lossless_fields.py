"""Whether values of a class are written exactly as they were parsed, whatever they are.

Generated classes write every value as it was read. A hand-written class may have fields that do not: a `set`,
a `Decimal`, a `float` that was an integer of many digits, or a validator that changes a value.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Annotated, Any, Literal, get_args, get_origin

from pydantic import Strict
from pydantic.fields import FieldInfo

from openlineage_facets.base.model import rules
from openlineage_facets.base.model.class_building import resolve_fields
from openlineage_facets.base.model.model import Model
from openlineage_facets.base.times.timestamp import Timestamp
from openlineage_facets.base.wire.pydantic_internals import (
    field_validators,
    has_serializers,
    is_called_only_to_compose,
    model_validators,
    unknown_fields_annotation,
)
from openlineage_facets.base.wire.types import WRITE_AS_READ

__all__ = ["writes_as_read"]


def writes_as_read(cls: type[Model]) -> bool:
    """Return whether every value of a class is written as it was read.

    False means that some may not be.
    """
    known = _CLASSES.get(cls)
    if known is not None:
        return known
    if not resolve_fields(cls):
        return False  # Unknown until its types are defined.
    _CLASSES[cls] = True  # For a recursive class, its other fields decide.
    _CLASSES[cls] = _has_our_behaviour(cls) and all(map(_is_lossless_field, cls.model_fields.values()))
    return _CLASSES[cls]


_CLASSES: dict[type[Model], bool] = {}


def _is_lossless_field(field: FieldInfo) -> bool:
    return not field.exclude and _is_lossless_with(field.annotation, field.metadata)


def _has_our_behaviour(cls: type[Model]) -> bool:
    """Return whether a class has the configuration, constructor and methods of a generated class."""
    extra = unknown_fields_annotation(cls)
    return (
        {**cls.model_config, "extra": "allow"} == Model.model_config
        and cls.model_config.get("extra") in ("allow", "forbid")
        and is_called_only_to_compose(cls.__init__)
        and extra is not None
        and extra[0] is Model
        and not has_serializers(cls)
        and not field_validators(cls)
        and all(validator.func.__module__ == rules.__name__ for validator in model_validators(cls))
    )


def _is_lossless(annotation: Any) -> bool:
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _is_lossless_with(arguments[0], arguments[1:])
    if origin is Literal:
        return all(isinstance(one, str) for one in arguments)
    if origin is dict and arguments[0] is not str:
        return False
    if arguments and origin not in (set, frozenset):
        return all(_is_lossless(one) for one in arguments if one is not ...)
    if not isinstance(annotation, type):
        return annotation in (None, Any)
    if issubclass(annotation, Enum):
        return issubclass(annotation, str)
    if issubclass(annotation, Model):
        return writes_as_read(annotation)
    return annotation in _LOSSLESS or hasattr(annotation, "__slots_by_key__")


_LOSSLESS = frozenset({str, int, bool, type(None), list, dict, Any, Timestamp})


def _is_lossless_with(annotation: Any, metadata: Sequence[Any]) -> bool:
    """Return whether a type with metadata is lossless: metadata may replace the type, or only check it."""
    is_replaced = any(isinstance(one, WRITE_AS_READ) for one in metadata)
    return (is_replaced or _is_lossless(annotation)) and all(map(_is_check, metadata))


def _is_check(metadata: Any) -> bool:
    """Return whether the metadata of a type is ours, or only accepts or rejects values."""
    module = type(metadata).__module__
    return (
        module == "annotated_types"
        or module.startswith("openlineage_facets.base.")
        or isinstance(metadata, (Strict, FieldInfo))
        or getattr(metadata, "__dict__", {}).keys() == {"pattern"}
    )
