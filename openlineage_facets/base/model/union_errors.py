"""Choose the errors to report of a union: pydantic reports those of every branch, and most do not matter."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from openlineage_facets.base.model.tombstones import TOMBSTONE

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

_Union = tuple[tuple[str | int, ...], tuple[str, ...]]
"""A union: the steps to its location, and the branches of the enclosing unions at the same location."""


@dataclass(frozen=True)
class LocatedError:
    """A pydantic error with its location split.

    Attributes:
        steps: The keys and indexes that lead into the document.
        branches: The unions on the way, outermost first, and which branch of each failed.
        detail: The error.
    """

    steps: tuple[str | int, ...]
    branches: tuple[tuple[_Union, str], ...]
    detail: ErrorDetails


def likeliest_errors(details: Iterable[ErrorDetails], document: Any) -> Iterator[list[LocatedError]]:
    """Yield related errors together, without those of unlikely union branches.

    If each branch of a union expects another type, their errors are one group. Otherwise only the
    errors of the closest branch are kept: without a wrong constant, then with the fewest errors.

    Args:
        details: The errors.
        document: The validated value, in the wire format. It distinguishes the steps of an error's
            location that are keys and indexes from those that name a union branch.
    """
    located = [_located(detail, document) for detail in details]
    kept = _kept_branches(located, document)
    groups: dict[tuple[tuple[str | int, ...], int | None], list[LocatedError]] = {}
    for number, error in enumerate(located):
        if all(branch in kept[union] for union, branch in error.branches):
            joined = any(union[0] == error.steps and len(kept[union]) > 1 for union, _ in error.branches)
            groups.setdefault((error.steps, None if joined else number), []).append(error)
    yield from groups.values()


def _located(detail: ErrorDetails, document: Any) -> LocatedError:
    steps: list[str | int] = []
    branches: list[tuple[_Union, str]] = []
    value = document
    location = detail["loc"]
    for position, step in enumerate(location):
        inside = _inside(value, step)
        if inside is not _NOTHING:
            value = inside
        elif isinstance(step, int) and isinstance(value, BaseModel):
            # A single value instead of a list: pydantic iterated over its fields.
            detail = {**detail, "type": "tuple_type", "input": value}
            break
        elif position < len(location) - 1 or detail["type"] != "missing":
            # Not a step into the document: the name of a union branch, or of an invalid key.
            around = tuple(branch for (place, _), branch in branches if place == tuple(steps))
            branches.append(((tuple(steps), around), str(step)))
            continue
        steps.append(step)
    return LocatedError(tuple(steps), tuple(branches), detail)


_NOTHING = object()


def _inside(value: Any, step: str | int) -> Any:
    """Return the part of `value` at `step`, or `_NOTHING`."""
    if isinstance(value, Mapping):
        return value.get(step, _NOTHING)
    if isinstance(value, (list, tuple)):
        if isinstance(step, int):
            return value[step] if step < len(value) else _NOTHING
        # Composed facets are given in a list, and located by facet key.
        return next((facet for facet in value if getattr(facet, "__facet_key__", None) == step), _NOTHING)
    if isinstance(step, int) and isinstance(value, (Set, deque)):
        return next(islice(value, step, None), _NOTHING)  # Composing accepts it as a list.
    return _NOTHING


def _kept_branches(located: Iterable[LocatedError], document: Any) -> dict[_Union, set[str]]:
    """Return the branches of each union whose errors are reported."""
    unions: dict[_Union, dict[str, list[LocatedError]]] = {}
    for error in located:
        for union, branch in error.branches:
            unions.setdefault(union, {}).setdefault(branch, []).append(error)
    kept: dict[_Union, set[str]] = {}
    for union, branches in unions.items():
        present = {branch: errors for branch, errors in branches.items() if branch != TOMBSTONE} or branches
        if TOMBSTONE in branches and _is_deleted(document, union[0]):
            kept[union] = {TOMBSTONE}
        elif all(len(errors) == 1 and errors[0].steps == union[0] for errors in present.values()):
            kept[union] = set(present)
        else:
            kept[union] = {min(present, key=lambda branch: _distance(present[branch]))}
    return kept


def _is_deleted(document: Any, steps: Iterable[str | int]) -> bool:
    """Return whether the facet at `steps` is a tombstone."""
    value = document
    for step in steps:
        value = _inside(value, step)
    return isinstance(value, Mapping) and value.get("_deleted") is True


def _distance(errors: list[LocatedError]) -> tuple[bool, int]:
    """Return how far a union branch was from matching."""
    return any(error.detail["type"] == "literal_error" for error in errors), len(errors)
