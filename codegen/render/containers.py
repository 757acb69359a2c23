"""Render `containers.py`: the facet container of each entity."""

from __future__ import annotations

from .. import ir
from .source_text import docstring, first_lines, indented


def render_containers(library: ir.Library, package: str) -> str:
    """Return the source of the module of facet containers."""
    facets = {container.base for container in library.containers}
    facets |= {facet for container in library.containers for slot in container.slots for facet in slot.facets}
    lines = [
        *first_lines(library, "The typed facet containers of runs, jobs and datasets."),
        "from collections.abc import Iterable, Mapping",
        "from typing import TYPE_CHECKING, ClassVar",
        "",
        "from typing_extensions import Self",
        "",
        "from openlineage_facets.base.containers.facet_map import FacetMap",
        "from openlineage_facets.base.containers.known_facets import FacetSlot",
        "",
        "if TYPE_CHECKING:",
        *(f"    from {package}.{name.module} import {name.name}" for name in sorted(facets)),
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
        f"    __base_facet__: ClassVar[str] = {base.path!a}",
    ]
    parameters = []
    for slot in container.slots:
        classes = " | ".join(facet.name for facet in slot.facets)
        proposals = ", ".join(f"{file!a}: {proposed.path!a}" for file, proposed in slot.proposals)
        arguments = [ascii(slot.key), ascii(slot.facet.path), *([f"{{{proposals}}}"] if proposals else [])]
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
