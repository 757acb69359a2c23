"""What the specification would rather not see any more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from openlineage_facets.base.errors import Finding, json_pointer
from openlineage_facets.validation.deprecated_fields import EACH, deprecated_in
from openlineage_facets.validation.document import Facet
from openlineage_facets.validation.rule import facet_rule


@facet_rule(
    "OL306",
    "A deprecated facet or field",
    see="https://openlineage.io/docs/spec/facets/",
    keys=sorted({key for _, key in deprecated_in()}),
)
def deprecated(facet: Facet) -> Iterator[Finding]:
    """The specification keeps what it has replaced for a while and marks it as deprecated, with a word on
    what to use instead. New events use that; readers may stop to look at the old.
    """
    for path, reason in deprecated_in().get((facet.container, facet.key), ()):
        if not _is_present(facet.value, path):
            continue
        for pointer in _present(facet.value, path):
            yield Finding(
                pointer,
                "nothing that is deprecated",
                f"'{path[-1] if path else facet.key}'",
                reason[:1].lower() + reason[1:].rstrip("."),
            )


def _is_present(value: Any, path: tuple[str, ...]) -> bool:
    """Tell whether `path` leads anywhere: level by level, which is much faster than place by place."""
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
    """Yield a pointer to each place that `path` leads to and where something stands."""
    if not path:
        yield ""
    elif path[0] != EACH:
        if isinstance(value, dict) and path[0] in value:
            yield from (json_pointer(path[:1]) + rest for rest in _present(value[path[0]], path[1:]))
    elif isinstance(value, (dict, list)):
        for step, item in value.items() if isinstance(value, dict) else enumerate(value):
            for rest in _present(item, path[1:]):
                yield json_pointer((step,)) + rest
