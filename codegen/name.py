"""Name everything that generated code defines: modules, definitions, and the schemas inside them.

A schema nested in another becomes a class named after its property. If that name is taken by something else,
the names of the classes around it are put in front. Only if these are taken too, which the alternatives of a
`oneOf` can cause, the numbers of alternatives are part of the name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain

from . import ir
from .documents import Document, Key, Spec
from .identifiers import class_name, module_name, pascal_case, singular
from .normalize import Normalized, Schema

BASE_PACKAGE = "openlineage_facets.generated"
"""The package of the classes that custom facets extend."""

Place = tuple[str, str]
"""A schema: the `$id` of its document, and its JSON Pointer."""


@dataclass(frozen=True)
class Inline:
    """A schema nested in another that becomes a definition with a name.

    Attributes:
        name: Its module and name.
        schema: The schema.
        is_alias: Whether it becomes an alias, which holds the constraints of list items and map values.
    """

    name: ir.Named
    schema: Schema
    is_alias: bool


@dataclass(frozen=True)
class Names:
    """The names of generated code.

    Attributes:
        modules: The module of each document, by `$id`.
        definitions: The class, enumeration or alias of each definition.
        inline: The definitions made of nested schemas, each once, by the definition that holds them.
        places: The name of each nested schema that becomes a definition.
    """

    modules: Mapping[str, str]
    definitions: Mapping[Key, ir.Named]
    inline: Mapping[Key, tuple[Inline, ...]]
    places: Mapping[Place, ir.Named]

    @property
    def nested(self) -> Iterator[Inline]:
        """The definitions made of nested schemas."""
        return chain.from_iterable(self.inline.values())


def name(normalized: Normalized) -> Names:
    """Return the names of everything in `normalized`.

    Raises:
        SchemaError: Two files or definitions would get one name, or no name is left.
    """
    modules = _modules(normalized.spec)
    definitions = _definitions(normalized, modules)
    inline: dict[Key, tuple[Inline, ...]] = {}
    places: dict[Place, ir.Named] = {}
    for document in normalized.spec.documents:
        nested = _NestedNames(modules[document.schema_id], _reserved(normalized, definitions, document))
        for definition in document.definitions:
            key = (document.schema_id, definition)
            text = definitions[key].name
            nested.inside(normalized.definitions[key], _Naming(text, (), text), is_definition=True)
            inline[key] = tuple(nested.added)
            nested.added.clear()
        places |= {(document.schema_id, pointer): named for pointer, named in nested.places.items()}
    return Names(modules, definitions, inline, places)


def _modules(spec: Spec) -> dict[str, str]:
    """Return the module of each document, by `$id`."""
    owners: dict[str, Document] = {}
    for document in spec.documents:
        module = module_name(document.path.stem)
        if document.is_base:
            module = f"{BASE_PACKAGE}.{module}"
        other = owners.setdefault(module, document)
        if other is not document:
            raise document.error(
                "",
                f"generates the same module {module!r} as {other.path.as_posix()}; rename one of the files",
            )
    return {document.schema_id: module for module, document in owners.items()}


def _definitions(normalized: Normalized, modules: Mapping[str, str]) -> dict[Key, ir.Named]:
    owners: dict[ir.Named, Key] = {}
    for key, schema in normalized.definitions.items():
        named = ir.Named(modules[key[0]], class_name(key[1]))
        other = owners.setdefault(named, key)
        if other != key:
            raise schema.document.error(
                schema.pointer, f"generates the same class {named.name!r} as {other[1]!r}; rename one of them"
            )
    return {key: named for named, key in owners.items()}


def _reserved(normalized: Normalized, definitions: Mapping[Key, ir.Named], document: Document) -> set[str]:
    """Return the names that the module of a document defines or imports."""
    own = {definitions[document.schema_id, definition].name for definition in document.definitions}
    if document.is_core:
        return own | {container_name(class_) for class_ in own if class_.endswith("Facet")}
    schemas = [normalized.definitions[document.schema_id, definition] for definition in document.definitions]
    return own | {definitions[key].name for schema in schemas for key in schema.referred}


@dataclass(frozen=True)
class _Naming:
    """The names that a nested schema can get.

    Attributes:
        name: The one that it gets if it is free.
        parents: Those of the classes around it, the innermost first.
        place: One that no other place has: everything around it, with the numbers of alternatives.
    """

    name: str
    parents: tuple[str, ...]
    place: str

    def candidates(self) -> Iterator[str]:
        """Yield names: its own, then with more and more of the names around it in front."""
        text = self.name
        yield text
        for parent in self.parents:
            text = f"{parent}{text}"
            yield text
        yield f"{self.name}Object"
        yield self.place

    def option(self, number: int) -> _Naming:
        return _Naming(f"{self.name}Option", self.parents, f"{self.place}Option{number}")

    def item(self) -> _Naming:
        return _Naming(singular(self.name), self.parents, f"{self.place}Item")

    def extra(self) -> _Naming:
        return _Naming(f"{self.name}Extra", self.parents, f"{self.place}Extra")

    def property(self, wire: str) -> _Naming:
        text = pascal_case(wire)
        return _Naming(text, (self.name, *self.parents), f"{self.place}{text}")


class _NestedNames:
    """Names the nested schemas of one document.

    Args:
        module: The module of the document.
        reserved: Names that have another meaning in the module.

    Attributes:
        added: The definitions that were named last.
        places: The name of each nested schema, by its JSON Pointer.
    """

    def __init__(self, module: str, reserved: Iterable[str]) -> None:
        self._module = module
        self._taken: dict[str, Inline | None] = dict.fromkeys(reserved)
        self.added: list[Inline] = []
        self.places: dict[str, ir.Named] = {}

    def inside(self, schema: Schema, naming: _Naming, *, is_definition: bool = False) -> None:
        """Name the schemas inside the type of `schema` that become definitions, inner ones first."""
        if schema.branches:
            for number, branch in enumerate(schema.branches, start=1):
                self._part(branch, naming.option(number))
        elif schema.references:
            if len(schema.references) > 1 or schema.is_object_with_fields or is_definition:
                self._class(schema, naming, is_definition=is_definition)
        elif schema.is_enumeration:
            if not is_definition:
                self._define(schema, naming)
        elif schema.values is None:
            for kind in schema.types:
                if kind == "array" and schema.items is not None:
                    self._part(schema.items, naming.item())
                elif kind == "object" and schema.is_object_with_fields:
                    self._class(schema, naming, is_definition=is_definition and schema.types == ("object",))
                elif kind == "object" and isinstance(schema.additional, Schema):
                    self._part(schema.additional, naming)

    def _part(self, schema: Schema, naming: _Naming) -> None:
        """Name a list item, a map value or a branch, whose constraints need an alias."""
        self.inside(schema, naming)
        if schema.constraints:
            self._define(schema, naming, is_alias=True)

    def _class(self, schema: Schema, naming: _Naming, *, is_definition: bool) -> None:
        if isinstance(schema.additional, Schema):
            self._part(schema.additional, naming.extra())
        for wire, part in schema.properties.items():
            self.inside(part, naming.property(wire))
        if not is_definition:
            self._define(schema, naming)

    def _define(self, schema: Schema, naming: _Naming, *, is_alias: bool = False) -> None:
        """Give a schema the first name that is free or is that of an equal schema."""
        for text in naming.candidates():
            inline = Inline(ir.Named(self._module, class_name(text)), schema, is_alias)
            if inline.name.name not in self._taken:
                self._taken[inline.name.name] = inline
                self.added.append(inline)
            if self._taken[inline.name.name] == inline:
                self.places[schema.pointer] = inline.name
                return
        message = f"every name for this nested schema is taken, such as {naming.name!r}; move it to $defs"
        raise schema.document.error(schema.pointer, message)


def container_name(base_facet: str) -> str:
    """Return the name of the container of a base facet: `RunFacet` -> `RunFacets`."""
    return f"{pascal_case(base_facet.removesuffix('Facet'))}Facets"
