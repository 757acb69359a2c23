"""Values that cannot be written as JSON any more, because something mutable in them was changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from openlineage_facets.base.errors.findings import EventError, Finding
from openlineage_facets.base.json.json_input import nesting_finding
from openlineage_facets.base.model.field_names import wire_names
from openlineage_facets.base.wire.lazy_items import LazyItems
from openlineage_facets.base.wire.pydantic_internals import unknown_fields


def unwritable(value: BaseModel, error: Exception) -> Exception:
    """Return the error to raise for a value that pydantic cannot write.

    Args:
        value: The value.
        error: The error of pydantic.
    """
    finding: Finding | None = nesting_finding(_parts(value), None)
    return error if finding is None else EventError([finding])


def _parts(value: BaseModel) -> dict[str, Any]:
    """Return the fields of a value by wire name, those of values in it likewise."""
    is_ours = hasattr(value, "__wire_serializer__")
    names = wire_names(type(value)) if is_ours else dict.fromkeys(type(value).model_fields)
    held = {names[name] or name: part for name, part in value.__dict__.items() if name in names}
    return {key: _part(part) for key, part in {**held, **(unknown_fields(value) or {})}.items()}


def _part(part: Any) -> Any:
    if isinstance(part, LazyItems):
        return part.plain  # No one else can change it.
    if isinstance(part, BaseModel):
        return _parts(part)
    if isinstance(part, Mapping) and not isinstance(part, dict):  # Facets by key.
        return {key: _part(member) for key, member in part.items()}
    return tuple(map(_part, part)) if isinstance(part, tuple) else part
