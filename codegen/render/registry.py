"""Render `registry.py`: one entry for each facet."""

from __future__ import annotations

from .. import ir
from ..errors import GeneratorError
from .header import first_lines, library_module

_ENTRIES = "openlineage_facets.base.containers.known_facets"


def render_registry(library: ir.Library, package: str | None = None) -> str:
    """Return the source of the table of all facets.

    Args:
        library: Everything to render.
        package: The package of custom facets; None for the specification, whose modules are named within it.
    """
    return "\n".join(
        [
            *first_lines(
                library, "Every facet that the schemas define: its container, key, class and schema."
            ),
            f"from {library_module(_ENTRIES, library)} import FacetEntry",
            "",
            "FACETS: tuple[FacetEntry, ...] = (",
            *(line for container in library.containers for line in _entries(container, library, package)),
            ")",
            '"""One entry for each facet and container."""',
            "",
        ]
    )


def _entries(container: ir.ContainerClass, library: ir.Library, package: str | None) -> list[str]:
    own = {module.name for module in library.own_modules}
    lines = []
    for slot in container.slots:
        proposals = [(proposed, file) for file, proposed in slot.proposals]
        for facet, proposal in [(slot.facet, None), *proposals]:
            if facet.module not in own:
                continue
            definition = library.index[facet]
            if not isinstance(definition, ir.Class):
                raise GeneratorError(f"{facet.name} has a slot and is not a class")
            arguments = {
                "container": container.name,
                "key": slot.key,
                "module": f"{package}.{facet.module}" if package else facet.module,
                "name": facet.name,
                "schema_url": definition.schema_url,
                "proposal": proposal,
            }
            lines.append(
                f"    FacetEntry({', '.join(f'{name}={value!a}' for name, value in arguments.items())}),"
            )
    return lines
