"""Keys that nobody has, though a known facet was meant: under such a one, no reader looks for it."""

from __future__ import annotations

import sys
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from openlineage_facets.base.containers import FacetMap

__all__ = ["Misnomer", "folded", "misnomer", "spellings"]


class Misnomer(NamedTuple):
    """What is wrong with a key."""

    expected: str
    hint: str


def misnomer(container: type[FacetMap[Any]], key: str) -> Misnomer | None:
    """Return what is wrong with a key that a container does not know, None for one of a custom facet."""
    right = _by_spelling(container).get(folded(key))
    if right is not None:
        return Misnomer("a wire key", f"did you mean {right!r}?")
    owners = _elsewhere(container).get(key)
    if owners is not None:
        return Misnomer(
            "a key of this entity, or of a custom facet", f"{key!r} stands in {' or '.join(owners)}"
        )
    return None


def spellings(key: str, class_name: str, base: str) -> set[str]:
    """Return what a known facet may be called by those who do not look up its key, folded.

    Args:
        key: Its wire key.
        class_name: The class that reads it.
        base: The class of the base facet that it extends.
    """
    names = (key, class_name, class_name.removesuffix("Facet"), class_name.removesuffix(base))
    return {folded(name) for name in names} - {""}


def folded(name: str) -> str:
    """Return a name without what tells `jobType` from `job_type`."""
    return "".join(char for char in name.lower() if char.isalnum())


@cache
def _by_spelling(container: type[FacetMap[Any]]) -> dict[str, str]:
    base = container.__base_facet__.partition(":")[2]
    return {
        spelling: key
        for key, slot in container.__slots_by_key__.items()
        for name in slot.class_names()
        for spelling in spellings(key, name, base)
    }


@cache
def _elsewhere(container: type[FacetMap[Any]]) -> dict[str, list[str]]:
    """Return the names of the containers beside this one that know a key which it does not know itself."""
    found: dict[str, list[str]] = {}
    if container.__slots_by_key__:
        for name, other in vars(sys.modules[container.__module__]).items():
            for key in getattr(other, "__slots_by_key__", ()) if isinstance(other, type) else ():
                if key not in container.__slots_by_key__:
                    found.setdefault(key, []).append(name)
    return found
