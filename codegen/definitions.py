"""From the schemas under `$defs` to classes, enumerations and aliases, inline ones included."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from codegen import ir
from codegen.errors import SchemaError, pointer_of
from codegen.load import Document, Spec
from codegen.name import attribute_names, class_name, pascal_case, singular
from codegen.place import Place
from codegen.shape import Shape, doc_of, shape_of

FORMATS = {"date-time": "date-time", "uuid": "uuid", "uri": "uri"}
"""The formats that make a type of their own: the first two are asserted, a URI is only marked as one."""


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
        self._imported: dict[str, set[str]] = {}
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
        where = Place(document, pointer, name.name)
        built = self._define(where, shape)
        self.index[name] = built
        self._building.discard(name)
        return built

    def _define(self, where: Place, shape: Shape) -> ir.Definition:
        if self._is_class(where, shape):
            return self._class(where, shape)
        if _is_enumeration(shape):
            return ir.Enumeration(where.name, where.pointer, shape.doc, tuple(map(str, shape.values or ())))
        kind = self._type(where, shape)
        return ir.Alias(where.name, where.pointer, shape.doc, kind, shape.constraints)

    def _is_class(self, where: Place, shape: Shape) -> bool:
        if shape.one_of or shape.any_of or shape.values is not None:
            return False
        if shape.bases:
            return any(isinstance(self._resolved(where, ref), ir.Class | None) for ref in shape.bases)
        if shape.types != ("object",):
            return False
        is_open = where.is_definition and shape.extras in (None, True)
        return is_open or bool(shape.properties or shape.required or shape.rules)

    def _resolved(self, where: Place, reference: tuple[str, str]) -> ir.Definition | None:
        owner, definition = self._spec.resolve(where.document, *reference)
        return self._build(owner, definition)

    def _reference(self, where: Place, reference: tuple[str, str]) -> ir.Named:
        owner, definition = self._spec.resolve(where.document, *reference)
        name = self.named(owner, definition)
        here = self.module_of(where.document)
        if name.module != here:
            self.imports[here].add(name.module)
            twin = ir.Named(here, name.name)
            if twin in self._names.values() or twin in self.index:
                raise SchemaError(
                    where.document.path,
                    reference[1],
                    f"{name.name!r} is a class of this file and one of {owner.path.as_posix()}; rename one",
                )
        return name

    # -- classes -------------------------------------------------------------------------------

    def _class(self, where: Place, shape: Shape) -> ir.Class:
        bases = self._bases(where, shape)
        extras: ir.Type | None = ir.Scalar("any")
        if shape.extras is False:
            extras = None
        elif isinstance(shape.extras, Mapping):
            extras = self._inline(
                where.inside("additionalProperties", name=f"{where.name}Extra"), shape.extras
            )
        fields = self._fields(where, shape, self._inherited(where, bases), extras)
        return ir.Class(
            where.name,
            where.pointer,
            shape.doc,
            bases,
            fields,
            shape.rules,
            extras,
        )

    def _bases(self, where: Place, shape: Shape) -> tuple[ir.Named, ...]:
        """Return the classes to extend, those left out that another of them extends already."""
        found: dict[ir.Named, ir.Class] = {}
        for reference in shape.bases:
            name = self._reference(where, reference)
            definition = self._resolved(where, reference)
            if definition is None:
                raise SchemaError(where.document.path, reference[1], f"{where.name} would extend itself")
            if not isinstance(definition, ir.Class):
                raise where.error("allOf", f"{name.name} is no object that a class can extend")
            if definition.extras != ir.Scalar("any"):
                raise SchemaError(
                    where.document.path,
                    reference[1],
                    f"{name.name} binds its additionalProperties, which would bind the fields added here; "
                    "leave them open there",
                )
            found[name] = definition
        inherited = {far for name in found for far in self.ancestors(name)}
        return tuple(name for name in found if name not in inherited)

    def _inherited(self, where: Place, bases: tuple[ir.Named, ...]) -> dict[str, ir.Field]:
        """Return the fields of the bases by wire name, which must agree where they share one."""
        fields: dict[str, ir.Field] = {}
        for base in bases:
            for one in ir.Library((), (), self.index).all_fields(base):
                other = fields.setdefault(one.wire, one)
                clash = next(
                    (two for two in fields.values() if two.python == one.python and two.wire != one.wire),
                    None,
                )
                if not _agree(one, other) or clash:
                    rival = clash.wire if clash else one.wire
                    raise where.error(
                        "allOf", f"the bases disagree about {one.wire!r} and {rival!r}; rename one"
                    )
                if one.required and not other.required:
                    fields[one.wire] = one
        return fields

    def _fields(
        self, where: Place, shape: Shape, inherited: Mapping[str, ir.Field], extras: ir.Type | None
    ) -> tuple[ir.Field, ...]:
        own = [wire for wire in dict.fromkeys([*shape.properties, *shape.required]) if wire not in inherited]
        names = attribute_names(own, {one.python for one in inherited.values()})
        fields = []
        for wire, (schema, pointer) in shape.properties.items():
            place = where.property(pointer, pascal_case(wire))
            built = self._field(place, wire, names.get(wire, ""), schema, wire in shape.required)
            if wire not in inherited:
                fields.append(built)
            elif not _agree(built, inherited[wire]):
                raise SchemaError(where.document.path, pointer, f"{wire!r} is inherited with another type")
        for wire in shape.required:
            if wire in inherited and not inherited[wire].required:
                fields.append(replace(inherited[wire], required=True))
            elif wire not in inherited and wire not in shape.properties:
                if extras is None:
                    raise where.error(
                        "required", f"{wire!r} is required and forbidden; declare it in properties"
                    )
                fields.append(ir.Field(wire, names[wire], extras, True, ""))
        return tuple(fields)

    def _field(self, place: Place, wire: str, python: str, schema: Any, required: bool) -> ir.Field:
        shape = shape_of(place.document, schema, place.pointer)
        base = self._facet_map_base(place, shape)
        if base is not None:
            kind: ir.Type = ir.QuotedFacets(base)
            if place.document.is_core:
                self._facet_bases[base] = f"{place.parents[0]}.{wire}"
                kind = ir.Container(container_name(base.name))
            return ir.Field(wire, python, kind, required, shape.doc)
        kind = self._type(place, shape)
        doc = doc_of(schema) if shape.own_doc else self._doc_of_type(kind) or doc_of(schema)
        return ir.Field(wire, python, kind, required, doc, shape.constraints, shape.deprecated)

    def _doc_of_type(self, kind: ir.Type) -> str:
        """Return the description of the definition that a type names, if it names one."""
        if not isinstance(kind, ir.Named):
            return ""
        if kind in self.index:
            return self.index[kind].doc
        schema_id, definition = next(key for key, name in self._names.items() if name == kind)
        owner = next(document for document in self._spec.documents if document.schema_id == schema_id)
        return doc_of(owner.definitions[definition])

    def _facet_map_base(self, place: Place, shape: Shape) -> ir.Named | None:
        """Return the base facet whose map a schema is, or None where it is something else."""
        if shape.properties or not isinstance(shape.extras, Mapping) or "$ref" not in shape.extras:
            return None
        if not isinstance(shape.extras["$ref"], str):
            raise place.error("additionalProperties", "expected $ref to be the URL of a definition")
        reference = (shape.extras["$ref"], f"{place.pointer}/additionalProperties/$ref")
        name = self._reference(place, reference)
        core = self.module_of(self._spec.core)
        if name.module != core or not isinstance(self._resolved(place, reference), ir.Class):
            return None
        if ir.Named(core, "BaseFacet") not in (name, *self.ancestors(name)):
            return None
        if (
            shape.types != ("object",)
            or shape.required
            or shape.rules
            or set(shape.extras) - {"$ref", "description"}
        ):
            raise place.error(
                "additionalProperties", "a map of facets must stand alone, without other constraints"
            )
        return name

    # -- types ---------------------------------------------------------------------------------

    def _inline(self, place: Place, schema: Any) -> ir.Type:
        """Return the type of a schema inside another, its constraints hoisted into an alias."""
        shape = shape_of(place.document, schema, place.pointer)
        kind = self._type(place, shape)
        if shape.constraints:
            return self._hoist(place, ir.Alias("", place.pointer, shape.doc, kind, shape.constraints))
        return kind

    def _type(self, place: Place, shape: Shape) -> ir.Type:
        """Return the type a schema stands for; inline classes and enumerations get a name of their own."""
        if shape.one_of or shape.any_of:
            return self._union(place, shape)
        if shape.bases:
            if len(shape.bases) == 1 and not (shape.properties or shape.required or shape.rules):
                return self._reference(place, shape.bases[0])
            return self._hoist_class(place, shape)
        if _is_enumeration(shape):
            values = tuple(map(str, shape.values or ()))
            return self._hoist(place, ir.Enumeration("", place.pointer, shape.doc, values))
        if shape.values is not None:
            return ir.Values(shape.values)
        if not shape.types:
            return ir.Scalar("any")
        kinds = tuple(self._of_type(place, shape, one) for one in shape.types)
        return kinds[0] if len(kinds) == 1 else ir.Union(kinds)

    def _of_type(self, place: Place, shape: Shape, kind: str) -> ir.Type:
        if kind == "string":
            return ir.Scalar(FORMATS.get(shape.format or "", "string"))
        if kind == "array":
            if shape.items is None or shape.items is True:
                return ir.ListOf(ir.Scalar("any"))
            return ir.ListOf(self._inline(place.inside("items", name=singular(place.name)), shape.items))
        if kind != "object":
            return ir.Scalar(kind)
        if shape.properties or shape.required or shape.rules:
            return self._hoist_class(place, shape)
        if shape.extras is False:
            raise place.error(
                "additionalProperties", "false on an object without properties allows nothing but {}"
            )
        if isinstance(shape.extras, Mapping):
            return ir.MapOf(self._inline(place.inside("additionalProperties"), shape.extras))
        return ir.Scalar("object")

    def _union(self, place: Place, shape: Shape) -> ir.Type:
        keyword, schemas = ("oneOf", shape.one_of) if shape.one_of else ("anyOf", shape.any_of)
        members = tuple(
            self._inline(place.inside(keyword, number, name=f"{place.name}Option"), schema)
            for number, schema in enumerate(schemas)
        )
        if keyword == "oneOf" and len(set(members)) < len(members):
            raise place.error(
                "oneOf", "has two equal branches, so that neither ever holds alone; leave one out"
            )
        return ir.Union(members, exactly_one=keyword == "oneOf")

    # -- inline definitions --------------------------------------------------------------------

    def _hoist_class(self, place: Place, shape: Shape) -> ir.Named:
        return self._hoist(place, self._class(place, shape))

    def _hoist(self, place: Place, definition: ir.Definition) -> ir.Named:
        """Give an inline definition a name of its own, the first of its place's names that is free."""
        module = self.module_of(place.document)
        reserved = {name.name for name in self._names.values() if name.module == module}
        reserved |= self._imported_names(place.document)
        for text in place.names():
            name = ir.Named(module, class_name(text))
            there = self.index.get(name)
            renamed: ir.Definition = replace(definition, name=name.name)
            if there is not None and replace(there, pointer="") == replace(renamed, pointer=""):
                return name
            if there is None and name.name not in reserved:
                self.index[name] = renamed
                return name
        raise SchemaError(
            place.document.path,
            place.pointer,
            f"no name left for this inline schema: {place.name!r} is taken; move it to $defs",
        )

    def _imported_names(self, document: Document) -> set[str]:
        """Return the names that the module of a document imports from other generated modules."""
        if document.is_core:
            core = (name.name for name in self._names.values() if name.module == self.module_of(document))
            return {container_name(name) for name in core if name.endswith("Facet")}
        if document.schema_id not in self._imported:
            targets = (self._spec.find(document, reference) for reference in _references(document.schema))
            found = {self.named(*target).name for target in targets if target and target[0] is not document}
            self._imported[document.schema_id] = found
        return self._imported[document.schema_id]


def _references(schema: Any) -> Iterator[str]:
    """Yield every `$ref` in a schema."""
    if isinstance(schema, Mapping):
        for keyword, value in schema.items():
            if keyword == "$ref" and isinstance(value, str):
                yield value
            yield from _references(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from _references(value)


def container_name(base_facet: str) -> str:
    """Return the name of the container of a base facet: `RunFacet` -> `RunFacets`."""
    return f"{pascal_case(base_facet.removesuffix('Facet'))}Facets"


def _is_enumeration(shape: Shape) -> bool:
    values = shape.values or ()
    return len(values) > 1 and all(isinstance(value, str) for value in values)


def _agree(one: ir.Field, other: ir.Field) -> bool:
    return (one.type, one.constraints) == (other.type, other.constraints)
