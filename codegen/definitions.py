"""From the schemas under `$defs` to classes, enumerations and aliases, inline ones included."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from codegen import ir
from codegen.errors import SchemaError, pointer_of
from codegen.load import Document, Spec
from codegen.name import attribute_names, class_name, pascal_case, singular
from codegen.shape import Shape, doc_of, shape_of

FORMATS = {"date-time": "date-time", "uuid": "uuid"}
"""The formats that are asserted; the others annotate a string."""

TYPES = ("string", "integer", "number", "boolean", "null", "object", "array")


class Definitions:
    """Builds the definitions of every document, each schema once.

    Attributes:
        index: Every definition by module and name, inline ones after the one that holds them.
        imports: The modules that each module needs.
    """

    def __init__(self, spec: Spec, modules: Mapping[str, str]) -> None:
        self.index: dict[ir.Named, ir.Definition] = {}
        self.imports: dict[str, set[str]] = {name: set() for name in modules.values()}
        self._spec = spec
        self._modules = modules
        self._names: dict[tuple[str, str], ir.Named] = {}
        self._building: set[ir.Named] = set()
        self._facet_bases: dict[ir.Named, str] = {}
        for document in spec.documents:
            self._reserve_names(document)

    # -- names ---------------------------------------------------------------------------------

    def module_of(self, document: Document) -> str:
        """Return the module that a document becomes."""
        return self._modules[document.schema_id]

    def document_of(self, name: ir.Named) -> Document:
        """Return the document that a definition comes from."""
        return next(document for document in self._spec.documents if self.module_of(document) == name.module)

    def named(self, document: Document, definition: str) -> ir.Named:
        """Return the module and class name of a definition."""
        return self._names[document.schema_id, definition]

    def ancestors(self, name: ir.Named) -> tuple[ir.Named, ...]:
        """Return the classes that `name` extends, nearest first."""
        return ir.Library((), (), self.index).ancestors(name)

    def facet_bases(self) -> tuple[ir.Named, ...]:
        """Return the base facet of each entity, in the order of the core document."""
        return tuple(self._facet_bases)

    def container_path(self, base: ir.Named) -> str:
        """Return where the facets of a base stand, such as `Run.facets`."""
        return self._facet_bases[base]

    def _reserve_names(self, document: Document) -> None:
        taken: dict[str, str] = {}
        for definition in document.definitions:
            name = class_name(definition)
            other = taken.setdefault(name, definition)
            if other != definition:
                raise SchemaError(
                    document.path,
                    pointer_of(["$defs", definition]),
                    f"would be class {name!r}, as would {other!r}; rename one",
                )
            self._names[document.schema_id, definition] = ir.Named(self.module_of(document), name)

    # -- definitions ---------------------------------------------------------------------------

    def add_document(self, document: Document) -> None:
        """Build every definition of a document."""
        for definition in document.definitions:
            self._build(document, definition)

    def _build(self, document: Document, definition: str) -> ir.Definition | None:
        """Return a definition, building it if need be; None while it is being built (recursion)."""
        name = self.named(document, definition)
        if name in self.index:
            return self.index[name]
        if name in self._building:
            return None
        self._building.add(name)
        pointer = pointer_of(["$defs", definition])
        shape = shape_of(document, document.definitions[definition], pointer)
        where = _Place(document, pointer, name.name)
        built = self._define(where, shape)
        self.index[name] = built
        self._building.discard(name)
        return built

    def _define(self, where: _Place, shape: Shape) -> ir.Definition:
        if self._is_class(where, shape):
            return self._class(where, shape)
        values = shape.values
        if values is not None and len(values) > 1 and all(isinstance(value, str) for value in values):
            return ir.Enumeration(where.name, where.pointer, shape.doc, tuple(map(str, values)))
        kind = self._type(where, shape, named=True)
        return ir.Alias(where.name, where.pointer, shape.doc, kind, shape.constraints)

    def _is_class(self, where: _Place, shape: Shape) -> bool:
        if shape.one_of or shape.any_of or shape.values is not None:
            return False
        if shape.bases:
            return any(isinstance(self._resolved(where, ref), ir.Class | None) for ref in shape.bases)
        return "object" in shape.types and (
            bool(shape.properties) or (where.is_definition and shape.extras in (None, True))
        )

    def _resolved(self, where: _Place, reference: tuple[str, str]) -> ir.Definition | None:
        ref, pointer = reference
        owner, definition = self._spec.resolve(where.document, ref, pointer)
        return self._build(owner, definition)

    def _reference(self, where: _Place, reference: tuple[str, str]) -> ir.Named:
        ref, pointer = reference
        owner, definition = self._spec.resolve(where.document, ref, pointer)
        self._build(owner, definition)
        name = self.named(owner, definition)
        here = self.module_of(where.document)
        if name.module != here:
            self.imports[here].add(name.module)
            if ir.Named(here, name.name) in self._names.values():
                raise SchemaError(
                    where.document.path,
                    pointer,
                    f"{name.name!r} is a class of this file and one of {owner.path.as_posix()}; rename one",
                )
        return name

    def _class(self, where: _Place, shape: Shape) -> ir.Class:
        bases = tuple(self._reference(where, ref) for ref in shape.bases)
        for base in bases:
            if not isinstance(self.index.get(base), ir.Class):
                raise where.error("allOf", f"{base.name} is no object that a class can extend")
        extras: ir.Type | None = ir.Scalar("any")
        if shape.extras is False:
            if bases:
                raise where.error(
                    "additionalProperties", "false forbids the inherited fields, too; leave it out"
                )
            extras = None
        elif isinstance(shape.extras, Mapping):
            if bases:
                raise where.error(
                    "additionalProperties", "a schema would bind the inherited fields, too; leave it out"
                )
            extras = self._inline(where.inside("additionalProperties", "Extra"), shape.extras)
        inherited = {one.wire: one for base in bases for one in self._all_fields(base)}
        fields = self._fields(where, shape, inherited)
        return ir.Class(
            where.name,
            where.pointer,
            shape.doc,
            bases,
            fields,
            shape.rules,
            extras,
            deprecated=shape.deprecated,
        )

    def _all_fields(self, base: ir.Named) -> tuple[ir.Field, ...]:
        return ir.Library((), (), self.index).all_fields(base)

    def _fields(self, where: _Place, shape: Shape, inherited: Mapping[str, ir.Field]) -> tuple[ir.Field, ...]:
        own = [wire for wire in dict.fromkeys([*shape.properties, *shape.required]) if wire not in inherited]
        names = attribute_names(own, {one.python for one in inherited.values()})
        fields = []
        for wire, (schema, pointer) in shape.properties.items():
            place = _Place(where.document, pointer, pascal_case(wire), parent=where.name)
            built = self._field(place, wire, names.get(wire, ""), schema, wire in shape.required)
            if wire in inherited:
                if (built.type, built.constraints) != (inherited[wire].type, inherited[wire].constraints):
                    raise SchemaError(
                        where.document.path, pointer, f"{wire!r} is inherited with another type"
                    )
                continue
            fields.append(built)
        for wire in shape.required:
            if wire in inherited and not inherited[wire].required:
                fields.append(ir.Field(**{**vars(inherited[wire]), "required": True}))
            elif wire not in inherited and wire not in shape.properties:
                fields.append(ir.Field(wire, names[wire], ir.Scalar("any"), True, ""))
        return tuple(fields)

    def _field(self, place: _Place, wire: str, python: str, schema: Any, required: bool) -> ir.Field:
        base = self._facet_map_base(place, schema)
        if base is not None:
            kind: ir.Type = ir.QuotedFacets(base)
            if place.document.is_core:
                self._facet_bases[base] = f"{place.parent}.{wire}"
                kind = ir.Container(f"{pascal_case(base.name.removesuffix('Facet'))}Facets")
            shape = shape_of(place.document, schema, place.pointer)
            return ir.Field(wire, python, kind, required, shape.doc)
        shape = shape_of(place.document, schema, place.pointer)
        kind = self._type(place, shape, named=False)
        doc = doc_of(schema)
        if not shape.own_doc and isinstance(kind, ir.Named) and kind in self.index:
            doc = self.index[kind].doc
        return ir.Field(wire, python, kind, required, doc, shape.constraints, shape.deprecated)

    def _facet_map_base(self, place: _Place, schema: Any) -> ir.Named | None:
        """Return the base facet whose map `schema` is, or None where it is something else."""
        shape = shape_of(place.document, schema, place.pointer)
        if shape.properties or not isinstance(shape.extras, Mapping) or "$ref" not in shape.extras:
            return None
        name = self._reference(place, (shape.extras["$ref"], f"{place.pointer}/additionalProperties/$ref"))
        core = self.module_of(self._spec.core)
        if name.module != core or ir.Named(core, "BaseFacet") not in (name, *self.ancestors(name)):
            return None
        return name

    # -- types ---------------------------------------------------------------------------------

    def _inline(self, place: _Place, schema: Any) -> ir.Type:
        """Return the type of a schema inside another, its constraints hoisted into an alias."""
        shape = shape_of(place.document, schema, place.pointer)
        kind = self._type(place, shape, named=False)
        if shape.constraints:
            return self._hoist(place, ir.Alias("", place.pointer, shape.doc, kind, shape.constraints))
        return kind

    def _type(self, place: _Place, shape: Shape, *, named: bool) -> ir.Type:
        """Return the type a schema stands for; `named` where it already has a name, as under `$defs`."""
        if shape.one_of or shape.any_of:
            return self._union(place, shape)
        if len(shape.bases) == 1 and not shape.properties and not shape.required and not shape.rules:
            return self._reference(place, shape.bases[0])
        if shape.bases and not named:
            return self._hoist(place, self._class(place, shape))
        if shape.values is not None:
            return self._values(place, shape)
        if not shape.types:
            if shape.constraints or shape.properties or shape.items is not None or shape.required:
                raise place.error("type", "is missing: without it the other keywords bind only some values")
            return ir.Scalar("any")
        kinds = tuple(self._of_type(place, shape, one, named=named) for one in shape.types)
        return kinds[0] if len(kinds) == 1 else ir.Union(kinds)

    def _of_type(self, place: _Place, shape: Shape, kind: str, *, named: bool) -> ir.Type:
        if kind not in TYPES:
            raise place.error("type", f"expected one of {', '.join(TYPES)}, found {kind!r}")
        if kind == "string":
            return ir.Scalar(FORMATS.get(shape.format or "", "string"))
        if kind == "array":
            if shape.items is None or shape.items is True:
                return ir.ListOf(ir.Scalar("any"))
            inner = _Place(
                place.document, f"{place.pointer}/items", singular(place.name), parent=place.parent
            )
            return ir.ListOf(self._inline(inner, shape.items))
        if kind != "object":
            return ir.Scalar(kind)
        if shape.properties and not named:
            return self._hoist(place, self._class(place, shape))
        if shape.required or shape.rules:
            return self._hoist(place, self._class(place, shape))
        if shape.extras is False:
            raise place.error(
                "additionalProperties", "false on an object without properties allows nothing but {}"
            )
        if isinstance(shape.extras, Mapping):
            return ir.MapOf(self._inline(place.inside("additionalProperties"), shape.extras))
        return ir.Scalar("object")

    def _values(self, place: _Place, shape: Shape) -> ir.Type:
        values = shape.values or ()
        if len(values) > 1 and all(isinstance(value, str) for value in values):
            names = tuple(map(str, values))
            return self._hoist(place, ir.Enumeration("", place.pointer, shape.doc, names))
        return ir.Values(values)

    def _union(self, place: _Place, shape: Shape) -> ir.Type:
        keyword, schemas = ("oneOf", shape.one_of) if shape.one_of else ("anyOf", shape.any_of)
        if shape.properties or shape.bases or shape.required or shape.constraints:
            raise place.error(keyword, f"{keyword} beside other constraints; put them into its branches")
        members = []
        for number, schema in enumerate(schemas):
            inner = _Place(
                place.document,
                f"{place.pointer}/{keyword}/{number}",
                f"{place.name}Option",
                parent=place.parent,
            )
            members.append(self._inline(inner, schema))
        return ir.Union(tuple(members), exactly_one=keyword == "oneOf")

    def _hoist(self, place: _Place, definition: ir.Definition) -> ir.Named:
        """Give an inline definition a name of its own: the property's, or the parent's and the property's."""
        module = self.module_of(place.document)
        reserved = {name.name for name in self._names.values() if name.module == module}
        for text in (place.name, f"{place.parent}{place.name}"):
            name = ir.Named(module, class_name(text))
            there = self.index.get(name)
            renamed = type(definition)(**{**vars(definition), "name": name.name})
            if there is not None and _same(there, renamed):
                return name
            if there is None and name.name not in reserved and name not in self._building:
                self.index[name] = renamed
                return name
        raise SchemaError(
            place.document.path,
            place.pointer,
            f"no name left for this inline schema: {place.name!r} is taken; move it to $defs",
        )


def _same(one: ir.Definition, other: ir.Definition) -> bool:
    """Tell whether two inline definitions differ in nothing but the place they stand."""
    return {**vars(one), "pointer": ""} == {**vars(other), "pointer": ""}


class _Place:
    """Where a schema stands, and what it would be called."""

    def __init__(self, document: Document, pointer: str, name: str, *, parent: str = "") -> None:
        self.document = document
        self.pointer = pointer
        self.name = name
        self.parent = parent

    @property
    def is_definition(self) -> bool:
        """Whether the schema stands directly under `$defs`."""
        return self.pointer.count("/") == 2

    def inside(self, step: str, suffix: str = "") -> _Place:
        """Return the place of a schema directly inside this one."""
        return _Place(self.document, f"{self.pointer}/{step}", f"{self.name}{suffix}", parent=self.parent)

    def error(self, keyword: str, message: str) -> SchemaError:
        """Return an error about a keyword here."""
        return SchemaError(self.document.path, f"{self.pointer}/{keyword}", message)
