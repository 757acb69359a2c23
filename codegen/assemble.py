"""Assemble the intermediate representation: classes, enumerations, aliases and facet containers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from . import ir
from .dependencies import LONGEST_CHAIN, Cycle, assert_in_order, dependencies_first, with_recursion
from .documents import Document, Key
from .errors import GeneratorError
from .facet_slots import claims, container_classes, facet_keys
from .identifiers import attribute_names
from .merge import Reference
from .name import Names, container_name
from .normalize import Normalized, Schema

FORMATS = frozenset({"date-time", "uuid", "uri"})
"""The formats with a separate type; `uri` is only an annotation."""

LARGEST_UNION = 1000
"""How many alternatives a type may have: Python nests each in the next."""


def assemble(normalized: Normalized, names: Names) -> ir.Library:
    """Return the intermediate representation of `normalized`.

    Raises:
        SchemaError: Schemas contradict each other, or need each other in a cycle.
    """
    assembler = _Assembler(normalized, names)
    library = ir.Library((), (), with_recursion(assembler.index()), assembler.ancestors)
    paths = assembler.paths_of_facets(library)
    claimed = claims(normalized.spec, names, library, paths)
    keys = facet_keys(claimed)
    index = {
        name: assembler.with_identity(name, definition, keys.get(name))
        for name, definition in library.index.items()
    }
    containers = container_classes(claimed, paths, library)
    modules = tuple(assembler.module(document, index) for document in normalized.spec.documents)
    library = ir.Library(modules, containers, index, assembler.ancestors)
    assert_in_order(library)
    _assert_unique_exports(library)
    return library


class _Assembler:
    """Turns schemas into definitions.

    Args:
        normalized: The schemas.
        names: The names of what they define.

    Attributes:
        bases: The classes that each class extends.
        ancestors: The classes that each class extends, also indirectly, nearest first.
    """

    def __init__(self, normalized: Normalized, names: Names) -> None:
        self._spec = normalized.spec
        self._definitions = normalized.definitions
        self._names = names
        self._core = names.modules[normalized.spec.core.schema_id]
        self._documents = {names.modules[one.schema_id]: one for one in normalized.spec.documents}
        self._defined = frozenset(names.definitions.values())
        self._classes: set[Key] = set()
        self.bases: dict[ir.Named, tuple[ir.Named, ...]] = {}
        self.ancestors: dict[ir.Named, tuple[ir.Named, ...]] = {}
        self._order = self._ordered()
        self._find_classes()

    def _extends(self, name: ir.Named, base: str) -> bool:
        """Return whether a class is, or extends, a class of the core."""
        return ir.Named(self._core, base) in (name, *self.ancestors.get(name, ()))

    def _ordered(self) -> list[Key]:
        """Return the definitions, each after those it extends or is an alias of."""
        definitions = self._definitions
        try:
            return dependencies_first(
                definitions, lambda key: (reference.key for reference in definitions[key].references)
            )
        except Cycle as cycle:
            key, needed = cycle.members[:2]
            (at, *_) = (reference for reference in definitions[key].references if reference.key == needed)
            message = f"{self._names.definitions[key].name} extends itself; remove this $ref"
            raise definitions[key].document.error(at.pointer, message) from None

    def _find_classes(self) -> None:
        """Find the definitions that become classes, and what they extend."""
        lengths: dict[Key, int] = {}
        for key in self._order:
            schema = self._definitions[key]
            lengths[key] = 1 + max((lengths[reference.key] for reference in schema.references), default=0)
            if lengths[key] > LONGEST_CHAIN:
                raise schema.document.error(
                    schema.pointer,
                    f"the end of a chain of more than {LONGEST_CHAIN} definitions that extend each other or "
                    "are a $ref to the next; shorten the chain",
                )
            if self._is_class(schema):
                self._classes.add(key)
            elif len(schema.references) > 1 or (schema.references and schema.is_object_with_fields):
                self._base(schema.references[0], schema)
        for key in self._order:
            if key in self._classes:
                self._add_bases(self._names.definitions[key], self._definitions[key])
        for nested in self._names.nested:
            if not nested.is_alias and not nested.schema.is_enumeration:
                self._add_bases(nested.name, nested.schema)

    def _is_class(self, schema: Schema) -> bool:
        """Return whether a definition becomes a class; those it refers to are known."""
        if schema.branches or schema.values is not None:
            return False
        if schema.references:
            return any(reference.key in self._classes for reference in schema.references)
        is_open = schema.additional in (None, True)
        return schema.types == ("object",) and (is_open or schema.is_object_with_fields)

    def _add_bases(self, name: ir.Named, schema: Schema) -> None:
        extended = [self._base(reference, schema) for reference in schema.references]
        inherited = {far for base in extended for far in self.ancestors[base]}
        bases = tuple(base for base in dict.fromkeys(extended) if base not in inherited)
        further = (far for base in bases for far in self.ancestors[base])
        self.bases[name] = bases
        self.ancestors[name] = tuple(dict.fromkeys([*bases, *further]))

    def _base(self, reference: Reference, schema: Schema) -> ir.Named:
        name = self._names.definitions[reference.key]
        if reference.key not in self._classes:
            raise schema.error("allOf", f"{name.name} is not an object with fields; extend an object")
        return name

    # -- definitions ---------------------------------------------------------------------------------

    def index(self) -> dict[ir.Named, ir.Definition]:
        """Return every definition by name."""
        definitions = [(self._names.definitions[key], self._definitions[key]) for key in self._order]
        nested = [(inline.name, inline.schema) for inline in self._names.nested]
        index: dict[ir.Named, ir.Definition] = {}
        for name, schema in (*definitions, *nested):
            if name in self.bases:
                index[name] = self._class(name, schema, index)
            elif schema.is_enumeration:
                values = tuple(map(str, schema.values or ()))
                index[name] = ir.Enumeration(name.name, schema.pointer, schema.doc, values)
            else:
                kind = self._type(schema)
                index[name] = ir.Alias(name.name, schema.pointer, schema.doc, kind, schema.constraints)
        return index

    def module(self, document: Document, index: Mapping[ir.Named, ir.Definition]) -> ir.Module:
        """Return the module of a schema file."""
        names: list[ir.Named] = []
        for definition in document.definitions:
            key = (document.schema_id, definition)
            names += [*(nested.name for nested in self._names.inline[key]), self._names.definitions[key]]
        if any(other.is_base for other in self._spec.documents):
            names.sort(key=lambda name: not self._extends(name, "BaseFacet"))  # Readers look for the facet.
        ordered = dependencies_first(names, lambda name: self.bases.get(name, ()))
        return ir.Module(
            name=self._names.modules[document.schema_id],
            path=document.path.as_posix(),
            schema_id=document.schema_id,
            doc=str(document.schema.get("description", "")),
            definitions=tuple(index[name] for name in ordered),
            is_core=document.is_core,
            is_base=document.is_base,
        )

    def _class(self, name: ir.Named, schema: Schema, index: Mapping[ir.Named, ir.Definition]) -> ir.Class:
        for reference in schema.references:
            base = self._referenced(reference, schema)
            definition = index[base]
            if not isinstance(definition, ir.Class) or definition.extras != ir.Scalar("any"):
                raise schema.document.error(
                    reference.pointer,
                    f"{base.name} restricts additionalProperties, which would apply to the fields added "
                    "here; allow them there",
                )
        extras: ir.Type | None = None if schema.additional is False else ir.Scalar("any")
        if isinstance(schema.additional, Schema):
            extras = self._inline(schema.additional)
        bases = self.bases[name]
        inherited, strengthened = _inherited(schema, bases, ir.Library((), (), index, self.ancestors))
        fields = self._fields(schema, inherited, strengthened, extras)
        return ir.Class(name.name, schema.pointer, schema.doc, bases, fields, schema.rules, extras)

    def _fields(
        self,
        schema: Schema,
        inherited: Mapping[str, ir.Field],
        strengthened: set[str],
        extras: ir.Type | None,
    ) -> tuple[ir.Field, ...]:
        required = frozenset(schema.required)
        own = [
            wire for wire in dict.fromkeys([*schema.properties, *schema.required]) if wire not in inherited
        ]
        names = attribute_names(own, {field.python for field in inherited.values()})
        fields = []
        for wire, part in schema.properties.items():
            built = self._field(wire, names.get(wire, ""), part, wire in required)
            if wire not in inherited:
                fields.append(built)
            elif not _agree(built, inherited[wire]):
                message = f"{wire!r} is inherited with a different type; use that type or rename it"
                raise part.document.error(part.pointer, message)
        for wire in (*schema.required, *sorted(strengthened)):
            if wire in inherited and not inherited[wire].required:
                fields.append(replace(inherited[wire], required=True))
            elif wire not in inherited and wire not in schema.properties:
                if extras is None:
                    message = f"{wire!r} is required but not allowed; add it to 'properties'"
                    raise schema.error("required", message)
                fields.append(ir.Field(wire, names[wire], extras, True, ""))
        return tuple(fields)

    def _field(self, wire: str, python: str, schema: Schema, required: bool) -> ir.Field:
        base = self._facet_map_base(schema)
        if base is not None:
            kind: ir.Type = ir.QuotedFacets(base)
            if schema.document.is_core:
                kind = ir.Container(container_name(base.name), base)
            return ir.Field(wire, python, kind, required, schema.doc)
        kind = self._type(schema)
        doc = schema.doc
        if not schema.own_doc and schema.references and isinstance(kind, ir.Named):
            doc = self._definitions[schema.references[0].key].doc or doc
        return ir.Field(wire, python, kind, required, doc, schema.constraints, schema.deprecated)

    def _facet_map_base(self, schema: Schema) -> ir.Named | None:
        """Return the base facet that a map of facets holds, None if `schema` is something else."""
        values = schema.additional
        if schema.properties or schema.key_pattern or not isinstance(values, Schema):
            return None
        if len(values.references) != 1:
            return None
        key = values.references[0].key
        name = self._names.definitions[key]
        if name.module != self._core or key not in self._classes or not self._extends(name, "BaseFacet"):
            return None
        plain = Schema(
            values.document, values.pointer, values.doc, values.own_doc, references=values.references
        )
        if schema.types != ("object",) or schema.required or schema.rules or values != plain:
            message = "a map of facets cannot have other constraints; remove them"
            raise schema.error("additionalProperties", message)
        return self._referenced(values.references[0], values)

    # -- types ---------------------------------------------------------------------------------------

    def _referenced(self, reference: Reference, schema: Schema) -> ir.Named:
        """Return the definition that a `$ref` refers to, whose name must be free in the module."""
        name = self._names.definitions[reference.key]
        module = self._names.modules[schema.document.schema_id]
        if name.module != module and ir.Named(module, name.name) in self._defined:
            path = self._definitions[reference.key].document.path.as_posix()
            message = f"{name.name!r} is defined both here and in {path}; rename one of them"
            raise schema.document.error(reference.pointer, message)
        return name

    def _inline(self, schema: Schema) -> ir.Type:
        """Return the type of a list item, a map value or a branch: an alias if it has constraints."""
        return self._named(schema) if schema.constraints else self._type(schema)

    def _named(self, schema: Schema) -> ir.Named:
        try:
            return self._names.places[schema.document.schema_id, schema.pointer]
        except KeyError:
            where = f"{schema.document.path}#{schema.pointer}"
            raise GeneratorError(f"{where}: this nested schema has no name") from None

    def _type(self, schema: Schema) -> ir.Type:
        """Return the type of a schema; nested classes and enumerations are referred to by name."""
        if schema.branches:
            return self._union(schema)
        if schema.references:
            if len(schema.references) == 1 and not schema.is_object_with_fields:
                return self._referenced(schema.references[0], schema)
            return self._named(schema)
        if schema.is_enumeration:
            return self._named(schema)
        if schema.values is not None:
            return ir.Values(schema.values)
        kinds = tuple(self._of_type(kind, schema) for kind in schema.types or ("any",))
        return kinds[0] if len(kinds) == 1 else ir.Union(kinds)

    def _of_type(self, kind: str, schema: Schema) -> ir.Type:
        if kind == "string":
            return ir.Scalar(schema.format) if schema.format in FORMATS else ir.Scalar(kind, schema.format)
        if kind == "array":
            return ir.ListOf(ir.Scalar("any") if schema.items is None else self._inline(schema.items))
        if kind != "object":
            return ir.Scalar(kind)
        if schema.is_object_with_fields:
            return self._named(schema)
        if schema.additional is False:
            message = "false without properties allows only {}; add 'properties' or remove the keyword"
            raise schema.error("additionalProperties", message)
        if isinstance(schema.additional, Schema):
            return ir.MapOf(self._inline(schema.additional), schema.key_pattern)
        return ir.Scalar("object")

    def _union(self, schema: Schema) -> ir.Type:
        members = tuple(self._inline(branch) for branch in schema.branches)
        keyword = "oneOf" if schema.exactly_one else "anyOf"
        if len(members) > LARGEST_UNION:
            message = f"expected at most {LARGEST_UNION} alternatives, found {len(members)}"
            raise schema.error(
                keyword, f"{message}; move some of them into a definition with its own {keyword}"
            )
        if schema.exactly_one and len(set(members)) < len(members):
            raise schema.error(keyword, "two branches are equal, so both always match; remove one of them")
        return ir.Union(members, schema.exactly_one)

    # -- facets --------------------------------------------------------------------------------------

    def paths_of_facets(self, library: ir.Library) -> dict[ir.Named, str]:
        """Return where the facets of each base facet are stored, such as `Run.facets`."""
        core = self._spec.core
        paths: dict[ir.Named, str] = {}
        for definition in self.module(core, library.index).classes.values():
            for field in definition.fields:
                if isinstance(field.type, ir.Container):
                    paths.setdefault(field.type.base, f"{definition.name}.{field.wire}")
        if not paths:
            raise core.error(
                "/$defs",
                "no field holds facets; define BaseFacet, facets that extend it, and a field such as "
                "Run.facets with additionalProperties that refer to one",
            )
        return paths

    def with_identity(self, name: ir.Named, definition: ir.Definition, key: str | None) -> ir.Definition:
        """Return a facet or event class with its schema URL and facet key."""
        if not isinstance(definition, ir.Class) or definition.pointer.count("/") != 2:
            return definition
        if not self._extends(name, "BaseFacet") and not self._extends(name, "BaseEvent"):
            return definition
        document = self._documents[name.module]
        url = f"{document.url}#{document.pointer_in_file(definition.pointer)}".removesuffix("#")
        return replace(definition, schema_url=url, facet_key=key)


def _inherited(
    schema: Schema, bases: tuple[ir.Named, ...], library: ir.Library
) -> tuple[dict[str, ir.Field], set[str]]:
    """Return the fields of the bases by wire name, and those that only a later base requires."""
    fields: dict[str, ir.Field] = {}
    wires: dict[str, str] = {}
    strengthened: set[str] = set()
    for base in bases:
        for field in library.all_fields(base):
            other = fields.setdefault(field.wire, field)
            rival = wires.setdefault(field.python, field.wire)
            if not _agree(field, other) or rival != field.wire:
                which = repr(field.wire) if rival == field.wire else f"{rival!r} and {field.wire!r}"
                raise schema.error("allOf", f"conflicting definitions of {which} in the bases; rename one")
            # A later base may require the field: the class must then declare it again, as required.
            if field.required and not other.required and field.wire not in schema.required:
                strengthened.add(field.wire)
    return fields, strengthened


def _agree(one: ir.Field, other: ir.Field) -> bool:
    return (one.type, one.constraints) == (other.type, other.constraints)


def _assert_unique_exports(library: ir.Library) -> None:
    """Reject two facet classes of one name: both are exported by the package."""
    owners = {container.name: ir.Named("containers", container.name) for container in library.containers}
    for name, definition in library.index.items():
        if isinstance(definition, ir.Class) and definition.schema_url:
            other = owners.setdefault(name.name, name)
            if other != name:
                where = library.path_of(other) if other in library.index else "the facet containers"
                message = f"{name.name!r} is also defined in {where}; rename one of them"
                raise library.error(name, message)
