"""Render `builders.py`: builders with a typed method for each facet, of the library and of custom facets."""

from __future__ import annotations

from collections.abc import Mapping

from .. import ir
from ..dependencies import dependencies_first
from ..identifiers import method_names, module_aliases
from .annotations import Annotations, or_none
from .source_text import CUSTOM_FACETS_API, docstring, first_lines, indented, library_module, with_arguments

_FILLED_IN = {"_producer", "_schemaURL", "_deleted"}
"""Fields that the builder fills in, or that another method writes."""

IMPORTED = {"datetime"}
"""Modules from elsewhere whose name a generated module may have, too."""


def render_builders(library: ir.Library, package: str) -> str:
    """Return the source of the module of entity builders."""
    entities = entities_with_facets(library)
    methods = {name for entity in entities for name in facet_methods(entity, library).values()}
    aliases = module_aliases((module.name for module in library.modules), methods | IMPORTED)
    write = Annotations("builders", library, modules=aliases)
    bodies = [line for entity in entities for line in _entity(entity, library, write)]
    return "\n".join([*builder_header(write, library, package, aliases), *bodies]) + "\n"


def builder_header(
    write: Annotations,
    library: ir.Library,
    package: str,
    aliases: Mapping[str, str],
    imports: tuple[str, ...] = (),
) -> list[str]:
    """Return the lines before the builders.

    Args:
        write: What wrote the annotations of the builders.
        library: Everything to render.
        package: The import path of the package.
        aliases: The name under which each module is imported.
        imports: More imports.
    """
    modules = sorted({name.module for name in write.foreign})
    imported = []
    for module in modules:
        folder, _, name = ir.import_path(package, module).rpartition(".")
        folder = library_module(folder, library) if module.startswith(f"{folder}.") else folder
        renamed = "" if aliases[module] == name else f" as {aliases[module]}"
        imported.append(f"    from {folder} import {name}{renamed}")
    return [
        *first_lines(library, "A builder for each entity, with a method for each of its facets."),
        "from collections.abc import Iterable, Mapping",
        "from datetime import datetime",
        "from typing import TYPE_CHECKING, Any, ClassVar, Literal",
        "from uuid import UUID",
        "",
        "from typing_extensions import Self",
        "",
        *imports,
        f"from {library_module('openlineage_facets.base.containers.builder', library)} import EntityBuilder",
        "",
        *(["if TYPE_CHECKING:"] if imported else []),
        *imported,
    ]


def entities_with_facets(library: ir.Library) -> list[ir.Named]:
    """Return the core classes that hold facets, each after those it extends."""
    held = [name for name in library.core.classes if containers_of(name, library)]
    return dependencies_first(held, lambda name: library.ancestors[name])


def facet_methods(entity: ir.Named, library: ir.Library) -> dict[tuple[str, str], str]:
    """Return the builder method of each facet of an entity, by field and key, inherited ones included."""
    containers = containers_of(entity, library)
    return method_names([(field, slot.key) for field, container in containers for slot in container.slots])


def containers_of(entity: ir.Named, library: ir.Library) -> list[tuple[str, ir.ContainerClass]]:
    """Return the facet containers of an entity with their fields, inherited ones first."""
    by_name = {container.name: container for container in library.containers}
    owners = [*reversed(library.ancestors[entity]), entity]
    fields = {field.python: field for owner in owners for field in library.all_fields(owner)}
    return [
        (field.python, by_name[field.type.name])
        for field in fields.values()
        if isinstance(field.type, ir.Container)
    ]


def _entity(entity: ir.Named, library: ir.Library, write: Annotations) -> list[str]:
    inherited = [base for base in library.class_of(entity).bases if containers_of(base, library)]
    parents = ", ".join(f"{base.name}Builder" for base in inherited) or "EntityBuilder"
    containers = containers_of(entity, library)
    held = {field for base in inherited for field, _ in containers_of(base, library)}
    names = facet_methods(entity, library)
    fields = ", ".join(f"{field!a}: {container.name!a}" for field, container in containers)
    lines = [
        "",
        "",
        f"class {entity.name}Builder({parents}):",
        *indented(docstring(f"Builds the {entity.name} of an event, facet by facet.")),
        "",
        f"    __entity__: ClassVar[str] = {entity.path!a}",
        f"    __containers__: ClassVar[Mapping[str, str]] = {{{fields}}}",
    ]
    for field, container in containers:
        for slot in container.slots if field not in held else ():
            lines += method_lines(names[field, slot.key], field, slot, library, write)
    return lines


