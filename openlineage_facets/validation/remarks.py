"""Warnings about what the schema allows and the author hardly meant: misspelt fields, URIs that are none."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

from openlineage_facets.base.errors import Finding, json_pointer, shown
from openlineage_facets.validation.shapes import Shape, Way
from openlineage_facets.validation.uris import is_uri

__all__ = ["remarks"]

_URI, _OBJECT, _LIST, _MAP, _FACETS = Way.URI, Way.OBJECT, Way.LIST, Way.MAP, Way.FACETS
"""Looked up once, and not for each field of each event."""

_Path: TypeAlias = "tuple[Any, str | int] | None"
"""The way to a value, innermost step last; spelled out only where there is something to say."""


def remarks(shape: Shape, value: dict[str, Any]) -> list[Finding]:
    """Return warnings about an object and all that its classes know inside it.

    Args:
        shape: What its classes know of it.
        value: The object; it need not be valid.
    """
    found: list[Finding] = []
    _look_at(shape, value, None, found)
    return found


def _look_at(shape: Shape, value: dict[str, Any], path: _Path, found: list[Finding]) -> None:
    keys = tuple(value)
    plan = shape.plans.get(keys)
    if plan is None:
        plan = shape.plan(keys)
    for name, way, inside in plan:
        below = value[name]
        if way is _URI:
            if type(below) is str and not is_uri(below):
                found.append(_no_uri(path, name, below))
        elif way is _OBJECT:
            if type(below) is dict:
                _look_at(inside, below, (path, name), found)
        elif way is _LIST:
            if type(below) is list:
                _look_at_each(inside, enumerate(below), (path, name), found)
        elif way is _MAP:
            if type(below) is dict:
                _look_at_each(inside, below.items(), (path, name), found)
        elif way is _FACETS:
            if type(below) is dict:
                for key, facet in below.items():
                    if type(facet) is dict:
                        _look_at(inside.of(key), facet, ((path, name), key), found)
        else:
            found.append(_misspelt(path, name, inside))


def _look_at_each(
    shape: Shape, entries: Iterable[tuple[str | int, Any]], path: _Path, found: list[Finding]
) -> None:
    looked: set[tuple[str, ...]] = set()
    every = shape.holds_uri
    for step, entry in entries:
        if type(entry) is dict:
            # Rows of the same keys come from the same code: the first one tells how it spells them.
            keys = tuple(entry)
            if every or keys not in looked:
                looked.add(keys)
                _look_at(shape, entry, (path, step), found)


def _misspelt(path: _Path, name: str, meant: str) -> Finding:
    place = json_pointer([*_steps(path), name])
    hint = f"write {meant!r}, if that is what it means"
    return Finding(place, f"the field {meant!r}", repr(name), hint, "OL017", "warning")


def _no_uri(path: _Path, name: str, text: str) -> Finding:
    place = json_pointer([*_steps(path), name])
    hint = "start it with its scheme, such as https:" if ":" not in text else "escape what no URI may hold"
    return Finding(place, "a URI (RFC 3986)", shown(text), hint, "OL016", "warning")


def _steps(path: _Path) -> list[str | int]:
    steps: list[str | int] = []
    while path is not None:
        path, step = path
        steps.append(step)
    return steps[::-1]
