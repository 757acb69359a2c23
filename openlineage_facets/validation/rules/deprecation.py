"""Rule for deprecated facets and fields."""

from __future__ import annotations

import typing
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from pydantic import BaseModel

from openlineage_facets.base.errors.findings import Finding
from openlineage_facets.base.errors.json_pointer import json_pointer
from openlineage_facets.base.lazy_imports import load_class
from openlineage_facets.base.wire.pydantic_internals import declared_fields
from openlineage_facets.generated.registry import FACETS
from openlineage_facets.validation.event_document import Facet
from openlineage_facets.validation.rule import facet_rule

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


@facet_rule(
    "OL306",
    "Deprecated facet or field",
    see="https://openlineage.io/docs/spec/facets/",
    keys=sorted({key for _, key in deprecated_in()}),
    cached=True,
)
def deprecated(facet: Facet) -> Iterator[Finding]:
    """The specification marks this facet or field as deprecated. Consumers may stop reading it.

    The hint repeats what the specification recommends instead.
    """
    for path, reason in deprecated_in().get((facet.container, facet.key), ()):
        if not _is_present(facet.value, path):
            continue
        for pointer in _present(facet.value, path):
            yield Finding(
                pointer,
                "no deprecated facet or field",
                f"'{path[-1] if path else facet.key}'",
                reason[:1].lower() + reason[1:].rstrip("."),
            )


def _is_present(value: Any, path: tuple[str, ...]) -> bool:
    """Return whether `path` matches anything. Works level by level, which is much faster than `_present`."""
    level = [value]
    for step in path:
        if step == EACH:
            level = [
                item
                for value in level
                if isinstance(value, (dict, list))
                for item in (value.values() if isinstance(value, dict) else value)
            ]
        else:
            level = [value[step] for value in level if isinstance(value, dict) and step in value]
    return bool(level)


def _present(value: Any, path: tuple[str, ...]) -> Iterator[str]:
    """Yield a pointer to each value that `path` matches."""
    if not path:
        yield ""
    elif path[0] != EACH:
        if isinstance(value, dict) and path[0] in value:
            yield from (json_pointer(path[:1]) + rest for rest in _present(value[path[0]], path[1:]))
    elif isinstance(value, (dict, list)):
        for step, item in value.items() if isinstance(value, dict) else enumerate(value):
            for rest in _present(item, path[1:]):
                yield json_pointer((step,)) + rest
