"""Which facets, and which fields of facets, the specification calls deprecated."""

from __future__ import annotations

import typing
from functools import lru_cache
from typing import Any, NamedTuple

from pydantic import BaseModel

from openlineage_facets.base.lazy import load_class
from openlineage_facets.generated.registry import FACETS

__all__ = ["EACH", "Deprecated", "deprecated_in"]

EACH = "*"
"""The step of a path that stands for each item of an array or each value of a map."""


class Deprecated(NamedTuple):
    """A field, or a whole facet, that the specification calls deprecated."""

    path: tuple[str, ...]
    """Wire names from the facet down, `EACH` where all items are meant; empty for the facet itself."""
    reason: str
    """What the specification says of it, or ""."""


@lru_cache(maxsize=1)
def deprecated_in() -> dict[tuple[str, str], tuple[Deprecated, ...]]:
    """Return what is deprecated, by container and key of the facet; facets without any are left out."""
    found: dict[tuple[str, str], list[Deprecated]] = {}
    for entry in FACETS:
        facet = load_class("openlineage_facets.generated", f"{entry.module}:{entry.name}")
        paths = _of_class(facet, (), ())
        reason = getattr(facet, "__deprecated__", None)
        if reason is not None:
            paths.insert(0, Deprecated((), str(reason)))
        if paths:
            found.setdefault((entry.container, entry.key), []).extend(paths)
    return {place: tuple(paths) for place, paths in found.items()}


def _of_class(model: type[BaseModel], path: tuple[str, ...], above: tuple[type, ...]) -> list[Deprecated]:
    if model in above:
        return []  # A recursive schema says the same at every depth; the first tells enough.
    found = []
    for name, info in model.model_fields.items():
        here = (*path, info.alias or name)
        if info.deprecated:
            found.append(Deprecated(here, info.deprecation_message or ""))
        found += _of_type(info.annotation, here, (*above, model))
    return found


def _of_type(annotation: Any, path: tuple[str, ...], above: tuple[type, ...]) -> list[Deprecated]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return _of_class(annotation, path, above)
    origin = typing.get_origin(annotation)
    if isinstance(origin, type) and issubclass(origin, (dict, tuple, list)):
        path = (*path, EACH)
    return [one for part in typing.get_args(annotation) for one in _of_type(part, path, above)]
