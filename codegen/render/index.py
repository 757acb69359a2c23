"""Render `index.py`: lookup tables over all containers and builders."""

from __future__ import annotations

from .. import ir
from .builders import entities_with_facets, facet_methods
from .header import first_lines


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
