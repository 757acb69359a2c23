"""Types of the IR as Python annotations: what a field holds, and what composing accepts for it."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Mapping

from .. import ir

_HELD = {
    "string": "StrictStr",
    "boolean": "StrictBool",
    "integer": "Integer",
    "number": "Number",
    "null": "None",
    "any": "Json",
    "object": "JsonObject",
    "date-time": "Timestamp",
    "uuid": "UuidText",
    "uri": "UriText",
}

_ACCEPTED = {
    "string": "str",
    "boolean": "bool",
    "integer": "int",
    "number": "int | float",
    "null": "None",
    "any": "Any",
    "object": "Mapping[str, Any]",
    "date-time": "datetime | str",
    "uuid": "UUID | str",
    "uri": "str",
}


class Annotations:
    """Writes annotations for one module and collects the imports they need.

    Args:
        module: The module.
        library: Everything that annotations can refer to.
        modules: The names of imported modules, to refer to classes as `sql_job.SQLJobFacet`.

    Attributes:
        foreign: Classes in use from other generated modules.
        containers: Facet containers in use.
    """

    def __init__(self, module: str, library: ir.Library, *, modules: Mapping[str, str] | None = None) -> None:
        self.foreign: set[ir.Named] = set()
        self.containers: set[str] = set()
        self._module = module
        self._modules = modules
        self._library = library

    def held(self, kind: ir.Type, *, optional: bool = False) -> str:
        """Return the annotation of a field of type `kind`."""
        text = self._held(kind)
        return f"Maybe[{text}]" if optional and not admits_null(kind, self._library) else text

    def accepted(self, kind: ir.Type, *, mappings: bool = False) -> str:
        """Return the annotation of the parameter that composes a field of type `kind`.

        Args:
            kind: The type.
            mappings: Whether the parameter accepts nested objects as plain mappings as well.
        """
        if isinstance(kind, ir.ListOf):
            return f"Iterable[{self.accepted(kind.items, mappings=mappings)}]"
        if isinstance(kind, ir.MapOf):
            return f"Mapping[str, {self.accepted(kind.values, mappings=mappings)}]"
        if mappings:
            text = self.accepted(kind)
            return f"{text} | Mapping[str, Any]" if self._holds_object(kind) else text
        if isinstance(kind, ir.Scalar):
            return _ACCEPTED[kind.kind]
        if isinstance(kind, ir.Union):
            return " | ".join(dict.fromkeys(map(self.accepted, kind.members)))
        if isinstance(kind, (ir.Container, ir.QuotedFacets)):
            base = self.reference(kind.base)
            return f"{self._held(kind)} | Iterable[{base}] | Mapping[str, {base}]"
        if isinstance(kind, ir.Values):
            return _literal(kind.values)
        definition = self._library.index[kind]
        if isinstance(definition, ir.Enumeration):
            return f"{self._held(kind)} | {_literal(definition.values)}"
        if isinstance(definition, ir.Alias):
            return "Any" if definition.is_recursive else self.accepted(definition.type)
        return self.reference(kind)

    def _holds_object(self, kind: ir.Type) -> bool:
        if isinstance(kind, ir.Union):
            return any(self._holds_object(member) for member in kind.members)
        kind = self._library.unaliased(kind)
        if isinstance(kind, ir.Named):
            return isinstance(self._library.index[kind], ir.Class)
        return isinstance(kind, ir.Union) and self._holds_object(kind)

    def reference(self, name: ir.Named) -> str:
        """Return the name of a generated class, imported if another module defines it."""
        if name.module == self._module:
            return name.name
        self.foreign.add(name)
        return f"{self._modules[name.module]}.{name.name}" if self._modules else name.name

    def _held(self, kind: ir.Type) -> str:
        if isinstance(kind, ir.Scalar):
            text = _HELD[kind.kind]
            if kind.format is None:
                return text
            return f"Annotated[{text}, Field(json_schema_extra={{'format': {kind.format!a}}})]"
        if isinstance(kind, ir.Values):
            literal = _literal(kind.values)
            is_text = all(isinstance(value, str) for value in kind.values)
            return literal if is_text else f"Exactly[{literal}]"
        if isinstance(kind, ir.Named):
            return self.reference(kind)
        if isinstance(kind, ir.ListOf):
            return f"tuple[{self._held(kind.items)}, ...]"
        if isinstance(kind, ir.MapOf):
            pattern = kind.key_pattern
            key = "str" if pattern is None else f"Annotated[StrictStr, Field(pattern={pattern!a})]"
            return f"dict[{key}, {self._held(kind.values)}]"
        if isinstance(kind, ir.Union):
            if not kind.exactly_one or not may_overlap(kind, self._library):
                return " | ".join(dict.fromkeys(self._held(member) for member in kind.members))
            return f"OneOf[{self._branches(kind)}]"
        if isinstance(kind, ir.Container):
            self.containers.add(kind.name)
            return kind.name
        return f"FacetMap[{self.reference(kind.base)}]"

    def _branches(self, union: ir.Union) -> str:
        """Return the branches to count, wrapped in `Branch` if `typing.Union` would merge them."""
        texts = []
        seen: Counter[ir.Type] = Counter()
        for member in union.members:
            kind = self._library.unaliased(member)
            text = self._held(member)
            for _ in range(seen[kind] + isinstance(kind, ir.Union)):
                text = f"Branch[{text}]"
            seen[kind] += 1
            texts.append(text)
        return " | ".join(texts)


def or_none(text: str) -> str:
    """Return the annotation of a parameter that may be None as well."""
    members = [ast.parse(text, mode="eval").body]
    for member in members:
        if isinstance(member, ast.BinOp):
            members += [member.left, member.right]
    has_none = any(isinstance(member, ast.Constant) and member.value is None for member in members)
    return text if has_none else f"{text} | None"


def _literal(values: tuple[str | int | bool | None, ...]) -> str:
    return f"Literal[{', '.join(map(ascii, values))}]"


def discriminator(union: ir.Union, library: ir.Library) -> str | None:
    """Return the required field whose constants differ between the members, or None."""
    tables: list[dict[str, ir.Constants]] = []
    for member in union.members:
        definition = library.index.get(member) if isinstance(member, ir.Named) else None
        if not isinstance(member, ir.Named) or not isinstance(definition, ir.Class):
            return None
        tables.append(
            {
                field.python: field.type.values
                for field in library.all_fields(member)
                if field.required and isinstance(field.type, ir.Values) and field.python == field.wire
            }
        )
    return next(iter(ir.discriminators(tables)), None)


def may_overlap(union: ir.Union, library: ir.Library) -> bool:
    """Return whether a value could match two members, so that matches must be counted."""
    if discriminator(union, library):
        return False
    kinds = [_json_type(member, library) for member in union.members]
    return None in kinds or len(set(kinds)) < len(kinds)


def _json_type(kind: ir.Type, library: ir.Library) -> str | None:
    """Return the JSON type of the values of `kind`, None if there are several."""
    kind = library.unaliased(kind)
    definition = library.index[kind] if isinstance(kind, ir.Named) else kind
    if isinstance(definition, (ir.Class, ir.MapOf, ir.Container, ir.QuotedFacets)):
        return "object"
    if isinstance(definition, ir.ListOf):
        return "array"
    if isinstance(definition, ir.Enumeration):
        return "string"
    if isinstance(definition, ir.Scalar) and definition.kind != "any":
        return {"date-time": "string", "uuid": "string", "uri": "string", "integer": "number"}.get(
            definition.kind, definition.kind
        )
    return None


def admits_null(kind: ir.Type, library: ir.Library) -> bool:
    """Return whether null is a value of a type."""
    kind = library.unaliased(kind)
    if isinstance(kind, ir.Union):
        return any(admits_null(member, library) for member in kind.members)
    return kind == ir.Scalar("null") or (isinstance(kind, ir.Values) and None in kind.values)
