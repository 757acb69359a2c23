"""Hypothesis strategies for the arguments of every generated class, from its annotations."""

from __future__ import annotations

import types
import typing
from datetime import datetime, timedelta, timezone
from enum import Enum
from functools import cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from annotated_types import Ge
from hypothesis import strategies as st
from pydantic.fields import FieldInfo

from openlineage_facets.base.containers.facet_map import FacetMap
from openlineage_facets.base.containers.known_facets import FacetSlot
from openlineage_facets.base.model.model import Model
from openlineage_facets.base.times.timestamp import Timestamp
from openlineage_facets.base.wire.types import Json, Number, UuidText
from openlineage_facets.generated.open_lineage import Dataset, Job
from tests.oracle.schemas import DOCUMENTS

Strategy = st.SearchStrategy[Any]

TEXT = st.text(st.characters(codec="utf-8"), max_size=12)
FINITE = st.floats(allow_nan=False, allow_infinity=False)
JSON: Strategy = st.recursive(
    st.none() | st.booleans() | st.integers() | FINITE | TEXT,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXT, inner, max_size=2),
    max_leaves=4,
)
OFFSETS = st.integers(-23 * 60 - 59, 23 * 60 + 59).map(lambda minutes: timezone(timedelta(minutes=minutes)))
MOMENTS = st.datetimes(min_value=datetime(2, 1, 1), max_value=datetime(9998, 12, 31), timezones=OFFSETS)

_JSON_MARK, _NUMBER_MARK, _UUID_MARK = (get_args(alias)[1] for alias in (Json, Number, UuidText))
_SCALARS: dict[Any, Strategy] = {
    str: TEXT,
    int: st.integers(0, 2**63) | st.integers(0, 1000).map(float),
    bool: st.booleans(),
    Timestamp: MOMENTS | MOMENTS.map(datetime.isoformat),
    Any: JSON,
    type(None): st.none(),
}


@cache
def composed(cls: type[Model], depth: int = 3) -> Strategy:
    """Return values of `cls`, made by its constructor from arguments by Python name.

    Args:
        cls: A generated class.
        depth: How many levels of optional values may nest below it.
    """
    return arguments(cls, depth).map(lambda fields: cls(**fields))


@cache
def arguments(cls: type[Model], depth: int = 3) -> Strategy:
    """Return arguments for the constructor of `cls`, some optional ones left out or None."""
    required: dict[str, Strategy] = {}
    optional: dict[str, Strategy] = {}
    hints = typing.get_type_hints(cls, include_extras=True)
    for name, field in cls.model_fields.items():
        if name in ("producer", "schema_url", "deleted"):
            continue
        if name in ("namespace", "name") and issubclass(cls, (Dataset, Job)):
            required[name] = TEXT.filter(bool)
        elif field.is_required() and field.alias != "eventTime":
            required[name] = _of(hints[name], depth - 1)
        elif depth > 0:
            optional[name] = st.none() | _of(hints[name], depth - 1)
    return st.fixed_dictionaries(required, optional=optional).map(lambda fields: _together(cls, fields))


@cache
def _dependent_required(cls: type[Model]) -> dict[str, list[str]]:
    """Return the fields that the definition of a class requires together."""
    return {
        name: needed
        for schema in DOCUMENTS.values()
        for name, needed in schema["$defs"].get(cls.__name__, {}).get("dependentRequired", {}).items()
    }


def _together(cls: type[Model], fields: dict[str, Any]) -> dict[str, Any]:
    """Leave out what would need another field that is not given."""
    for name, needed in _dependent_required(cls).items():
        if any(fields.get(other) is None for other in needed):
            fields.pop(name, None)
    return fields


@cache
def _contains_itself(cls: type[Model]) -> bool:
    """Return whether every value of `cls` requires another one, as a binary condition does."""
    reached: set[Any] = set()
    pending = [cls]
    while pending:
        hints = typing.get_type_hints(current := pending.pop(), include_extras=True)
        required = (hints[name] for name, field in current.model_fields.items() if field.is_required())
        found = {part for hint in required for part in _classes_of(hint)} - reached
        reached |= found
        pending.extend(found)
    return cls in reached


def _classes_of(hint: Any) -> list[type[Model]]:
    """Return the classes of which a value of `hint` is one."""
    if get_origin(hint) is Annotated:
        return _classes_of(get_args(hint)[0])
    if get_origin(hint) in (Union, types.UnionType):
        return [cls for part in get_args(hint) for cls in _classes_of(part)]
    return [hint] if isinstance(hint, type) and issubclass(hint, Model) else []


def _of(hint: Any, depth: int) -> Strategy:
    """Return values that composing takes for a field annotated `hint`."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _marked(parts[0], parts[1:], depth)
    if origin in (Union, types.UnionType):
        endless = [
            part for part in parts if depth <= 0 and part in _classes_of(part) and _contains_itself(part)
        ]
        return st.one_of([_of(part, depth) for part in parts if part not in [type(None), *endless]])
    if origin is Literal:
        return st.sampled_from(parts)
    if origin is tuple:
        return st.lists(_of(parts[0], depth), max_size=2 if depth > 0 else 0)
    if origin is dict:
        return st.dictionaries(TEXT, _of(parts[1], depth), max_size=2 if depth > 0 else 0)
    if isinstance(origin or hint, type) and issubclass(origin or hint, FacetMap):
        return st.just([]) if depth <= 0 or origin else _facets(hint, depth)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return st.sampled_from(hint) | st.sampled_from([member.value for member in hint])
    if isinstance(hint, type) and issubclass(hint, Model):
        return composed(hint, depth)
    return _SCALARS[hint]


def _marked(hint: Any, marks: tuple[Any, ...], depth: int) -> Strategy:
    if _UUID_MARK in marks:
        return st.uuids() | st.uuids().map(str) | st.uuids().map(lambda one: str(one).upper())
    if _NUMBER_MARK in marks:
        return st.integers(0, 2**63) | FINITE.filter(lambda number: number >= 0)
    if _JSON_MARK in marks:
        return JSON
    values = _of(hint, depth)
    for mark in marks:
        for bound in mark.metadata if isinstance(mark, FieldInfo) else ():
            if not isinstance(bound, Ge):
                raise NotImplementedError(f"no strategy knows the constraint {bound!r}")
            values = values.filter(lambda value, least=bound.ge: value >= least)
    return values


def _facets(container: type[FacetMap[Any]], depth: int) -> Strategy:
    """Return some of the known facets of a container, in a list."""
    slots = [slot for slot in vars(container).values() if isinstance(slot, FacetSlot)]
    return st.lists(st.sampled_from(slots), max_size=2, unique=True).flatmap(
        lambda chosen: st.tuples(*(composed(slot.facet_class, depth - 1) for slot in chosen)).map(list)
    )
