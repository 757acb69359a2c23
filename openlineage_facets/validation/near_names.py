"""Which name was meant by one that is nearly it."""

from __future__ import annotations

from collections.abc import Iterable

from openlineage_facets.base.name_suggestions import folded

__all__ = ["similar_name"]


def similar_name(name: str, known: Iterable[str]) -> str | None:
    """Return the one of the `known` names that `name` misspells, None where it is near none of them.

    Case and separators do not count. Beyond that, one letter may be wrong, missing, surplus or swapped
    with its neighbour, or two in a long name; in a name of three letters, one may be surplus.

    Example:
        >>> similar_name("event_tmie", ["eventTime", "eventType"])
        'eventTime'
    """
    plain = folded(name)
    best, least = None, 3
    for other in known:
        candidate = folded(other)
        allowed = (len(plain) == 4) if len(candidate) < 4 else 1 if len(candidate) < 9 else 2
        if other != name and abs(len(candidate) - len(plain)) <= allowed:
            edits = 0 if candidate == plain else _edits(plain, candidate)
            if edits <= allowed and edits < least:
                best, least = other, edits
    return best


def _edits(one: str, other: str) -> int:
    """Count the letters to change, insert, take out or swap that make `other` of `one`."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, left in enumerate(one, 1):
        earlier, before, row = before, row, [i]
        for j, right in enumerate(other, 1):
            least = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (left != right))
            if i > 1 and j > 1 and left == other[j - 2] and one[i - 2] == right:
                least = min(least, earlier[j - 2] + 1)
            row.append(least)
    return row[-1]
