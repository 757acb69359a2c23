"""Render `constructors.py`: constructors that compose nested items of exactly the expected types."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from .. import ir
from ..identifiers import snake_case
from .annotations import admits_null
from .source_text import first_lines

_CHECKS = {
    "boolean": "_type({0}) is _bool",
    "integer": "_is_integer({0})",
    "number": "_is_number({0})",
    "string": "(_type({0}) is _str and (_is_ascii({0}) or _is_utf8({0})))",
    "uri": "(_type({0}) is _str and (_is_ascii({0}) or _is_utf8({0})))",
}
"""The expression that is true for a value of each scalar that needs no conversion."""

_IMPORTS = """
from openlineage_facets.base.json.json_input import is_utf8 as _is_utf8
from openlineage_facets.base.model.item_constructors import ABSENT as _ABSENT
from openlineage_facets.base.model.item_constructors import are_items as _are_items
from openlineage_facets.base.model.item_constructors import is_integer as _is_integer
from openlineage_facets.base.model.item_constructors import is_number as _is_number
from openlineage_facets.base.wire.pydantic_internals import set_fields_set as _set_fields_set
from openlineage_facets.base.wire.pydantic_internals import set_private_attributes as _set_private_attributes
from openlineage_facets.base.wire.pydantic_internals import set_unknown_fields as _set_unknown_fields
from openlineage_facets.base.wire.pydantic_internals import set_values as _set_values

# A field may have the name of a builtin.
_add, _is_ascii = set.add, str.isascii
_bool, _set, _str, _tuple, _type = bool, set, str, tuple, type
"""

CALLS = frozenset(
    """
    _add _are_items _compose _is_ascii _is_integer _is_number _is_utf8 _set _set_fields_set
    _set_private_attributes _set_unknown_fields _set_values _tuple _type
    """.split()
)
"""The functions that constructors call."""


_NEVER = "False"


class _Field(NamedTuple):
    name: str
    is_required: bool
    check: str
    """The expression that is true for a valid value that pydantic would not convert."""
    value: str
    """The expression for the value to be kept."""
    item_class: str
    """The class of the item, or of each item."""


def render_constructors(library: ir.Library) -> str:
    """Return the source of the constructors of all nested items that have only scalars and items."""
    functions: list[str] = []
    entries: list[str] = []
    items = set(_items(library))
    for named, definition in library.own_classes.items():
        fields = [_field(field, library) for field in definition.fields]
        is_converted = any(field.is_required and field.check == _NEVER for field in fields)
        if named in items and not (is_converted or definition.bases) and _is_kept(definition, library):
            name = f"_{named.module}_{snake_case(named.name)}"
            item_classes = list(dict.fromkeys(field.item_class for field in fields if field.item_class))
            functions += ["", "", *_function(name, fields, item_classes)]
            entries.append(f"    {named.path!a}: ({name}, {tuple(item_classes)!a}),")
    first, *others = first_lines(
        library, "Constructors of nested items: see `base/model/item_constructors.py`."
    )
    return "\n".join(
        [
            first,
            "# type: ignore",
            *others,
            _IMPORTS,
            *functions,
            "",
            "",
            "CONSTRUCTORS = {",
            *entries,
            "}",
            '"""The function that creates the constructor of each class, and the classes of its items."""',
            "",
        ]
    )


def _items(library: ir.Library) -> Iterator[ir.Named]:
    """Yield the classes of objects in a list or map of a facet."""
    for named, definition in library.own_classes.items():
        for field in definition.fields if named.module != library.core.name else ():
            kind = library.unaliased(field.type)
            item = kind.items if isinstance(kind, ir.ListOf) else getattr(kind, "values", None)
            if isinstance(item, ir.Named):
                yield item


def _is_kept(definition: ir.Class, library: ir.Library) -> bool:
    """Return whether pydantic takes instances of a class as they are, and the class has any other fields."""
    has_null = any(
        admits_null(field.type, library) or field.type == ir.Scalar("any")
        for field in definition.fields
        if field.python != field.wire and not field.required
    )
    return not (definition.rules or has_null) and definition.extras == ir.Scalar("any")


def _field(field: ir.Field, library: ir.Library) -> _Field:
    name, kind = field.python, library.unaliased(field.type)
    unchecked = _Field(name, field.required, _NEVER, name, "")
    if field.constraints or (field.type != kind and isinstance(field.type, ir.Named)):
        return unchecked
    if isinstance(kind, ir.Scalar):
        return unchecked._replace(check=_CHECKS.get(kind.kind, _NEVER).format(name))
    is_list = isinstance(kind, ir.ListOf)
    item = kind.items if isinstance(kind, ir.ListOf) else kind
    definition = library.index[item] if isinstance(item, ir.Named) else None
    if not isinstance(definition, ir.Class) or not _is_kept(definition, library):
        return unchecked
    unchecked = unchecked._replace(item_class=definition.name)
    if not is_list:
        return unchecked._replace(check=f"_type({name}) is {definition.name}")
    items = f"_tuple({name})" if field.required else f"{name} if {name} is None else _tuple({name})"
    return unchecked._replace(check=f"_are_items({name}, {definition.name})", value=items)


def _function(name: str, fields: list[_Field], item_classes: list[str]) -> Iterator[str]:
    """Yield the lines of a function that returns the constructor of a class.

    Names of fields have no leading underscore, and other names have one, except those of classes.
    """
    parameters = (f"{field.name}={'_ABSENT' if field.is_required else 'None'}" for field in fields)
    checks = (
        field.check if field.is_required else f"({field.name} is None or {field.check})" for field in fields
    )
    arguments = (f"{field.name!a}: {field.name}" for field in fields)
    values = (f"{field.name!a}: {field.value}" for field in fields)
    required = ", ".join(ascii(field.name) for field in fields if field.is_required)
    yield f"def {name}({', '.join(['_class', '_compose', *item_classes])}):"
    yield f"    def __init__(_value, /, *_positional, {', '.join(parameters)}, **_others):"
    yield "        if _positional or _others or not ("
    yield f"            {' and '.join(['_type(_value) is _class', *checks])}"
    yield "        ):"
    yield f"            return _compose(_value, _positional, _others, {{{', '.join(arguments)}}})"
    yield f"        _set_values(_value, {{{', '.join(values)}}})"
    yield f"        _present = {f'{{{required}}}' if required else '_set()'}"
    for field in fields:
        if not field.is_required:
            yield f"        if {field.name} is not None:"
            yield f"            _add(_present, {field.name!a})"
    yield "        _set_fields_set(_value, _present)"
    yield "        _set_unknown_fields(_value, {})"
    yield "        _set_private_attributes(_value, None)"
    yield ""
    yield "    return __init__"
