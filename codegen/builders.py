"""Render the builders: for each entity, one typed method for each of its facets."""

from __future__ import annotations

from codegen import ir
from codegen.annotations import Annotations
from codegen.docstring import docstring
from codegen.header import notice
from codegen.name import method_names

_FILLED_IN = {"_producer", "_schemaURL", "_deleted"}
"""Fields that the builder fills in by itself, or writes by another method."""


def render_builders(library: ir.Library, package: str) -> str:
    """Return the source of the module of entity builders."""
    core = next(module for module in library.modules if module.is_core)
    entities = [
        definition
        for definition in core.definitions
        if isinstance(definition, ir.Class) and _containers(ir.Named(core.name, definition.name), library)
    ]
    write = Annotations("builders", library, qualified=True)
    bodies = [
        line
        for entity in _bases_first(entities, core.name)
        for line in _entity(entity, core.name, library, write)
    ]
    lines = [
        notice("every schema of the spec folder"),
        '"""A builder for each entity, with a method for each facet it may have."""',
        "",
        "from __future__ import annotations",
        "",
        "from collections.abc import Iterable, Mapping",
        "from datetime import datetime",
        "from typing import TYPE_CHECKING, Any, ClassVar, Literal",
        "from uuid import UUID",
        "",
        "from typing_extensions import Self",
        "",
        "from openlineage_facets.base.builder import EntityBuilder",
        "",
        *(["if TYPE_CHECKING:"] if write.foreign else []),
        *(
            f"    from {package}.{name.module} import {name.name} as {write.reference(name)}"
            for name in sorted(write.foreign, key=lambda name: (name.module, name.name))
        ),
    ]
    return "\n".join([*lines, *bodies]) + "\n"


def _containers(entity: ir.Named, library: ir.Library) -> list[tuple[str, ir.ContainerClass]]:
    """Return the facet containers of an entity by the field that holds each, inherited ones first."""
    by_name = {one.name: one for one in library.containers}
    owners = [*reversed(library.ancestors(entity)), entity]
    fields = {one.python: one for owner in owners for one in library.all_fields(owner)}
    return [
        (one.python, by_name[one.type.name]) for one in fields.values() if isinstance(one.type, ir.Container)
    ]


def _bases_first(entities: list[ir.Class], module: str) -> list[ir.Class]:
    ordered: list[ir.Class] = []

    def add(entity: ir.Class) -> None:
        for base in entities:
            if ir.Named(module, base.name) in entity.bases:
                add(base)
        if entity not in ordered:
            ordered.append(entity)

    for entity in entities:
        add(entity)
    return ordered


def _entity(entity: ir.Class, module: str, library: ir.Library, write: Annotations) -> list[str]:
    name = ir.Named(module, entity.name)
    inherited = [base for base in entity.bases if _containers(base, library)]
    parents = ", ".join(f"{base.name}Builder" for base in inherited) or "EntityBuilder"
    containers = _containers(name, library)
    held = {field for base in inherited for field, _ in _containers(base, library)}
    names = method_names([(field, slot.key) for field, container in containers for slot in container.slots])
    lines = [
        "",
        "",
        f"class {entity.name}Builder({parents}):",
        *_indented(docstring(f"Builds the {entity.name} of an event, facet by facet.")),
        "",
        f"    __entity__: ClassVar[str] = {f'{module}:{entity.name}'!a}",
        "    __containers__: ClassVar[Mapping[str, str]] = "
        f"{{{', '.join(f'{field!a}: {container.name!a}' for field, container in containers)}}}",
    ]
    for field, container in containers:
        for slot in container.slots if field not in held else ():
            lines += _method(names[field, slot.key], field, slot, library, write)
    return lines


def _method(name: str, field: str, slot: ir.Slot, library: ir.Library, write: Annotations) -> list[str]:
    fields = [one for one in library.all_fields(slot.facet) if one.wire not in _FILLED_IN]
    ordered = sorted(fields, key=lambda one: not one.required)
    parameters = [
        f"        {one.python}: {write.row(one.type)},"
        if one.required
        else f"        {one.python}: {write.row(one.type)} | None = None,"
        for one in ordered
    ]
    given = ", ".join(f"{one.python}={one.python}" for one in ordered)
    path = f"{slot.facet.module}:{slot.facet.name}"
    return [
        "",
        f"    def {name}(",
        "        self,",
        *(["        *,", *parameters] if parameters else []),
        "    ) -> Self:",
        *_indented(_indented(_document(slot, ordered))),
        f"        return self._compose({field!a}, {path!a}, {given})",
    ]


def _document(slot: ir.Slot, fields: list[ir.Field]) -> list[str]:
    """Return the docstring of a method: the facet's, and a line for each parameter."""
    lines = docstring(slot.doc or f"Add the facet {slot.key}.", indent=8)
    if not fields:
        return lines
    if len(lines) == 1:
        lines = [lines[0][:-3], '"""']
    described = []
    for one in fields:
        first, *rest = docstring(f"{one.python}: {one.doc}", indent=12)
        body = [first.removeprefix('"""'), *rest]
        body[-1] = body[-1].removesuffix('"""')
        summary = body[: body.index("")] if "" in body else [line for line in body if line]
        described += [f"    {summary[0]}", *(f"        {line}" for line in summary[1:])]
    return [*lines[:-1], "", "Args:", *described, '"""']


def _indented(lines: list[str]) -> list[str]:
    return [f"    {line}" if line else "" for line in lines]
