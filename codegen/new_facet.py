"""Create the JSON Schema of a new custom facet that follows the naming rules of the specification."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

BASES = {
    "run": "RunFacet",
    "job": "JobFacet",
    "dataset": "DatasetFacet",
    "input": "InputDatasetFacet",
    "output": "OutputDatasetFacet",
}
"""The base facet of each entity."""

_LONGEST_FIRST = sorted(BASES.values(), key=len, reverse=True)


def base_of(name: str) -> str | None:
    """Return the base facet that a name ends in, None for no base facet of an entity."""
    return next((base for base in _LONGEST_FIRST if name.endswith(base)), None)


def class_of(name: str, base: str) -> str:
    """Return the class of a facet: `AcmeCost` with the base `RunFacet` is `AcmeCostRunFacet`."""
    return name if name.endswith(base) else f"{name.removesuffix('Facet')}{base}"


def split_name(name: str, prefix: str | None) -> tuple[str, str]:
    """Return the prefix and the rest of a name such as `AcmeCost`.

    Args:
        name: The name.
        prefix: The prefix, None for the first word.

    Raises:
        ValueError: The name is not a prefix and another word in PascalCase.
    """
    if not re.fullmatch(r"[A-Z][0-9A-Za-z]*", name):
        raise ValueError(f"expected a name in PascalCase such as AcmeCost, found {name!r}")
    is_given = prefix is not None
    if prefix is None:
        prefix = re.match(r"[A-Z]+(?![a-z])|[A-Z][a-z0-9]*", name)[0]  # type: ignore[index]
    rest = name[len(prefix) :]
    if not name.lower().startswith(prefix.lower()) or not re.match(r"[A-Z0-9]", rest):
        fix = f"start it with {prefix.capitalize()}, the prefix" if is_given else "pass --prefix"
        raise ValueError(f"expected a prefix and a name such as AcmeCost, found {name!r}; {fix}")
    return prefix, rest


def key_of(name: str, prefix: str | None) -> str:
    """Return the facet key of a name: `AcmeCost` is `acme_cost`, `AcmeCloudCost` is `acme_cloudCost`.

    Raises:
        ValueError: The name is not a prefix and another word in PascalCase.
    """
    first, rest = split_name(name, prefix)
    word = re.match(r"[A-Z0-9]+(?![a-z])|[A-Z]", rest)
    head = word[0] if word else ""
    return f"{first.lower()}_{head.lower()}{rest[len(head) :]}"


_DESCRIPTION = "Describe {} in one sentence."


def is_placeholder(description: object) -> bool:
    """Return whether a description is that of a new schema, not edited yet."""
    before, after = _DESCRIPTION.split("{}")
    return isinstance(description, str) and description.startswith(before) and description.endswith(after)


def new_schema(
    name: str, entity: str, core_id: str, id_base: str, prefix: str | None = None
) -> Mapping[str, Any]:
    """Return the schema of a new facet, in version 1-0-0.

    Args:
        name: The prefix and the name, such as `AcmeCost`.
        entity: One of the keys of `BASES`.
        core_id: The `$id` of the core document.
        id_base: The URL below which the schemas are published.
        prefix: The prefix, if it is not the first word of the name.

    Raises:
        ValueError: The name is not a prefix and another word in PascalCase.
    """
    base = BASES[entity]
    name = name.removesuffix(base).removesuffix("Facet")
    cls = class_of(name, base)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"{id_base.rstrip('/')}/1-0-0/{cls}.json",
        "$defs": {
            cls: {
                "description": _DESCRIPTION.format(cls),
                "type": "object",
                "allOf": [{"$ref": f"{core_id}#/$defs/{base}"}, {"type": "object", "properties": {}}],
            }
        },
        "type": "object",
        "properties": {key_of(name, prefix): {"$ref": f"#/$defs/{cls}"}},
    }
