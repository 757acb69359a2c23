"""Find the standard facet for which an unknown facet key was meant."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from openlineage_facets.base.errors.name_suggestions import normalized
from openlineage_facets.base.lazy_imports import load_class

if TYPE_CHECKING:
    from openlineage_facets.base.containers.known_facets import FacetContainer

__all__ = ["WrongKey", "containers_with_key", "forget_known_facets", "key_of_variant", "wrong_key"]


class WrongKey(NamedTuple):
    """Why a facet key is wrong; the fields are those of a finding."""

    problem: str
    expected: str
    hint: str


def wrong_key(container: type[FacetContainer], key: str) -> WrongKey | None:
    """Return why a key that `container` does not have is wrong, or None for the key of a custom facet."""
    right = key_of_variant(container, key)
    if right is not None:
        return WrongKey(f"unknown facet key {key!r}", "a facet key", f"did you mean {right!r}?")
    owners = containers_with_key(container, key)
    if owners:
        problem = f"{key!r} is not a facet key of {container.__name__}"
        expected = f"a facet key of {container.__name__}, or that of a custom facet"
        return WrongKey(problem, expected, f"it belongs to {' or '.join(owners)}")
    return None


def key_of_variant(container: type[FacetContainer], name: str) -> str | None:
    """Return the key of the facet that a name stands for, such as `jobtype` or `JobTypeJobFacet`.

    Case and separators are ignored.

    Args:
        container: The container.
        name: A facet key, a class name, or a class name without its suffix.
    """
    return _keys_by_variant(container).get(normalized(name))


def containers_with_key(container: type[FacetContainer], key: str) -> tuple[str, ...]:
    """Return the names of the other containers that have a key."""
    if key in container.__slots_by_key__ or not container.__slots_by_key__:
        return ()
    by_key = load_class(container.__module__.rpartition(".")[0], "index:CONTAINERS_BY_KEY")
    owners: tuple[str, ...] = by_key.get(key, ())
    return owners


def containers_with_variant(container: type[FacetContainer], name: str) -> tuple[str, ...]:
    """Return the names of the other containers that have a key, without regard to case and separators."""
    if not container.__slots_by_key__:
        return ()
    by_key = load_class(container.__module__.rpartition(".")[0], "index:CONTAINERS_BY_KEY")
    keys = [key for key in by_key if normalized(key) == normalized(name)]
    return containers_with_key(container, keys[0]) if keys else ()


@cache
def _keys_by_variant(container: type[FacetContainer]) -> dict[str, str]:
    base = container.__base_facet__.partition(":")[2]
    keys = {
        normalized(variant): key
        for key, slot in container.__slots_by_key__.items()
        for name in slot.class_names()
        for variant in (key, name, name.removesuffix("Facet"), name.removesuffix(base))
    }
    return {variant: key for variant, key in keys.items() if variant}


def forget_known_facets() -> None:
    """Forget the keys that were known."""
    _keys_by_variant.cache_clear()
