"""One schema, its `allOf` folded and every keyword accounted for."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic_core import SchemaError as InvalidPattern
from pydantic_core import SchemaValidator, ValidationError, core_schema

from codegen import ir
from codegen.errors import SchemaError, pointer_of
from codegen.load import Document

TYPES = ("string", "integer", "number", "boolean", "null", "object", "array")

ASSERTED_FORMATS = frozenset({"date-time", "uuid"})
"""The formats that bind a string; the others annotate it."""

ANNOTATIONS = frozenset(
    [
        "$comment",
        "title",
        "description",
        "example",
        "examples",
        "default",
        "deprecated",
        "readOnly",
        "writeOnly",
        "documentation",
    ]
)
"""Keywords that bind no value."""

CONSTRAINTS = {
    "minimum": ("integer", "number"),
    "maximum": ("integer", "number"),
    "exclusiveMinimum": ("integer", "number"),
    "exclusiveMaximum": ("integer", "number"),
    "minLength": ("string",),
    "maxLength": ("string",),
    "pattern": ("string",),
    "minItems": ("array",),
    "maxItems": ("array",),
}
"""Keywords that narrow a type, by the types they bind."""

FIELD_ARGUMENTS = {
    "minimum": "ge",
    "maximum": "le",
    "exclusiveMinimum": "gt",
    "exclusiveMaximum": "lt",
    "minLength": "min_length",
    "maxLength": "max_length",
    "minItems": "min_length",
    "maxItems": "max_length",
    "pattern": "pattern",
}
"""What pydantic calls each of them."""

ASSERTIONS = frozenset(
    [
        "$ref",
        "allOf",
        "anyOf",
        "oneOf",
        "not",
        "type",
        "enum",
        "const",
        "format",
        "properties",
        "required",
        "additionalProperties",
        "items",
        "dependentRequired",
    ]
)
"""The other keywords understood."""


@dataclass
class Shape:
    """What a schema says once its `allOf` is folded into it.

    Attributes:
        bases: References to what it extends, each with the pointer of its `$ref`.
        properties: Schemas of its properties, each with its pointer.
        extras: `additionalProperties` as it stands, None where it does not.
    """

    doc: str = ""
    own_doc: bool = False
    deprecated: bool = False
    types: tuple[str, ...] = ()
    format: str | None = None
    values: tuple[Any, ...] | None = None
    bases: list[tuple[str, str]] = field(default_factory=list)
    properties: dict[str, tuple[Any, str]] = field(default_factory=dict)
    required: tuple[str, ...] = ()
    extras: Any = None
    extras_pointer: str = ""
    items: Any = None
    one_of: tuple[Any, ...] = ()
    any_of: tuple[Any, ...] = ()
    rules: tuple[ir.Rule, ...] = ()
    constraints: ir.Keywords = ()


def shape_of(document: Document, schema: Any, pointer: str) -> Shape:
    """Return the shape of the schema at `pointer` of `document`.

    Raises:
        SchemaError: It holds a construct that is unknown or contradicts another.
    """
    shape = Shape()
    if schema is True or schema == {}:
        return shape
    _fold(document, schema, pointer, shape)
    shape.doc = doc_of(schema)
    shape.own_doc = "description" in schema
    shape.deprecated = schema.get("deprecated") is True
    _assert_sound(document, schema, pointer, shape)
    if shape.values is not None and shape.constraints:
        shape.values = tuple(value for value in shape.values if _holds(shape, value))
        shape.constraints = ()
        if not shape.values:
            raise SchemaError(document.path, pointer, "none of its constant values meets its constraints")
    return shape


def _holds(shape: Shape, value: Any) -> bool:
    """Tell whether a constant meets the constraints beside it."""
    constraints: dict[str, Any] = {FIELD_ARGUMENTS[name]: bound for name, bound in shape.constraints}
    kind = core_schema.str_schema if isinstance(value, str) else core_schema.int_schema
    try:
        SchemaValidator(kind(**constraints)).validate_python(value, strict=True)
    except ValidationError:
        return False
    return True


def _assert_sound(document: Document, schema: Any, pointer: str, shape: Shape) -> None:
    """Refuse combinations of keywords whose meaning a Python type could not hold to."""

    def refuse(keyword: str, message: str) -> None:
        raise SchemaError(
            document.path, pointer_join(pointer, keyword) if keyword in schema else pointer, message
        )

    unknown = [one for one in shape.types if one not in TYPES]
    if unknown:
        refuse("type", f"expected one of {', '.join(TYPES)}, found {unknown[0]!r}")
    is_choice = bool(shape.one_of or shape.any_of)
    for name, _ in shape.constraints:
        if is_choice:
            refuse(name, "beside a choice; put it into the branches it binds")
        bound = set(shape.types) - {"null"}
        if not bound or not bound <= set(CONSTRAINTS[name]):
            refuse(name, f"binds only {' and '.join(CONSTRAINTS[name])} values; give that `type` alone")
        if shape.format == "date-time":
            refuse(name, f"beside the format {shape.format!r}; leave one of the two out")
    if shape.format in ASSERTED_FORMATS and "string" not in shape.types:
        refuse("format", "binds only strings; give `type: string`")
    if shape.items is not None and "array" not in shape.types:
        refuse("items", "binds only arrays; give `type: array`")
    is_object = bool(shape.bases) or "object" in shape.types
    if (shape.properties or shape.required or shape.rules or shape.extras is not None) and not is_object:
        refuse("properties", "binds only objects; give `type: object`, or other values would pass")
    if shape.bases and (
        shape.values is not None or shape.items is not None or shape.constraints or shape.format
    ):
        refuse("$ref", "beside constraints; put them into the definition it points at")
    if shape.bases and shape.types not in ((), ("object",)):
        refuse("type", "beside a reference; put it into the definition it points at")
    if shape.extras not in (None, True):
        declared = f"{shape.extras_pointer}/properties/"
        elsewhere = [name for name, (_, place) in shape.properties.items() if not place.startswith(declared)]
        if elsewhere or shape.bases:
            raise SchemaError(
                document.path,
                f"{shape.extras_pointer}/additionalProperties",
                "additionalProperties sees only the properties beside it and would bind the others; "
                "declare all in one object",
            )
    if shape.values is not None:
        wrong = [value for value in shape.values if shape.types and _json_type(value) not in shape.types]
        if wrong:
            refuse(
                "const" if "const" in schema else "enum", f"{wrong[0]!r} is of another type than `type` says"
            )
    if (shape.one_of or shape.any_of) and (
        shape.properties or shape.bases or shape.required or shape.constraints or shape.rules or shape.values
    ):
        refuse("oneOf" if shape.one_of else "anyOf", "beside other constraints; put them into its branches")


def _json_type(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    return "string" if isinstance(value, str) else "integer"


def doc_of(schema: Any) -> str:
    """Return the description of a schema, its title where it has none, and its examples."""
    if not isinstance(schema, Mapping):
        return ""
    text = schema.get("description") or schema.get("title") or ""
    examples = schema.get("examples", ())
    if isinstance(examples, list) and examples:
        shown = ", ".join(f"`{json.dumps(example, ensure_ascii=False)}`" for example in examples)
        text = f"{text} {'Example' if len(examples) == 1 else 'Examples'}: {shown}."
    return text.strip() if isinstance(text, str) else ""


def _fold(document: Document, schema: Any, pointer: str, shape: Shape) -> None:
    """Fold one schema, and the parts of its `allOf`, into `shape`."""
    if schema is True:
        return
    if not isinstance(schema, Mapping):
        raise SchemaError(document.path, pointer, f"expected a schema, found {schema!r}")
    for keyword in schema:
        if keyword not in ASSERTIONS and keyword not in CONSTRAINTS and keyword not in ANNOTATIONS:
            raise SchemaError(
                document.path,
                pointer_join(pointer, keyword),
                f"unknown construct {keyword!r}; leave it out, and say in words what it demands",
            )
    fold = _Fold(document, schema, pointer, shape)
    fold.reference()
    fold.types()
    fold.format()
    fold.values()
    fold.object_parts()
    fold.rules()
    fold.branches()
    fold.constraints()
    for number, part in enumerate(fold.schemas("allOf")):
        _fold(document, part, f"{pointer}/allOf/{number}", shape)


def pointer_join(pointer: str, step: str) -> str:
    """Return the pointer of `step` inside `pointer`."""
    return pointer + pointer_of([step])


class _Fold:
    """Folds the keywords of one schema object into a shape."""

    def __init__(self, document: Document, schema: Mapping[str, Any], pointer: str, shape: Shape) -> None:
        self.document = document
        self.schema = schema
        self.pointer = pointer
        self.shape = shape

    def error(self, keyword: str, message: str) -> SchemaError:
        return SchemaError(self.document.path, pointer_join(self.pointer, keyword), message)

    def schemas(self, keyword: str) -> tuple[Any, ...]:
        value = self.schema.get(keyword, [])
        if not isinstance(value, list) or (keyword in self.schema and not value):
            raise self.error(keyword, "expected a list of schemas")
        return tuple(value)

    def strings(self, keyword: str, value: Any) -> tuple[str, ...]:
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            raise self.error(keyword, f"expected a list of names, found {value!r}")
        return tuple(value)

    def some_strings(self, keyword: str, value: Any) -> tuple[str, ...]:
        names = self.strings(keyword, value)
        if not names:
            raise self.error(keyword, "expected at least one name, found an empty list")
        return names

    def reference(self) -> None:
        if "$ref" in self.schema:
            reference = self.schema["$ref"]
            if not isinstance(reference, str):
                raise self.error("$ref", f"expected the URL of a definition, found {reference!r}")
            self.shape.bases.append((reference, f"{self.pointer}/$ref"))

    def types(self) -> None:
        if "type" not in self.schema:
            return
        value = self.schema["type"]
        types = (value,) if isinstance(value, str) else self.strings("type", value)
        if self.shape.types and self.shape.types != types:
            rival = " | ".join(self.shape.types)
            raise self.error("type", f"{value!r} beside {rival!r}; no value is of both, so leave one out")
        self.shape.types = types

    def format(self) -> None:
        if "format" in self.schema:
            if self.shape.format not in (None, self.schema["format"]):
                raise self.error("format", f"beside {self.shape.format!r}; a string has one format")
            self.shape.format = str(self.schema["format"])

    def values(self) -> None:
        values = None
        if "enum" in self.schema:
            values = self.schema["enum"]
            if not isinstance(values, list) or not values:
                raise self.error("enum", f"expected a list of values, found {values!r}")
        if "const" in self.schema:
            if values is not None and self.schema["const"] not in values:
                raise self.error("const", "is none of the values of `enum`")
            values = [self.schema["const"]]
        if values is None:
            return
        keyword = "const" if "const" in self.schema else "enum"
        for value in values:
            if isinstance(value, float) or not (value is None or isinstance(value, (str, int, bool))):
                raise self.error(keyword, f"expected strings, integers, booleans or null, found {value!r}")
        if len(values) != len({(type(value), value) for value in values}):
            raise self.error(keyword, "holds a value twice")
        if self.shape.values is not None and self.shape.values != tuple(values):
            raise self.error(keyword, "beside other constant values; keep the tighter ones")
        self.shape.values = tuple(values)

    def object_parts(self) -> None:
        properties = self.schema.get("properties", {})
        if not isinstance(properties, Mapping):
            raise self.error("properties", "expected an object of schemas")
        for name, schema in properties.items():
            pointer = pointer_join(f"{self.pointer}/properties", name)
            if name in self.shape.properties and self.shape.properties[name][0] != schema:
                raise SchemaError(self.document.path, pointer, "is defined twice, in different ways")
            self.shape.properties[name] = (schema, pointer)
        required = self.strings("required", self.schema.get("required", []))
        self.shape.required = tuple(dict.fromkeys([*self.shape.required, *required]))
        extras = self.schema.get("additionalProperties")
        if extras is not None:
            if not isinstance(extras, (bool, Mapping)):
                raise self.error(
                    "additionalProperties", f"expected true, false or a schema, found {extras!r}"
                )
            if self.shape.extras not in (None, True, extras):
                raise self.error("additionalProperties", "contradicts the one beside it")
            self.shape.extras = extras
            self.shape.extras_pointer = self.pointer
        if "items" in self.schema:
            if self.shape.items not in (None, self.schema["items"]):
                raise self.error("items", "beside other items; keep the tighter ones")
            self.shape.items = self.schema["items"]

    def rules(self) -> None:
        if "not" in self.schema:
            banned = self.schema["not"]
            if not isinstance(banned, Mapping) or set(banned) != {"required"}:
                raise self.error("not", "unknown construct: only `not: {required: [...]}` is understood")
            self.shape.rules += (ir.ForbidTogether(self.some_strings("not", banned["required"])),)
        dependent = self.schema.get("dependentRequired", {})
        if not isinstance(dependent, Mapping):
            raise self.error("dependentRequired", "expected an object of lists of names")
        for name, needed in dependent.items():
            if self.strings("dependentRequired", needed):
                self.shape.rules += (ir.RequireWith(name, tuple(needed)),)

    def branches(self) -> None:
        for keyword in ("oneOf", "anyOf"):
            branches = self.schemas(keyword)
            if len(branches) == 1:
                # One branch is no choice: it says what stands beside it.
                _fold(self.document, branches[0], f"{self.pointer}/{keyword}/0", self.shape)
            elif branches:
                if self.shape.one_of or self.shape.any_of:
                    raise self.error(keyword, "a second choice beside the first; nest one in the other")
                if keyword == "oneOf":
                    self.shape.one_of = branches
                else:
                    self.shape.any_of = branches

    def constraints(self) -> None:
        for name in CONSTRAINTS:
            if name not in self.schema:
                continue
            if name in dict(self.shape.constraints):
                raise self.error(name, "stands twice; keep the tighter one")
            self.shape.constraints += ((name, self.constraint(name, self.schema[name])),)

    def constraint(self, name: str, value: Any) -> int | float | str:
        if name == "pattern":
            return self.pattern(value)
        if not isinstance(value, (int, float)) or isinstance(value, bool):
            raise self.error(name, f"expected a number, found {value!r}")
        if name.startswith(("min", "max")) and name not in ("minimum", "maximum"):
            if value < 0 or value != int(value):
                raise self.error(name, f"expected a count, found {value!r}")
            return int(value)
        return value

    def pattern(self, value: Any) -> str:
        if not isinstance(value, str):
            raise self.error("pattern", f"expected a regular expression, found {value!r}")
        try:
            SchemaValidator(core_schema.str_schema(pattern=value))
        except InvalidPattern as error:
            reason = str(error).strip().splitlines()[-1].removeprefix("error: ")
            raise self.error(
                "pattern", f"{value!r} is beyond the regular expressions understood: {reason}"
            ) from None
        return value
