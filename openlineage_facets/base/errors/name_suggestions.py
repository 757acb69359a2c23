"""Suggest the name that was probably meant, and the class for an object of openlineage-python."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from importlib import import_module
from itertools import takewhile
from typing import Any

from openlineage_facets.base.errors.findings import is_client_object

_SEPARATORS = re.compile(r"[\W_]+")


def normalized(name: str) -> str:
    """Return a name without case and separators: `jobType` and `job_type` are both `jobtype`."""
    return _SEPARATORS.sub("", name.casefold())


def similar_name(name: str, known: Iterable[str]) -> str | None:
    """Return the name in `known` that `name` misspells, or None.

    Case and separators are ignored. In addition, one letter may be wrong, missing, extra or swapped with the
    next one, or two letters in a name of nine or more; in a name of three letters, only one extra letter.

    Example:
        >>> similar_name("event_tmie", ["eventTime", "eventType"])
        'eventTime'
    """
    plain = normalized(name)
    matches: list[tuple[int, int, str]] = []
    for other in known:
        candidate = _normalized_known(other)
        allowed = (len(plain) == 4) if len(candidate) < 4 else 1 if len(candidate) < 9 else 2
        if other != name and abs(len(candidate) - len(plain)) <= allowed:
            edits = 0 if candidate == plain else _edits(plain, candidate, allowed)
            if edits <= allowed:
                # Related names share their beginning, such as eventTime and eventType: the end decides.
                matches.append((edits, -_common_ending(plain, candidate), other))
    return min(matches, key=lambda match: match[:2])[2] if matches else None


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return the hint for a name that is not in `known`: the name that was meant, or else the list of all.

    Example:
        >>> did_you_mean("nominal_start", ["nominal_start_time", "nominal_end_time"])
        "did you mean 'nominal_start_time'?"
    """
    names = sorted(known)
    longer = [other for other in names if normalized(other).startswith(normalized(name))]
    only = next((candidates[0] for candidates in (names, longer) if len(candidates) == 1), None)
    meant = only or similar_name(name, names)
    return f"did you mean {meant!r}?" if meant is not None else f"it has {', '.join(names)}"


_normalized_known = lru_cache(maxsize=1_024)(normalized)
"""The names of fields and facets are compared with every unknown name."""


def _common_ending(one: str, other: str) -> int:
    """Return the number of letters at the end of `one` that are also the last ones of `other`."""
    pairs = zip(reversed(one), reversed(other), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _edits(one: str, other: str, most: int) -> int:
    """Return the number of letters to change, insert, remove or swap to turn `one` into `other`.

    Args:
        one: A name.
        other: Another name.
        most: The largest number of interest. If more edits are needed, any larger number is returned.
    """
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, left in enumerate(one, 1):
        earlier, before, row = before, row, [i] + [most + 1] * len(other)
        # Letters further apart than `most` cannot correspond, so most of the table is not needed.
        for j in range(max(1, i - most), min(len(other), i + most) + 1):
            right = other[j - 1]
            least = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (left != right))
            if i > 1 and j > 1 and left == other[j - 2] and one[i - 2] == right:
                least = min(least, earlier[j - 2] + 1)
            row[j] = least
        if min(row) > most and min(before) > most - 1:
            break
    return row[-1]


def own_class_hint(value: Any, name: str) -> str:
    """Return the hint for an object of openlineage-python in an event that is composed here, "" for others.

    Args:
        value: The object.
        name: The class to use instead, if it is known.
    """
    if not is_client_object(value):
        return ""
    name = _name_in_module(type(value)) or name
    return (
        f"use {f'the {name}' if name else 'a class'} of openlineage_facets, or parse_event for whole events"
    )


def _name_in_module(client_class: type) -> str:
    """Return the name of our class for a part of a facet, such as `facets.parent_run.Run`, "" for others.

    Our modules of facets have the names that those of the client have. Several have a class such as `Run`.
    """
    from importlib.util import find_spec  # Needed for an error only, and a package more to load.

    module = f"openlineage_facets.generated.{client_class.__module__.rpartition('.')[2]}"
    name = client_class.__name__
    if name.endswith("Facet") or find_spec(module) is None or not hasattr(import_module(module), name):
        return ""
    return f"facets.{module.rpartition('.')[2]}.{name}"
