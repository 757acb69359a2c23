"""Detect unknown facet keys that were meant for a known facet."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from openlineage_facets.base.lazy_imports import load_class
from openlineage_facets.base.name_suggestions import folded

if TYPE_CHECKING:
    from openlineage_facets.base.known_facets import FacetContainer

__all__ = ["Misnomer", "misnomer", "wire_formats"]


class Misnomer(NamedTuple):
    """An invalid facet key; the fields are those of a finding."""

    problem: str
    expected: str
    hint: str


def misnomer(container: type[FacetContainer], key: str) -> Misnomer | None:
    """Return what is wrong with a key that `container` does not have; None for the key of a custom facet."""
    right = _by_spelling(container).get(folded(key))
    if right is not None:
        return Misnomer(f"unknown facet key {key!r}", "a facet key", f"did you mean {right!r}?")
    owners = _elsewhere(container).get(key)
    if owners is not None:
        problem = f"{key!r} is not a facet key of {container.__name__}"
        expected = f"a facet key of {container.__name__}, or that of a custom facet"
        return Misnomer(problem, expected, f"it belongs to {' or '.join(owners)}")
    return None


def wire_formats(key: str, class_name: str, base: str) -> set[str]:
    """Return the names that are often used for a known facet instead of its key, normalized.

    Args:
        key: Its facet key.
        class_name: The class of the facet.
        base: The class of the base facet that it extends.
    """
    names = (key, class_name, class_name.removesuffix("Facet"), class_name.removesuffix(base))
    return {folded(name) for name in names} - {""}


@cache
def _by_spelling(container: type[FacetContainer]) -> dict[str, str]:
    base = container.__base_facet__.partition(":")[2]
    return {
        wire_format: key
        for key, slot in container.__slots_by_key__.items()
        for name in slot.class_names()
        for wire_format in wire_formats(key, name, base)
    }


@cache
def _elsewhere(container: type[FacetContainer]) -> dict[str, tuple[str, ...]]:
    """Return the names of the other containers that have a key, by key."""
    if not container.__slots_by_key__:
        return {}
    by_key = load_class(container.__module__.rpartition(".")[0], "index:CONTAINERS_BY_KEY")
    return {key: names for key, names in by_key.items() if key not in container.__slots_by_key__}
