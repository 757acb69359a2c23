"""Tombstones: facets with `_deleted: true`, which have only the fields of their base facet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic_core import from_json

from openlineage_facets.base.wire.pydantic_internals import declared_fields

if TYPE_CHECKING:
    from pydantic import BaseModel


TOMBSTONE = "tombstone"
"""The union branch of a tombstone in the schema of a facet key.

Its errors are reported only for facets with `_deleted: true`.
"""


def is_deleted(facet: BaseModel) -> bool:
    """Return whether a facet is a tombstone."""
    return (
        facet.__dict__.get("deleted") is True and declared_fields(type(facet))["deleted"].alias == "_deleted"
    )


def is_tombstone(facet: str) -> bool:
    """Return whether a facet of a job or dataset, in canonical JSON, is a tombstone."""
    if '"_deleted":true' not in facet:
        return False
    value = from_json(facet)
    return isinstance(value, dict) and value.get("_deleted") is True
