"""Wrong calls of a builder's methods, answered with the field and the remedy."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from inspect import Parameter, signature
from typing import Any

from openlineage_facets.base.errors import EventError, Finding

__all__ = ["did_you_mean", "naming_wrong_fields"]


def naming_wrong_fields(method: Callable[..., Any]) -> Callable[..., Any]:
    """Return a facet's method that names an unknown or a missing field, and what is right.

    Raises:
        EventError: As the method does, and where Python would raise a `TypeError` for its keywords.
    """

    @wraps(method)
    def composing(self: Any, *args: Any, **fields: Any) -> Any:
        try:
            return method(self, *args, **fields)
        except TypeError:
            findings = _wrong_fields(method, fields)
            if args or not findings:
                raise
        raise EventError(findings)

    return composing


def _wrong_fields(method: Callable[..., Any], fields: Iterable[str]) -> list[Finding]:
    _, *parameters = signature(method).parameters.values()
    names = [one.name for one in parameters]
    place = f"/{method.__name__}"
    unknown = [name for name in fields if name not in names]
    missing = [one.name for one in parameters if one.default is Parameter.empty and one.name not in fields]
    if unknown:
        return [
            Finding(
                f"{place}/{name}",
                "a field of this facet",
                "none of that name",
                did_you_mean(name, names),
                "OL014",
            )
            for name in unknown
        ]
    return [
        Finding(f"{place}/{name}", "a value for this required field", "none", f"add {name!r}", "OL003")
        for name in missing
    ]


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return the hint for a name that is none of `known`."""
    from difflib import get_close_matches

    names = sorted(known)
    near = names if len(names) == 1 else get_close_matches(name, names, n=1)
    return f"did you mean {near[0]!r}?" if near else f"it has {', '.join(names)}"
