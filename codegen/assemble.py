"""Assemble the intermediate representation: classes, enumerations, aliases and facet containers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

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


def assemble(normalized: Normalized, names: Names) -> ir.Library:
    """Return the intermediate representation of `normalized`.

    Raises:
        SchemaError: Schemas contradict each other, or need each other in a cycle.
    """
    context = _context(normalized, names)
    index = with_recursion(_index(context))
    claimed = claims(normalized.spec, names, context.ancestors, index, _paths_of_facets(context, index))
    keys = facet_keys(claimed)
    index = {name: _with_identity(name, definition, context, keys) for name, definition in index.items()}
    modules = tuple(_module(document, context, index) for document in normalized.spec.documents)
    library = ir.Library(modules, container_classes(claimed, index), index, context.ancestors)
    assert_in_order(library)
    _assert_unique_exports(library)
    return library


@dataclass(frozen=True)
class _Context:
    """What is known of every definition before any is assembled.

    Attributes:
        order: The definitions, each after those it extends or is an alias of.
        classes: The definitions that become classes.
        bases: The classes that each class extends.
        ancestors: The classes that each class extends, also indirectly, nearest first.
        defined: The names of all definitions, nested ones excluded.
        documents: The file that each module was generated from.
    """

    normalized: Normalized
    names: Names
    order: tuple[Key, ...]
    classes: frozenset[Key]
    bases: Mapping[ir.Named, tuple[ir.Named, ...]]
    ancestors: Mapping[ir.Named, tuple[ir.Named, ...]]
    defined: frozenset[ir.Named]
    documents: Mapping[str, Document]

    @property
    def core(self) -> str:
        """The core module."""
        return self.names.modules[self.normalized.spec.core.schema_id]

    def extends(self, name: ir.Named, base: str) -> bool:
        """Return whether a class is, or extends, a class of the core."""
        return ir.Named(self.core, base) in (name, *self.ancestors.get(name, ()))


def _context(normalized: Normalized, names: Names) -> _Context:
    definitions = normalized.definitions
    try:
        order = dependencies_first(
            definitions, lambda key: (reference.key for reference in definitions[key].references)
        )
    except Cycle as cycle:
        key, needed = cycle.members[:2]
        (at, *_) = (reference for reference in definitions[key].references if reference.key == needed)
        raise definitions[key].document.error(
            at.pointer, f"{names.definitions[key].name} extends itself; remove this $ref"
        ) from None
    classes: set[Key] = set()
    lengths: dict[Key, int] = {}
    for key in order:
        schema = definitions[key]
        lengths[key] = 1 + max((lengths[reference.key] for reference in schema.references), default=0)
        if lengths[key] > LONGEST_CHAIN:
            raise schema.document.error(
                schema.pointer,
                f"the end of a chain of more than {LONGEST_CHAIN} definitions that extend each other or are "
                "a $ref to the next; shorten the chain",
            )
        if _is_class(schema, classes):
            classes.add(key)
        elif len(schema.references) > 1 or (schema.references and schema.is_object_with_fields):
            _base(schema.references[0], schema, names, classes)
    bases: dict[ir.Named, tuple[ir.Named, ...]] = {}
    ancestors: dict[ir.Named, tuple[ir.Named, ...]] = {}

    def add_class(name: ir.Named, schema: Schema) -> None:
        extended = [_base(reference, schema, names, classes) for reference in schema.references]
        inherited = {far for base in extended for far in ancestors[base]}
        bases[name] = tuple(base for base in dict.fromkeys(extended) if base not in inherited)
        ancestors[name] = tuple(
            dict.fromkeys([*bases[name], *(far for base in bases[name] for far in ancestors[base])])
        )

    for key in order:
        if key in classes:
            add_class(names.definitions[key], definitions[key])
    for nested in names.nested:
        if not nested.is_alias and not nested.schema.is_enumeration:
            add_class(nested.name, nested.schema)
    return _Context(
        normalized,
        names,
        tuple(order),
        frozenset(classes),
        bases,
        ancestors,
        frozenset(names.definitions.values()),
        {names.modules[document.schema_id]: document for document in normalized.spec.documents},
    )


def _is_class(schema: Schema, classes: set[Key]) -> bool:
    """Return whether a definition becomes a class, given the classes among those it refers to."""
    if schema.one_of or schema.any_of or schema.values is not None:
        return False
    if schema.references:
        return any(reference.key in classes for reference in schema.references)
    return schema.types == ("object",) and (schema.additional in (None, True) or schema.is_object_with_fields)


def _base(reference: Reference, schema: Schema, names: Names, classes: set[Key]) -> ir.Named:
    name = names.definitions[reference.key]
    if reference.key not in classes:
        raise schema.error("allOf", f"{name.name} is not an object with fields; extend an object")
    return name


# -- definitions -------------------------------------------------------------------------------------


def _index(context: _Context) -> dict[ir.Named, ir.Definition]:
    """Return every definition by name."""
    definitions = [
        (context.names.definitions[key], context.normalized.definitions[key]) for key in context.order
    ]
    nested = [(inline.name, inline.schema) for inline in context.names.nested]
    index: dict[ir.Named, ir.Definition] = {}
    for name, schema in (*definitions, *nested):
        if name in context.bases:
            index[name] = _class(name, schema, context, index)
        elif schema.is_enumeration:
            values = tuple(map(str, schema.values or ()))
            index[name] = ir.Enumeration(name.name, schema.pointer, schema.doc, values)
        else:
            kind = _type(schema, context)
            index[name] = ir.Alias(name.name, schema.pointer, schema.doc, kind, schema.constraints)
    return index


def _module(document: Document, context: _Context, index: Mapping[ir.Named, ir.Definition]) -> ir.Module:
    names = context.names
    module = names.modules[document.schema_id]
    listed: list[ir.Named] = []
    for definition in document.definitions:
        key = (document.schema_id, definition)
        listed += [nested.name for nested in names.inline[key]]
        listed.append(names.definitions[key])
    if any(document.is_base for document in context.normalized.spec.documents):
        listed.sort(key=lambda name: not context.extends(name, "BaseFacet"))  # Readers look for the facet.
    return ir.Module(
        name=module,
        path=document.path.as_posix(),
        schema_id=document.schema_id,
        doc=str(document.schema.get("description", "")),
        definitions=tuple(
            index[name] for name in dependencies_first(listed, lambda name: context.bases.get(name, ()))
        ),
        is_core=document.is_core,
        is_base=document.is_base,
    )


def _class(
    name: ir.Named, schema: Schema, context: _Context, index: Mapping[ir.Named, ir.Definition]
) -> ir.Class:
    for reference in schema.references:
        base = _referenced(reference, schema, context)
        definition = index[base]
        if not isinstance(definition, ir.Class) or definition.extras != ir.Scalar("any"):
            raise schema.document.error(
                reference.pointer,
                f"{base.name} restricts additionalProperties, which would apply to the fields added here; "
                "allow them there",
            )
    extras: ir.Type | None = ir.Scalar("any")
    if schema.additional is False:
        extras = None
    elif isinstance(schema.additional, Schema):
        extras = _inline(schema.additional, context)
    return ir.Class(
        name.name,
        schema.pointer,
        schema.doc,
        context.bases[name],
        _fields(schema, *_inherited(schema, context.bases[name], context, index), extras, context),
        schema.rules,
        extras,
    )


def _inherited(
    schema: Schema, bases: tuple[ir.Named, ...], context: _Context, index: Mapping[ir.Named, ir.Definition]
) -> tuple[dict[str, ir.Field], set[str]]:
    """Return the fields of the bases by wire name, and those that only a later base requires."""
    library = ir.Library((), (), index, context.ancestors)
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


def _fields(
    schema: Schema,
    inherited: Mapping[str, ir.Field],
    strengthened: set[str],
    extras: ir.Type | None,
    context: _Context,
) -> tuple[ir.Field, ...]:
    required = frozenset(schema.required)
    own = [wire for wire in dict.fromkeys([*schema.properties, *schema.required]) if wire not in inherited]
    names = attribute_names(own, {field.python for field in inherited.values()})
    fields = []
    for wire, part in schema.properties.items():
        built = _field(wire, names.get(wire, ""), part, wire in required, context)
        if wire not in inherited:
            fields.append(built)
        elif not _agree(built, inherited[wire]):
            raise part.document.error(
                part.pointer, f"{wire!r} is inherited with a different type; use that type or rename it"
            )
    for wire in (*schema.required, *sorted(strengthened)):
        if wire in inherited and not inherited[wire].required:
            fields.append(replace(inherited[wire], required=True))
        elif wire not in inherited and wire not in schema.properties:
            if extras is None:
                raise schema.error(
                    "required", f"{wire!r} is required but not allowed; add it to 'properties'"
                )
            fields.append(ir.Field(wire, names[wire], extras, True, ""))
    return tuple(fields)


def _agree(one: ir.Field, other: ir.Field) -> bool:
    return (one.type, one.constraints) == (other.type, other.constraints)


def _field(wire: str, python: str, schema: Schema, required: bool, context: _Context) -> ir.Field:
    base = _facet_map_base(schema, context)
    if base is not None:
        kind: ir.Type = ir.QuotedFacets(base)
        if schema.document.is_core:
            kind = ir.Container(container_name(base.name), base)
        return ir.Field(wire, python, kind, required, schema.doc)
    kind = _type(schema, context)
    doc = schema.doc
    if not schema.own_doc and schema.references and isinstance(kind, ir.Named):
        doc = context.normalized.definitions[schema.references[0].key].doc or doc
    return ir.Field(wire, python, kind, required, doc, schema.constraints, schema.deprecated)


def _facet_map_base(schema: Schema, context: _Context) -> ir.Named | None:
    """Return the base facet that a map of facets holds, None if `schema` is something else."""
    values = schema.additional
    if (
        schema.properties
        or schema.key_pattern
        or not isinstance(values, Schema)
        or len(values.references) != 1
    ):
        return None
    key = values.references[0].key
    name = context.names.definitions[key]
    if name.module != context.core or key not in context.classes or not context.extends(name, "BaseFacet"):
        return None
    plain = Schema(values.document, values.pointer, values.doc, values.own_doc, references=values.references)
    if schema.types != ("object",) or schema.required or schema.rules or values != plain:
        raise schema.error(
            "additionalProperties", "a map of facets cannot have other constraints; remove them"
        )
    return _referenced(values.references[0], values, context)


# -- types -------------------------------------------------------------------------------------------


def _referenced(reference: Reference, schema: Schema, context: _Context) -> ir.Named:
    """Return the definition that a `$ref` refers to, whose name must be free in the module."""
    name = context.names.definitions[reference.key]
    module = context.names.modules[schema.document.schema_id]
    if name.module != module and ir.Named(module, name.name) in context.defined:
        path = context.normalized.definitions[reference.key].document.path.as_posix()
        raise schema.document.error(
            reference.pointer, f"{name.name!r} is defined both here and in {path}; rename one of them"
        )
    return name


def _inline(schema: Schema, context: _Context) -> ir.Type:
    """Return the type of a list item, a map value or a branch: an alias if it has constraints."""
    return _named(schema, context) if schema.constraints else _type(schema, context)


def _named(schema: Schema, context: _Context) -> ir.Named:
    try:
        return context.names.places[schema.document.schema_id, schema.pointer]
    except KeyError:
        where = f"{schema.document.path}#{schema.pointer}"
        raise GeneratorError(f"{where}: this nested schema has no name") from None


def _type(schema: Schema, context: _Context) -> ir.Type:
    """Return the type of a schema; nested classes and enumerations are referred to by name."""
    if schema.one_of or schema.any_of:
        return _union(schema, context)
    if schema.references:
        if len(schema.references) == 1 and not schema.is_object_with_fields:
            return _referenced(schema.references[0], schema, context)
        return _named(schema, context)
    if schema.is_enumeration:
        return _named(schema, context)
    if schema.values is not None:
        return ir.Values(schema.values)
    if not schema.types:
        return ir.Scalar("any")
    kinds = tuple(_of_type(kind, schema, context) for kind in schema.types)
    return kinds[0] if len(kinds) == 1 else ir.Union(kinds)


def _of_type(kind: str, schema: Schema, context: _Context) -> ir.Type:
    if kind == "string":
        return ir.Scalar(schema.format) if schema.format in FORMATS else ir.Scalar(kind, schema.format)
    if kind == "array":
        return ir.ListOf(ir.Scalar("any") if schema.items is None else _inline(schema.items, context))
    if kind != "object":
        return ir.Scalar(kind)
    if schema.is_object_with_fields:
        return _named(schema, context)
    if schema.additional is False:
        raise schema.error(
            "additionalProperties",
            "false without properties allows only {}; add 'properties' or remove the keyword",
        )
    if isinstance(schema.additional, Schema):
        return ir.MapOf(_inline(schema.additional, context), schema.key_pattern)
    return ir.Scalar("object")


def _union(schema: Schema, context: _Context) -> ir.Type:
    members = tuple(_inline(branch, context) for branch in schema.one_of or schema.any_of)
    if schema.one_of and len(set(members)) < len(members):
        raise schema.error("oneOf", "two branches are equal, so both always match; remove one of them")
    return ir.Union(members, exactly_one=bool(schema.one_of))


# -- facets ------------------------------------------------------------------------------------------


def _paths_of_facets(context: _Context, index: Mapping[ir.Named, ir.Definition]) -> dict[ir.Named, str]:
    """Return where the facets of each base facet are stored, such as `Run.facets`."""
    core = context.normalized.spec.core
    paths: dict[ir.Named, str] = {}
    for definition in _module(core, context, index).definitions:
        for field in definition.fields if isinstance(definition, ir.Class) else ():
            if isinstance(field.type, ir.Container):
                paths.setdefault(field.type.base, f"{definition.name}.{field.wire}")
    if not paths:
        raise core.error(
            "/$defs",
            "no field holds facets; define BaseFacet, facets that extend it, and a field such as "
            "Run.facets with additionalProperties that refer to one",
        )
    return paths


def _with_identity(
    name: ir.Named, definition: ir.Definition, context: _Context, keys: Mapping[ir.Named, str]
) -> ir.Definition:
    """Return a facet or event class with its schema URL and facet key."""
    if not isinstance(definition, ir.Class) or definition.pointer.count("/") != 2:
        return definition
    if not context.extends(name, "BaseFacet") and not context.extends(name, "BaseEvent"):
        return definition
    document = context.documents[name.module]
    url = f"{document.url}#{document.pointer_in_file(definition.pointer)}".removesuffix("#")
    return replace(definition, schema_url=url, facet_key=keys.get(name))


# -- checks of the whole -----------------------------------------------------------------------------


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
