"""Find what a hand-written facet class checks or changes, but its JSON Schema does not say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from openlineage_facets.base.model.spec_models import FacetModel
from openlineage_facets.base.wire.pydantic_internals import core_schema_of, is_built

_OURS = ("openlineage_facets.", "pydantic.", "pydantic_core.", "annotated_types")
"""Modules whose functions are written as keywords, or whose types are described below."""

_FORMATS = {"date": "date", "time": "time", "timedelta": "duration", "url": "uri", "multi-host-url": "uri"}
"""Types that are text of a format which validators of JSON Schema need not check."""


def unwritten_checks(cls: type[FacetModel]) -> list[str]:
    """Return one sentence for each check of a class, and of those it contains, that its schema lacks."""
    if not is_built(cls):
        cls.model_rebuild()
    schema: Any = core_schema_of(cls)
    return list(dict.fromkeys(_Search(schema).found(schema, cls.__name__)))


class _Search:
    """Search a core schema of pydantic.

    Args:
        schema: The whole schema.
    """

    def __init__(self, schema: Any) -> None:
        self._definitions = {one["ref"]: one for one in schema.get("definitions", ())}
        self._seen: set[str] = set()

    def found(self, schema: Any, place: str) -> Iterator[str]:
        """Yield the sentences about a schema; `place` is the class or the field that has it."""
        kind = schema["type"]
        if kind == "definition-ref":
            if schema["schema_ref"] not in self._seen:
                self._seen.add(schema["schema_ref"])
                yield from self.found(self._definitions[schema["schema_ref"]], place)
            return
        if "cls" in schema and kind in ("model", "dataclass", "typed-dict"):
            if schema["cls"].__module__.startswith("openlineage_facets.generated."):
                return
            place = schema["cls"].__name__
        yield from _own(schema, place)
        for name, part in schema.items():
            if name in ("definitions", "metadata", "serialization"):
                continue
            if name == "fields" and kind != "dataclass":  # Which lists only their names.
                fields = part.items() if isinstance(part, Mapping) else ((one["name"], one) for one in part)
                for field, one in fields:
                    yield from self.found(one["schema"], f"{place}.{field}")
            elif isinstance(part, dict) and "type" in part:
                yield from self.found(part, place)
            elif name in ("choices", "items_schema", "steps"):
                choices = part.values() if isinstance(part, Mapping) else part
                for one in choices:
                    yield from self.found(one[0] if isinstance(one, tuple) else one, place)


def _own(schema: Any, place: str) -> Iterator[str]:
    """Yield the sentences about a schema itself, without those about its parts."""
    kind = schema["type"]
    if kind.startswith("function-"):
        name = _users_function(schema["function"]["function"], place)
        if name:
            yield f"JSON Schema cannot express the validator {name}"
    serializer = schema.get("serialization", {}).get("function")
    if serializer is not None:
        name = _users_function(serializer, place)
        if name:
            yield f"{name} may write another form than the schema describes"
    if kind == "decimal":
        digits = [name for name in ("max_digits", "decimal_places") if name in schema]
        if digits:
            yield f"JSON Schema cannot express {' and '.join(digits)} of {place}"
        if "le" in schema or "lt" in schema or schema.get("ge") or schema.get("gt"):  # A sign expresses 0.
            yield f"JSON Schema cannot express the bounds of {place} for text"
    if kind in _FORMATS:
        yield f"validators need not check the format {_FORMATS[kind]!r} of {place}; a pattern enforces it"


def _users_function(function: Any, place: str) -> str:
    """Return the name of a user's function with its class or field, "" for one of ours or of pydantic."""
    while isinstance(function, partial):
        function = function.func
    module = getattr(function, "__module__", None) or ""
    if f"{module}.".startswith(_OURS):
        return ""
    name = getattr(function, "__name__", type(function).__name__)
    owner = place.partition(".")[0]
    is_method = f"{owner}." in getattr(function, "__qualname__", "")
    return f"{owner}.{name}" if is_method else f"{name} of {place}"
