"""The signature of a class's constructor, for `inspect.signature` and interactive help."""

from __future__ import annotations

from inspect import Parameter, Signature
from typing import Any

from openlineage_facets.base.model.class_building import resolve_fields

__all__ = ["constructor_signature"]


def constructor_signature(cls: Any) -> Signature:
    """Return the keyword parameters of a class's constructor: its fields by Python name, required ones first.

    The default of optional parameters, and of those that composing fills in, is None.
    """
    resolve_fields(cls)
    required: list[Parameter] = []
    optional: list[Parameter] = []
    for name, field in cls.model_fields.items():
        is_optional = not field.is_required() or (field.alias or name) in cls.__defaults__
        parameter = Parameter(
            name,
            Parameter.KEYWORD_ONLY,
            default=None if is_optional else Parameter.empty,
            annotation=field.annotation,
        )
        (optional if is_optional else required).append(parameter)
    unknown = [Parameter("unknown_fields", Parameter.VAR_KEYWORD, annotation=Any)] if cls.__open__ else []
    return Signature([*required, *optional, *unknown], return_annotation=None)
