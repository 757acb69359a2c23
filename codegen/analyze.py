"""From schemas to the frozen IR: which classes there are, and which facet stands where."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from codegen import ir
from codegen.definitions import Definitions, container_name
from codegen.errors import SchemaError
from codegen.load import Document, Spec
from codegen.name import module_name, slot_names

ROOT_KEYWORDS = frozenset(
    {
        "$schema",
        "$id",
        "$defs",
        "$comment",
        "title",
        "description",
        "type",
        "properties",
        "required",
        "examples",
    }
    | {"additionalProperties"}
)
"""What a facet file may say beside its definitions: under which key the facet stands."""


def analyze(spec: Spec) -> ir.Library:
    """Return what the documents of `spec` say.

    Raises:
        SchemaError: A construct is unknown, or two schemas contradict each other.
    """
    modules = _module_names(spec)
    definitions = Definitions(spec, modules)
    for document in spec.documents:
        definitions.add_document(document)
    _assert_acyclic(spec, definitions)
    slots = _Slots(spec, definitions)
    for document in spec.documents:
        if not document.is_core:
            slots.add_document(document)
    keyed = slots.facet_keys()
    index = {
        name: _with_identity(name, definition, spec, definitions, keyed)
        for name, definition in definitions.index.items()
    }
    built = tuple(
        ir.Module(
            name=modules[document.schema_id],
            path=document.path.as_posix(),
            schema_id=document.schema_id,
            doc=str(document.schema.get("description", "")),
            definitions=tuple(
                definition for name, definition in index.items() if name.module == modules[document.schema_id]
            ),
            is_core=document.is_core,
            is_proposal=document.is_proposal,
        )
        for document in spec.documents
    )
    library = ir.Library(built, slots.containers(), index)
    _assert_unique_facets(library, spec, modules)
    return library


def _module_names(spec: Spec) -> dict[str, str]:
    """Return the module name of each document, by `$id`."""
    names: dict[str, Document] = {}
    for document in spec.documents:
        name = module_name(document.path.stem)
        other = names.setdefault(name, document)
        if other is not document:
            raise SchemaError(
                document.path,
                "",
                f"would be module {name!r}, as is {other.path.as_posix()}; rename one of the files",
            )
    return {document.schema_id: name for name, document in names.items()}


def _assert_acyclic(spec: Spec, definitions: Definitions) -> None:
    """Refuse schema files that need each other: neither module could be imported first."""
    paths = {module: document for document in spec.documents for module in [definitions.module_of(document)]}
    done: set[str] = set()

    def visit(module: str, trail: tuple[str, ...]) -> None:
        if module in trail:
            loop = " -> ".join(
                paths[name].path.as_posix() for name in (*trail[trail.index(module) :], module)
            )
            raise SchemaError(
                paths[module].path, "", f"the files need each other: {loop}; put the shared part in a third"
            )
        if module not in done:
            for needed in sorted(definitions.imports[module]):
                visit(needed, (*trail, module))
            done.add(module)

    for module in sorted(definitions.imports):
        visit(module, ())


def _with_identity(
    name: ir.Named,
    definition: ir.Definition,
    spec: Spec,
    definitions: Definitions,
    keyed: Mapping[ir.Named, str],
) -> ir.Definition:
    """Return a facet or event class with the schema URL and the facet key it goes by."""
    if not isinstance(definition, ir.Class) or definition.pointer.count("/") != 2:
        return definition
    core = definitions.module_of(spec.core)
    roots = {ir.Named(core, "BaseFacet"), ir.Named(core, "BaseEvent")}
    if not roots & {name, *definitions.ancestors(name)}:
        return definition
    document = definitions.document_of(name)
    url = f"{document.schema_id}#{definition.pointer}"
    return replace(definition, schema_url=url, facet_key=keyed.get(name))


def _assert_unique_facets(library: ir.Library, spec: Spec, modules: Mapping[str, str]) -> None:
    """Refuse two facet classes of one name: both are exported from one place."""
    owners = {one.name: ir.Named("containers", one.name) for one in library.containers}
    for name, definition in library.index.items():
        if isinstance(definition, ir.Class) and definition.schema_url:
            other = owners.setdefault(name.name, name)
            if other != name:
                paths: dict[str, object] = {modules[one.schema_id]: one.path for one in spec.documents}
                paths["containers"] = "the facet containers"
                raise SchemaError(
                    str(paths[name.module]),
                    definition.pointer,
                    f"{name.name!r} is defined in {paths[other.module]}, too",
                )


class _Slots:
    """Which facet stands under which key of which container, as the schemas' top levels say."""

    def __init__(self, spec: Spec, definitions: Definitions) -> None:
        self._spec = spec
        self._definitions = definitions
        self._claims: dict[tuple[ir.Named, str], dict[str, tuple[Document, ir.Named]]] = {}

    def add_document(self, document: Document) -> None:
        """Take in the keys that a facet file's top level names."""
        for keyword in document.schema:
            if keyword not in ROOT_KEYWORDS:
                raise SchemaError(
                    document.path, f"/{keyword}", f"unknown construct {keyword!r} beside the definitions"
                )
        properties = document.schema.get("properties", {})
        if not isinstance(properties, Mapping):
            raise SchemaError(document.path, "/properties", "expected an object: facet keys and their facets")
        for key, schema in properties.items():
            pointer = f"/properties/{key.replace('~', '~0').replace('/', '~1')}"
            facets = list(self._classes(document, schema, pointer))
            for facet in facets:
                self._claim(document, pointer, key, facet)
            if not facets:
                raise SchemaError(
                    document.path, pointer, "expected a $ref to the facet that stands under this key"
                )

    def _classes(self, document: Document, schema: Any, pointer: str) -> Iterator[ir.Named]:
        """Find the facet classes a key may hold, through any anyOf and oneOf."""
        if not isinstance(schema, Mapping):
            raise SchemaError(document.path, pointer, "expected a schema object")
        if "$ref" in schema:
            if not isinstance(schema["$ref"], str):
                raise SchemaError(document.path, f"{pointer}/$ref", "expected the URL of a definition")
            owner, name = self._spec.resolve(document, schema["$ref"], f"{pointer}/$ref")
            named = self._definitions.named(owner, name)
            if isinstance(self._definitions.index[named], ir.Class):
                yield named
            else:
                yield from self._classes(owner, owner.definitions[name], f"/$defs/{name}")
        for keyword in ("anyOf", "oneOf"):
            members = schema.get(keyword, [])
            if not isinstance(members, list):
                raise SchemaError(document.path, f"{pointer}/{keyword}", "expected a list of schemas")
            for number, member in enumerate(members):
                yield from self._classes(document, member, f"{pointer}/{keyword}/{number}")

    def _claim(self, document: Document, pointer: str, key: str, facet: ir.Named) -> None:
        bases = [
            base for base in self._definitions.facet_bases() if base in self._definitions.ancestors(facet)
        ]
        if len(bases) != 1:
            names = ", ".join(base.name for base in self._definitions.facet_bases())
            raise SchemaError(
                document.path,
                pointer,
                f"{facet.name} extends {len(bases)} base facets, expected one of {names}",
            )
        rivals = self._claims.setdefault((bases[0], key), {})
        spelling = document.path.name if document.is_proposal else ""
        if spelling in rivals:
            raise SchemaError(
                document.path,
                pointer,
                f"{key!r} of {bases[0].name} is claimed by {facet.name} and by "
                f"{rivals[spelling][1].name} of {rivals[spelling][0].path.as_posix()}; "
                "a facet needs a key of its own",
            )
        rivals[spelling] = (document, facet)

    def facet_keys(self) -> dict[ir.Named, str]:
        """Return the key of every facet that has one."""
        keys: dict[ir.Named, str] = {}
        for (_, key), rivals in self._claims.items():
            for document, facet in rivals.values():
                if keys.setdefault(facet, key) != key:
                    raise SchemaError(
                        document.path,
                        "/properties",
                        f"{facet.name} stands under {keys[facet]!r} and {key!r}; give it one key",
                    )
        return keys

    def containers(self) -> tuple[ir.ContainerClass, ...]:
        """Return the container of each base facet, with its slots in the order of their keys."""
        found = []
        for base in self._definitions.facet_bases():
            claims = {key: rivals for (owner, key), rivals in self._claims.items() if owner == base}
            names = slot_names(claims)
            slots = []
            for key in sorted(claims):
                rivals = dict(sorted(claims[key].items()))
                first = next(iter(rivals))
                _, facet = rivals.pop(first)
                slots.append(
                    ir.Slot(
                        key=key,
                        python=names[key],
                        facet=facet,
                        doc=self._definitions.index[facet].doc,
                        proposals=tuple((file, proposed) for file, (_, proposed) in rivals.items()),
                    )
                )
            found.append(
                ir.ContainerClass(
                    name=container_name(base.name),
                    base=base,
                    doc=f"The facets under `{self._definitions.container_path(base)}`.",
                    slots=tuple(slots),
                )
            )
        return tuple(found)
