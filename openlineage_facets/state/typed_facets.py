"""Parse canonical JSON into typed facets."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from openlineage_facets.base.containers.facet_map import FacetMap
from openlineage_facets.base.containers.registered_facets import forget_on_registration
from openlineage_facets.base.errors.json_pointer import json_pointer
from openlineage_facets.base.wire.pydantic_internals import declared_fields

__all__ = ["is_tombstone", "read_facets"]

C = TypeVar("C", bound=FacetMap[Any])


def read_facets(container: type[C], values: Mapping[str, str], pointer: str) -> tuple[C, dict[str, Any]]:
    """Parse facets into their typed container, without tombstones of jobs and datasets.

    Args:
        container: The class of the container.
        values: Canonical JSON of each facet by facet key.
        pointer: JSON Pointer to the facets.

    Returns:
        The container, and the invalid facets as plain JSON by JSON Pointer.
    """
    # Facets of runs, inputs and outputs cannot be deleted; `_deleted` is an unknown field there.
    permanent = "deleted" not in declared_fields(container._base_facet())
    current = {key: value for key, value in sorted(values.items()) if permanent or not is_tombstone(value)}
    adapter = _adapter(container)
    try:
        return adapter.validate_json(_object_of(current)), {}
    except ValidationError:
        pass
    invalid = {key: value for key, value in current.items() if not _is_valid(adapter, key, value)}
    valid = {key: value for key, value in current.items() if key not in invalid}
    invalid_json = {f"{pointer}{json_pointer([key])}": json.loads(value) for key, value in invalid.items()}
    return adapter.validate_json(_object_of(valid)), invalid_json


def is_tombstone(value: str) -> bool:
    """Return whether a facet of a job or dataset, in canonical JSON, is a tombstone."""
    if '"_deleted":true' not in value:
        return False
    facet = json.loads(value)
    return isinstance(facet, dict) and facet.get("_deleted") is True


def _is_valid(adapter: TypeAdapter[C], key: str, value: str) -> bool:
    try:
        adapter.validate_json(_object_of({key: value}))
    except ValidationError:
        return False
    return True


def _object_of(values: Mapping[str, str]) -> str:
    return "{" + ",".join(f"{json.dumps(key)}:{value}" for key, value in values.items()) + "}"


@cache
def _adapter(container: type[C]) -> TypeAdapter[C]:
    return TypeAdapter(container)


forget_on_registration(_adapter.cache_clear)
