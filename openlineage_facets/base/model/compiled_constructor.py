"""Constructors of nested items, compiled for the fields of their class.

Most objects of an event are nested items, such as the columns of a schema: a few scalars, and other items.
For such a class, the general constructor takes twice the time of a plain pydantic model. Its first use
compiles one for the class, which composes fields of exactly the expected types. It passes everything else to
the general one, so that both accept the same and raise the same errors.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from typing import Any, NamedTuple

from pydantic import BaseModel

from openlineage_facets.base.json.json_input import is_utf8
from openlineage_facets.base.wire.pydantic_internals import (
    called_only_to_compose,
    core_schema_of,
    set_fields_set,
    set_private_attributes,
    set_unknown_fields,
    set_values,
)
from openlineage_facets.base.wire.schema_functions import only_keeps_unknown_apart

__all__ = ["compile_constructor"]


def compile_constructor(cls: type[BaseModel], general: Callable[..., None]) -> None:
    """Replace the constructor of a generated class whose required fields are scalars and items.

    Classes of users keep the general one: Spark pickles those of a script with all attributes.

    Args:
        cls: A class that is built, and needs no defaults, checks or facets.
        general: The constructor of all classes.
    """
    if cls.__module__.startswith("openlineage_facets.generated.") and cls.__init__ is general:
        schema = core_schema_of(cls)
        fields = _Definitions(schema).fields_of(schema)
        if fields is not None:
            type.__setattr__(cls, "__init__", _compiled(cls, fields, general))


class _Field(NamedTuple):
    is_required: bool
    check: str
    """The expression that is true for a valid value of a type that needs no conversion."""
    convert: str
    """The expression for the value to be kept."""
    item_class: type[BaseModel] | None
    """The class of the item, or of each item."""


def _compiled(cls: type[BaseModel], fields: dict[str, _Field], general: Callable[..., None]) -> Any:
    absent = object()

    def compose(value: Any, positional: Any, given: tuple[Any, ...], others: dict[str, Any]) -> None:
        present = {name: one for name, one in zip(fields, given, strict=True) if one is not absent}
        general(value, *positional, **present, **others)

    names: dict[str, Any] = {
        **_NAMES,
        **{f"_class_of_{name}": field.item_class for name, field in fields.items()},
        "_absent": absent,
        "_class": cls,
        "_compose": compose,
    }
    exec(compile(_source(fields), f"<constructor of {cls.__name__}>", "exec"), names)
    constructor: Any = called_only_to_compose(names["__init__"])
    constructor.__module__, constructor.__qualname__ = general.__module__, general.__qualname__
    constructor.__signature__ = vars(general)["__signature__"]
    return constructor


def _source(fields: dict[str, _Field]) -> str:
    """Return the source of a constructor. Names of fields have no leading underscore, others have one."""
    required = [name for name, field in fields.items() if field.is_required]
    parameters = ", ".join(f"{name}=_absent" for name in fields)
    compose = f"_compose(_value, _positional, ({''.join(f'{name}, ' for name in fields)}), _others)"
    lines = [
        f"def __init__(_value, /, *_positional, {parameters}, **_others):",
        "    if _positional or _others or _type(_value) is not _class:",
        f"        return {compose}",
        *(f"    if not ({fields[name].check}):\n        return {compose}" for name in required),
        f"    _given = {{{', '.join(map(repr, required))}}}" if required else "    _given = _set()",
    ]
    for name, field in fields.items():
        if not field.is_required:
            lines += [
                f"    if {name} is None or {name} is _absent:",
                f"        {name} = None",
                f"    elif {field.check}:",
                *([f"        {name} = {field.convert}"] if field.convert != name else []),
                f"        _given.add({name!r})",
                "    else:",
                f"        return {compose}",
            ]
    values = [f"{name!r}: {field.convert if field.is_required else name}" for name, field in fields.items()]
    lines += [
        f"    _set_values(_value, {{{', '.join(values)}}})",
        "    _set_fields_set(_value, _given)",
        "    _set_unknown_fields(_value, {})",
        "    _set_private_attributes(_value, None)",
    ]
    return "\n".join(lines)


def _are_items(values: Any, item_class: type[Any]) -> bool:
    """Return whether `values` is a list or tuple of instances of exactly one class."""
    if type(values) is not list and type(values) is not tuple:
        return False
    for one in values:  # noqa: SIM110  # A generator expression would take longer than most lists.
        if type(one) is not item_class:
            return False
    return True


def _is_number(value: Any) -> bool:
    return isfinite(value) if type(value) is float else type(value) is int and -(2**63) <= value < 2**63


_NAMES: dict[str, Any] = {
    "__name__": __name__,  # `class_building` looks for the frame of the user.
    "_are_items": _are_items,
    "_bool": bool,
    "_int": int,
    "_is_number": _is_number,
    "_is_utf8": is_utf8,
    "_set": set,
    "_set_fields_set": set_fields_set,
    "_set_private_attributes": set_private_attributes,
    "_set_unknown_fields": set_unknown_fields,
    "_set_values": set_values,
    "_str": str,
    "_tuple": tuple,
    "_type": type,
}
"""The names that every compiled constructor uses."""


class _Definitions:
    """The definitions in the schema of a class.

    Args:
        schema: The schema of the class.
    """

    def __init__(self, schema: Any) -> None:
        definitions = schema["definitions"] if schema["type"] == "definitions" else ()
        self._by_reference = {one["ref"]: one for one in definitions}

    def fields_of(self, schema: Any) -> dict[str, _Field] | None:
        """Return the fields of a class, or None if the general constructor has to validate one of them."""
        model = self._model(schema)
        if model is None or model["config"].get("extra_fields_behavior") != "allow":
            return None
        fields = {}
        for name, described in model["schema"]["fields"].items():
            is_required = described["schema"]["type"] != "default"
            value = described["schema"] if is_required else described["schema"]["schema"]
            field = self._field(name, value, is_required)
            if field.check == _NEVER and is_required:
                return None
            fields[name] = field
        return fields

    def _field(self, name: str, schema: Any, is_required: bool) -> _Field:
        kind = schema["type"]
        if kind in ("str", "bool"):
            limits = schema.keys() - {"type", "strict", "metadata"}
            return _Field(is_required, _NEVER if limits else _CHECKS[kind].format(name), name, None)
        if kind == "union":
            expected = schema.get("custom_error_type", "")
            return _Field(is_required, _CHECKS.get(expected, _NEVER).format(name), name, None)
        if kind == "tuple" and len(schema["items_schema"]) == 1 and not _LIMITS & schema.keys():
            model = self._model(schema["items_schema"][0])
            check = f"_are_items({name}, _class_of_{name})"
            convert = f"_tuple({name})"
        else:
            model = self._model(schema)
            check = f"_type({name}) is _class_of_{name}"
            convert = name
        return _Field(is_required, check if model else _NEVER, convert, model and model["cls"])

    def _model(self, schema: Any) -> Any:
        """Return the schema of a class, if pydantic takes instances of the class as they are."""
        while schema["type"] in ("definitions", "definition-ref", "function-after"):
            if schema["type"] == "definition-ref":
                schema = self._by_reference[schema["schema_ref"]]
            elif schema["type"] == "definitions" or only_keeps_unknown_apart(schema["function"]["function"]):
                schema = schema["schema"]
            else:
                return None
        return schema if schema["type"] == "model" else None


_NEVER = "False"

_LIMITS = frozenset({"min_length", "max_length"})

_CHECKS = {
    "bool": "_type({0}) is _bool",
    "float_type": "_is_number({0})",
    "int_type": "_type({0}) is _int and -0x8000000000000000 <= {0} < 0x8000000000000000",
    "str": "_type({0}) is _str and ({0}.isascii() or _is_utf8({0}))",
}
"""The check for each type of schema, and for unions of numbers by their error."""
