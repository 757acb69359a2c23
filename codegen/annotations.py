"""Types of the IR as Python annotations: what a field holds, and what composing accepts for it."""

from __future__ import annotations

from codegen import ir
from codegen.unions import admits_null, may_overlap, unaliased

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

IMPORTS = {
    "StrictStr": "pydantic",
    "StrictBool": "pydantic",
    "Integer": "openlineage_facets.base.types",
    "Number": "openlineage_facets.base.types",
    "Json": "openlineage_facets.base.types",
    "JsonObject": "openlineage_facets.base.types",
    "UriText": "openlineage_facets.base.types",
    "UuidText": "openlineage_facets.base.types",
    "Branch": "openlineage_facets.base.types",
    "Exactly": "openlineage_facets.base.types",
    "Maybe": "openlineage_facets.base.types",
    "OneOf": "openlineage_facets.base.types",
    "Timestamp": "openlineage_facets.base.timestamp",
    "FacetMap": "openlineage_facets.base.containers",
}
"""Where the names that annotations use come from."""


class Annotations:
    """Writes annotations for one module, and remembers what they need imported.

    Attributes:
        names: Hand-written and pydantic's names in use.
        foreign: Classes of other generated modules in use.
        containers: Facet containers in use.
    """

    def __init__(self, module: str, library: ir.Library, *, qualified: bool = False) -> None:
        self.names: set[str] = set()
        self.foreign: set[ir.Named] = set()
        self.containers: set[str] = set()
        self._module = module
        self._qualified = qualified
        self._library = library

    def held(self, kind: ir.Type, *, optional: bool = False) -> str:
        """Return the annotation of a field of type `kind`."""
        text = self._held(kind)
        if not optional:
            return text
        if admits_null(kind, self._library):
            return text
        return self._use("Maybe", f"Maybe[{text}]")

    def accepted(self, kind: ir.Type) -> str:
        """Return the annotation of the parameter that composes a field of type `kind`."""
        if isinstance(kind, ir.Scalar):
            return _ACCEPTED[kind.kind]
        if isinstance(kind, ir.ListOf):
            return f"Iterable[{self.accepted(kind.items)}]"
        if isinstance(kind, ir.MapOf):
            return f"Mapping[str, {self.accepted(kind.values)}]"
        if isinstance(kind, ir.Union):
            return " | ".join(dict.fromkeys(self.accepted(member) for member in kind.members))
        if isinstance(kind, (ir.Container, ir.QuotedFacets)):
            base = self._base_of(kind)
            return f"{self._held(kind)} | Iterable[{base}] | Mapping[str, {base}]"
        if isinstance(kind, ir.Named):
            definition = self._library.index[kind]
            if isinstance(definition, ir.Enumeration):
                return f"{self._held(kind)} | {_literal(definition.values)}"
            if isinstance(definition, ir.Alias):
                return self.accepted(definition.type)
            return self.reference(kind)
        return _literal(kind.values)

    def row(self, kind: ir.Type) -> str:
        """Return what a builder accepts for a field: as `accepted`, and plain rows for nested objects."""
        if isinstance(kind, ir.ListOf):
            return f"Iterable[{self.row(kind.items)}]"
        if isinstance(kind, ir.MapOf):
            return f"Mapping[str, {self.row(kind.values)}]"
        text = self.accepted(kind)
        return f"{text} | Mapping[str, Any]" if self._holds_object(kind) else text

    def _holds_object(self, kind: ir.Type) -> bool:
        if isinstance(kind, ir.Union):
            return any(self._holds_object(member) for member in kind.members)
        definition = self._library.index[kind] if isinstance(kind, ir.Named) else None
        if isinstance(definition, ir.Alias):
            return self._holds_object(definition.type)
        return isinstance(definition, ir.Class)

    def reference(self, name: ir.Named) -> str:
        """Return the name of a generated class, imported if it is another module's."""
        if name.module == self._module:
            return name.name
        self.foreign.add(name)
        return f"{name.module}_{name.name}" if self._qualified else name.name

    def _held(self, kind: ir.Type) -> str:
        if isinstance(kind, ir.Scalar):
            return self._use(_HELD[kind.kind], _HELD[kind.kind])
        if isinstance(kind, ir.Values):
            literal = _literal(kind.values)
            is_text = all(isinstance(value, str) for value in kind.values)
            return literal if is_text else self._use("Exactly", f"Exactly[{literal}]")
        if isinstance(kind, ir.Named):
            return self.reference(kind)
        if isinstance(kind, ir.ListOf):
            return f"tuple[{self._held(kind.items)}, ...]"
        if isinstance(kind, ir.MapOf):
            return f"dict[str, {self._held(kind.values)}]"
        if isinstance(kind, ir.Union):
            if not kind.exactly_one or not may_overlap(kind, self._library):
                return " | ".join(dict.fromkeys(self._held(member) for member in kind.members))
            return self._use("OneOf", f"OneOf[{self._branches(kind)}]")
        if isinstance(kind, ir.Container):
            self.containers.add(kind.name)
            return kind.name
        return self._use("FacetMap", f"FacetMap[{self.reference(kind.base)}]")

    def _branches(self, union: ir.Union) -> str:
        """Return the branches to be counted, told apart where Python would merge them."""
        texts = []
        seen: list[ir.Type] = []
        for member in union.members:
            kind = unaliased(member, self._library)
            text = self._held(member)
            for _ in range(seen.count(kind) + isinstance(kind, ir.Union)):
                text = self._use("Branch", f"Branch[{text}]")
            seen.append(kind)
            texts.append(text)
        return " | ".join(texts)

    def _base_of(self, kind: ir.Container | ir.QuotedFacets) -> str:
        if isinstance(kind, ir.QuotedFacets):
            return self.reference(kind.base)
        container = next(one for one in self._library.containers if one.name == kind.name)
        return self.reference(container.base)

    def _use(self, name: str, text: str) -> str:
        if name in IMPORTS:
            self.names.add(name)
        return text


def _literal(values: tuple[str | int | bool | None, ...]) -> str:
    return f"Literal[{', '.join(map(ascii, values))}]"


def names_in(kind: ir.Type) -> list[ir.Named]:
    """Return every class, enumeration and alias that an annotation names."""
    if isinstance(kind, ir.Named):
        return [kind]
    if isinstance(kind, ir.Union):
        return [name for member in kind.members for name in names_in(member)]
    if isinstance(kind, ir.ListOf):
        return names_in(kind.items)
    return names_in(kind.values) if isinstance(kind, ir.MapOf) else []
