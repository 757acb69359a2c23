"""Findings instead of a `TypeError` for unknown and missing arguments of a builder's methods."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from inspect import Parameter, signature
from typing import Any

from openlineage_facets.base.errors.findings import EventError, Finding, missing_field, unknown_field
from openlineage_facets.base.errors.name_suggestions import did_you_mean

__all__ = ["with_argument_findings"]


def with_argument_findings(method: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a builder's method: unknown and missing keyword arguments raise `EventError`.

    Raises:
        EventError: The method raised it, or an argument is unknown or missing.
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
        facet = f"the facet {method.__name__!r}"
        return [unknown_field(f"{place}/{name}", name, facet, did_you_mean(name, names)) for name in unknown]
    return [missing_field(f"{place}/{name}", name) for name in missing]
