"""The facets and fields that the specification marks as deprecated."""

from __future__ import annotations

import typing
from functools import lru_cache
from typing import Any, NamedTuple

from pydantic import BaseModel

from openlineage_facets.base.lazy_imports import load_class
from openlineage_facets.base.wire.pydantic_internals import declared_fields
from openlineage_facets.generated.registry import FACETS

__all__ = ["EACH", "Deprecated", "deprecated_in"]

EACH = "*"
"""The step of a path that matches each item of an array or each value of a map."""


class Deprecated(NamedTuple):
    """A deprecated field, or a deprecated facet."""

    path: tuple[str, ...]
    """Wire names from the facet down, `EACH` for all items of an array or map; empty for the facet."""
    reason: str
    """The reason from the specification, or ""."""


@lru_cache(maxsize=1)
def deprecated_in() -> dict[tuple[str, str], tuple[Deprecated, ...]]:
    """Return deprecated fields by container and facet key."""
    found: dict[tuple[str, str], list[Deprecated]] = {}
    for entry in FACETS:
        facet = load_class("openlineage_facets.generated", f"{entry.module}:{entry.name}")
        paths = _of_class(facet, (), ())
        reason = getattr(facet, "__deprecated__", None)
        if reason is not None:
            paths.insert(0, Deprecated((), str(reason)))
        if paths:
            found.setdefault((entry.container, entry.key), []).extend(paths)
    return {location: tuple(paths) for location, paths in found.items()}


def _of_class(model: type[BaseModel], path: tuple[str, ...], above: tuple[type, ...]) -> list[Deprecated]:
    if model in above:
        return []  # Recursive: the fields are the same at every depth.
    found = []
    for name, info in declared_fields(model).items():
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
