"""Reduce a document to the smallest one that still shows a disagreement."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

from tests.oracle.mutations import spots

_TRIES = 5_000


def reduced(document: Any, shows: Callable[[Any], bool]) -> Any:
    """Return the smallest document found for which `shows` still holds.

    Args:
        document: A document for which it holds.
        shows: Whether a document shows what is to be shown.
    """
    tries = 0
    smaller = True
    while smaller:
        smaller = False
        for candidate in _smaller(document):
            tries += 1
            if tries > _TRIES:
                return document
            if shows(candidate):
                document, smaller = candidate, True
                break
    return document


def _smaller(document: Any) -> Iterator[Any]:
    """Yield what a document may be made smaller to: first without whole parts, then with plainer values."""
    count = sum(1 for _ in spots(document))
    for number in range(count):
        copy = deepcopy(document)
        holder, step = list(spots(copy))[number]
        del holder[step]
        yield copy
    for number in range(count):
        value = list(spots(document))[number].value
        inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        for plainer in (*inner, *_PLAINER.get(type(value), ())):
            if len(repr(plainer)) < len(repr(value)):
                copy = deepcopy(document)
                list(spots(copy))[number].put(deepcopy(plainer))
                yield copy


_PLAINER = {str: ("", "a", "2025-03-09T06:15:02Z"), dict: ({},), list: ([],), int: (0,), float: (0.5,)}
"""What a value of each type may be replaced by."""
