"""Rule for deprecated facets and fields."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from openlineage_facets.base.errors.findings import Finding
from openlineage_facets.base.errors.json_pointer import json_pointer
from openlineage_facets.validation.deprecated_fields import EACH, deprecated_in
from openlineage_facets.validation.event_document import Facet
from openlineage_facets.validation.rule import facet_rule


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
