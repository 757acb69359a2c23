"""One schema, its `allOf` folded and every keyword accounted for."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from codegen import ir
from codegen.errors import SchemaError, pointer_of
from codegen.load import Document

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
    for name, _ in shape.constraints:
        if not set(shape.types) & set(CONSTRAINTS[name]):
            raise SchemaError(
                document.path,
                f"{pointer}/{name}",
                f"binds only {' and '.join(CONSTRAINTS[name])} values; give that `type`",
            )
    if (shape.properties or shape.extras is not None) and not shape.bases and "object" not in shape.types:
        raise SchemaError(
            document.path, pointer, "properties without `type: object` would let other values pass; add it"
        )
    return shape


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
            raise SchemaError(document.path, pointer_join(pointer, keyword), f"unknown construct {keyword!r}")
    fold = _Fold(document, schema, pointer, shape)
    fold.reference()
    fold.types()
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
            raise self.error("type", f"{value!r} beside {' | '.join(self.shape.types)}")
        self.shape.types = types
        if "format" in self.schema:
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
            if self.shape.extras not in (None, True, extras):
                raise self.error("additionalProperties", "contradicts the one beside it")
            self.shape.extras = extras
        if "items" in self.schema:
            self.shape.items = self.schema["items"]

    def rules(self) -> None:
        if "not" in self.schema:
            banned = self.schema["not"]
            if not isinstance(banned, Mapping) or set(banned) != {"required"}:
                raise self.error("not", "unknown construct: only `not: {required: [...]}` is understood")
            self.shape.rules += (ir.ForbidTogether(self.strings("not", banned["required"])),)
        dependent = self.schema.get("dependentRequired", {})
        if not isinstance(dependent, Mapping):
            raise self.error("dependentRequired", "expected an object of lists of names")
        for name, needed in dependent.items():
            self.shape.rules += (ir.RequireWith(name, self.strings("dependentRequired", needed)),)

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
            value = self.schema[name]
            expected = (str,) if name == "pattern" else (int, float)
            if not isinstance(value, expected) or isinstance(value, bool):
                raise self.error(
                    name, f"expected {'a pattern' if name == 'pattern' else 'a number'}, found {value!r}"
                )
            if name in dict(self.shape.constraints):
                raise self.error(name, "stands twice; keep the tighter one")
            self.shape.constraints += ((name, value),)
