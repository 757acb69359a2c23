"""Render `containers.py`: the facet container of each entity."""

from __future__ import annotations

from .. import ir
from .docstring import docstring, indented
from .header import WHOLE_SPEC, notice


def render_containers(library: ir.Library, package: str) -> str:
    """Return the source of the module of facet containers."""
    facets = {slot.facet for container in library.containers for slot in container.slots}
    facets |= {
        proposed
        for container in library.containers
        for slot in container.slots
        for _, proposed in slot.proposals
    }
    facets |= {container.base for container in library.containers}
    lines = [
        notice(WHOLE_SPEC),
        '"""The typed facet containers of runs, jobs and datasets."""',
        "",
        "from __future__ import annotations",
        "",
        "from collections.abc import Iterable, Mapping",
        "from typing import TYPE_CHECKING, ClassVar",
        "",
        "from typing_extensions import Self",
        "",
        "from openlineage_facets.base.containers.facet_map import FacetMap",
        "from openlineage_facets.base.containers.known_facets import FacetSlot",
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
        *indented(docstring(container.doc)),
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
        lines += indented(docstring(slot.doc)) if slot.doc else []
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


def _path(name: ir.Named) -> str:
    return ascii(f"{name.module}:{name.name}")


def _order(name: ir.Named) -> tuple[str, str]:
    return name.module, name.name