def method_lines(
    name: str, field: str, slot: ir.Slot, library: ir.Library, write: Annotations, package: str | None = None
) -> list[str]:
    """Return the method that composes a facet.

    Args:
        name: The name of the method.
        field: The field of the entity that contains the facet.
        slot: The facet.
        library: Everything to render.
        write: Writes the annotations.
        package: The package of the facet, if it is another one than that of the entity.
    """
    fields = [field for field in library.all_fields(slot.facet) if field.wire not in _FILLED_IN]
    ordered = sorted(fields, key=lambda field: not field.required)
    parameters = []
    for parameter in ordered:
        kind = write.accepted(parameter.type, mappings=True)
        kind = kind if parameter.required else f"{or_none(kind)} = None"
        parameters.append(f"        {parameter.python}: {kind},")
    arguments = ", ".join(f"{parameter.python}={parameter.python}" for parameter in ordered)
    module = f"{package}.{slot.facet.module}" if package else slot.facet.module
    path = f"{module}:{slot.facet.name}"
    return [
        "",
        f"    def {name}(",
        "        self,",
        *(["        *,", *parameters] if parameters else []),
        "    ) -> Self:",
        *indented(indented(_document(slot, ordered))),
        f"        return self._compose({field!a}, {path!a}, {arguments})",
    ]


def _document(slot: ir.Slot, fields: list[ir.Field]) -> list[str]:
    """Return the docstring of a method: the facet's, and a line for each parameter."""
    lines = docstring(slot.doc or f"Add the facet {slot.key}.", indent=8)
    described: list[str] = []
    for parameter in fields:
        if parameter.doc:
            first, *rest = docstring(f"{parameter.python}: {parameter.doc}", indent=12)
            body = [first.removeprefix('"""'), *rest]
            body[-1] = body[-1].removesuffix('"""')
            summary = body[: body.index("")] if "" in body else body
            described += [f"    {summary[0]}", *(f"        {line}" for line in summary[1:])]
    return with_arguments(lines, described) if described else lines


# -- builders of custom facets, which extend those of the library ---------------------------------------

_BUILDERS = {
    "Run": "RunBuilder",
    "Job": "JobBuilder",
    "StaticDataset": "DatasetBuilder",
    "InputDataset": "InputBuilder",
    "OutputDataset": "OutputBuilder",
}
"""The builder of each entity in `openlineage_facets.builders`."""

_JOB_PARTS = {"job": "JobBuilder", "input(...)": "InputBuilder", "output(...)": "OutputBuilder"}

_PARTS = {
    "RunEventBuilder": {"run": "RunBuilder", **_JOB_PARTS},
    "JobEventBuilder": _JOB_PARTS,
    "DatasetEventBuilder": {"dataset": "DatasetBuilder"},
}
"""The builders of the parts of each event builder, by the expressions that return them."""

EXPORTED = (*_BUILDERS.values(), *_PARTS)
"""The names that the module defines."""


def render_custom_builders(library: ir.Library, package: str) -> str:
    """Return the source of the module of builders."""
    entities = entities_with_facets(library)
    methods = {name for entity in entities for name in facet_methods(entity, library).values()}
    own = {module.name for module in library.own_modules}
    aliases = module_aliases(own, methods | IMPORTED | {"builders"})
    # No module of custom facets starts with an underscore.
    aliases |= {
        module.name: f"_{module.name.rpartition('.')[2]}" for module in library.modules if module.is_base
    }
    write = Annotations("builders", library, modules=aliases)
    mixins: dict[str, list[str]] = {}
    lines: list[str] = []
    for entity in entities:
        names = facet_methods(entity, library)
        for field, container in containers_of(entity, library):
            slots = [slot for slot in container.slots if slot.facet.module in own]
            if not slots or f"_{container.name}" in mixins:
                continue
            mixins[f"_{container.name}"] = []
            lines += [
                "",
                "",
                f"class _{container.name}(EntityBuilder):",
                "    __composes_facets__: ClassVar[bool] = True",
            ]
            for slot in slots:
                lines += method_lines(names[field, slot.key], field, slot, library, write, package)
    for entity in entities:
        builder = _BUILDERS.get(entity.name)
        if builder is not None:
            own_mixins = [f"_{container.name}" for _, container in reversed(containers_of(entity, library))]
            bases = [*(mixin for mixin in own_mixins if mixin in mixins), f"builders.{builder}"]
            described = f"Builds the {entity.name} of an event, with the facets of this package."
            lines += ["", "", f"class {builder}({', '.join(bases)}):", *indented(docstring(described))]
    for event, parts in _PARTS.items():
        lines += _event_builder(event, parts)
    return "\n".join([*builder_header(write, library, package, aliases, _IMPORTS), *lines]) + "\n"


_IMPORTS = (f"from {CUSTOM_FACETS_API} import FacetMap, builders",)


def _event_builder(event: str, parts: Mapping[str, str]) -> list[str]:
    entries = ", ".join(f"{part!r}: {builder}" for part, builder in parts.items())
    typed: list[str] = []
    for part, builder in parts.items():
        if part.endswith("(...)"):
            method = part.removesuffix("(...)")
            typed += ["", f"def {method}(self, namespace: str, name: str) -> {builder}: ..."]
        else:
            typed += ["", "@property", f"def {part}(self) -> {builder}: ..."]
    kind = event.removesuffix("EventBuilder").lower()
    return [
        "",
        "",
        f"class {event}(builders.{event}):",
        *indented(docstring(f"Builds {kind} events, with the facets of this package.")),
        "",
        "    __parts__: ClassVar[Mapping[str, type[EntityBuilder]]] = {",
        f"        **builders.{event}.__parts__, {entries}",
        "    }",
        "",
        "    if TYPE_CHECKING:",
        *indented(indented(typed)),
    ]
