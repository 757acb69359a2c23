"""Render what no single schema says: the containers, the registry of facets and the exports."""

from __future__ import annotations

from codegen import ir
from codegen.docstring import docstring
from codegen.header import notice

_SOURCE = "every schema of the spec folder"


def render_containers(library: ir.Library, package: str) -> str:
    """Return the source of the module of facet containers."""
    facets = {slot.facet for one in library.containers for slot in one.slots}
    facets |= {proposed for one in library.containers for slot in one.slots for _, proposed in slot.proposals}
    facets |= {one.base for one in library.containers}
    lines = [
        notice(_SOURCE),
        '"""The typed facet containers of runs, jobs and datasets."""',
        "",
        "from __future__ import annotations",
        "",
        "from collections.abc import Iterable, Mapping",
        "from typing import TYPE_CHECKING, ClassVar",
        "",
        "from typing_extensions import Self",
        "",
        "from openlineage_facets.base.containers import FacetMap",
        "from openlineage_facets.base.slots import FacetSlot",
        "",
        "if TYPE_CHECKING:",
        *(f"    from {package}.{name.module} import {name.name}" for name in sorted(facets, key=_order)),
    ]
    for container in library.containers:
        lines += ["", "", *_container(container)]
    return "\n".join(lines) + "\n"


def _container(container: ir.ContainerClass) -> list[str]:
    base = container.base
    lines = [
        f'class {container.name}(FacetMap["{base.name}"]):',
        *_indented(docstring(container.doc)),
        "",
        "    __slots__ = ()",
        f"    __base_facet__: ClassVar[str] = {_path(base)}",
    ]
    parameters = []
    for slot in container.slots:
        classes = " | ".join([slot.facet.name, *(proposed.name for _, proposed in slot.proposals)])
        proposals = ", ".join(f"{file!a}: {_path(proposed)}" for file, proposed in slot.proposals)
        arguments = [ascii(slot.key), _path(slot.facet), *([f"{{{proposals}}}"] if proposals else [])]
        lines += ["", f"    {slot.python}: FacetSlot[{classes}] = FacetSlot({', '.join(arguments)})"]
        lines += _indented(docstring(slot.doc)) if slot.doc else []
        parameters.append(f"            {slot.python}: {classes} | None = None,")
    return [
        *lines,
        "",
        "    if TYPE_CHECKING:",
        "",
        "        def __init__(",
        "            self,",
        f"            facets: Iterable[{base.name}] | Mapping[str, {base.name}] = (),",
        "            /,",
        *(["            *,", *parameters] if parameters else []),
        "        ) -> None: ...",
        "",
        "        def with_facets(",
        "            self,",
        f"            *facets: {base.name} | Mapping[str, {base.name}],",
        *parameters,
        "        ) -> Self: ...",
    ]


def render_registry(library: ir.Library) -> str:
    """Return the source of the table of every facet."""
    lines = [
        notice(_SOURCE),
        '"""Every facet the schemas define: where it stands, what reads it, which schema says so."""',
        "",
        "from __future__ import annotations",
        "",
        "from openlineage_facets.base.registry import FacetEntry",
        "",
        "FACETS: tuple[FacetEntry, ...] = (",
    ]
    for container in library.containers:
        for slot in container.slots:
            for facet, proposal in [
                (slot.facet, ""),
                *((proposed, file) for file, proposed in slot.proposals),
            ]:
                definition = library.index[facet]
                assert isinstance(definition, ir.Class)
                values = (
                    container.name,
                    slot.key,
                    facet.module,
                    facet.name,
                    definition.schema_url,
                    proposal or None,
                )
                lines.append(f"    FacetEntry({', '.join(map(ascii, values))}),")
    lines += [")", '"""One entry for each facet and container."""']
    return "\n".join(lines) + "\n"


def render_exports(library: ir.Library, package: str) -> str:
    """Return the source of the package's `__init__`: every facet class and module, loaded when first used."""
    exported: dict[str, str] = {}
    for module in library.modules:
        for definition in module.definitions:
            if module.is_core or (isinstance(definition, ir.Class) and definition.schema_url):
                exported[definition.name] = module.name
    for container in library.containers:
        exported[container.name] = "containers"
    modules = sorted(module.name for module in library.modules)
    lines = [
        notice(_SOURCE),
        '"""The generated classes: the core, every facet, and a module for each schema file."""',
        "",
        "from __future__ import annotations",
        "",
        "from typing import TYPE_CHECKING, Any",
        "",
        "from openlineage_facets.base.lazy import load_export as _load_export",
        "",
        "if TYPE_CHECKING:",
        *(f"    from {package} import {name} as {name}" for name in modules),
        *(
            f"    from {package}.{module} import {name} as {name}"
            for name, module in sorted(exported.items())
        ),
        "",
        "_MODULES = (",
        *(f"    {name!r}," for name in modules),
        ")",
        '"""The module of each schema file."""',
        "",
        "_EXPORTS = {",
        *(f"    {name!r}: {module!r}," for name, module in sorted(exported.items())),
        "}",
        '"""The module of each class."""',
        "",
        "__all__ = [",
        *(f"    {name!r}," for name in sorted([*exported, *modules])),
        "]",
        "",
        "",
        "def __getattr__(name: str) -> Any:",
        "    return _load_export(__name__, name, _EXPORTS, _MODULES)",
        "",
        "",
        "def __dir__() -> list[str]:",
        "    return __all__",
    ]
    return "\n".join(lines) + "\n"


def _path(name: ir.Named) -> str:
    return ascii(f"{name.module}:{name.name}")


def _order(name: ir.Named) -> tuple[str, str]:
    return name.module, name.name


def _indented(lines: list[str]) -> list[str]:
    return [f"    {line}" if line else "" for line in lines]
