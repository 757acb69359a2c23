"""Render `registry.py`, one entry for each facet, and `index.py`, lookup tables."""

from __future__ import annotations

from .. import ir
from .builders import entities_with_facets, facet_methods
from .source_text import first_lines, library_module

_ENTRIES = "openlineage_facets.base.containers.known_facets"


def render_registry(library: ir.Library, package: str | None = None) -> str:
    """Return the source of the table of all facets.

    Args:
        library: Everything to render.
        package: The package of custom facets; None for the specification, whose modules are named within it.
    """
    classes = library.own_classes
    entries = [
        {
            "container": container.name,
            "key": slot.key,
            "module": f"{package}.{facet.module}" if package else facet.module,
            "name": facet.name,
            "schema_url": classes[facet].schema_url,
            "proposal": proposal,
        }
        for container in library.containers
        for slot in container.slots
        for proposal, facet in ((None, slot.facet), *slot.proposals)
        if facet in classes
    ]
    lines = [
        *first_lines(library, "Every facet that the schemas define: its container, key, class and schema."),
        f"from {library_module(_ENTRIES, library)} import FacetEntry",
        "",
        "FACETS: tuple[FacetEntry, ...] = (",
        *(
            f"    FacetEntry({', '.join(f'{name}={value!a}' for name, value in entry.items())}),"
            for entry in entries
        ),
        ")",
        '"""One entry for each facet and container."""',
    ]
    return "\n".join(lines) + "\n"


def render_index(library: ir.Library) -> str:
    """Return the source of the lookup tables."""
    containers: dict[str, list[str]] = {}
    for container in library.containers:
        for slot in container.slots:
            containers.setdefault(slot.key, []).append(container.name)
    entities: dict[str, list[str]] = {}
    for entity in entities_with_facets(library):
        inherited = {
            method for base in library.ancestors[entity] for method in facet_methods(base, library).values()
        }
        for method in facet_methods(entity, library).values():
            if method not in inherited:
                entities.setdefault(method, []).append(entity.name)
    return "\n".join(
        [
            *first_lines(
                library,
                "Lookup tables: the containers of each facet key, the entities of each builder method.",
            ),
            "from collections.abc import Mapping",
            "",
            *_table("CONTAINERS_BY_KEY", containers, "The containers that know a facet key."),
            "",
            *_table("ENTITIES_BY_METHOD", entities, "The entities whose builders have a facet method."),
            "",
        ]
    )


def _table(name: str, entries: dict[str, list[str]], doc: str) -> list[str]:
    lines = [f"    {key!a}: {tuple(values)!a}," for key, values in sorted(entries.items())]
    return [f"{name}: Mapping[str, tuple[str, ...]] = {{", *lines, "}", f'"""{doc}"""']
