"""What a finding is about, and where, in words that stay the same from one check to the next."""

from __future__ import annotations

from typing import Any

from openlineage_facets.base.credentials import without_secrets
from openlineage_facets.base.errors import json_pointer
from openlineage_facets.validation.pointers import steps_of, value_at

__all__ = ["about_place", "named", "tellable_place"]


def about_place(document: dict[str, Any], pointer: str) -> str:
    """Return the job of an event, and the dataset that `pointer` leads into."""
    parts = [_name(document.get("job"))]
    steps = steps_of(pointer)
    if steps and steps[0] in ("inputs", "outputs"):
        parts.append(_name(value_at(document, steps[:2])))
    elif steps and "dataset" in document:
        parts.append(_name(document["dataset"]))
    return " ".join(part for part in parts if part)


def tellable_place(pointer: str) -> str:
    """Return a JSON Pointer without the passwords that keys on the way may hold."""
    return json_pointer(map(without_secrets, steps_of(pointer)))


def named(namespace: object, name: object) -> str:
    """Return namespace and name of a job or dataset, as far as they are text, without passwords."""
    return " ".join(without_secrets(part) for part in (namespace, name) if isinstance(part, str) and part)


def _name(entity: Any) -> str:
    return named(entity.get("namespace"), entity.get("name")) if isinstance(entity, dict) else ""
