"""Strategies for valid events, facets and every other class of the specification."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, TypeAlias, TypeVar, overload

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from pydantic import BaseModel

from openlineage_facets.base.containers import FacetMap
from openlineage_facets.base.entities import FacetModel
from openlineage_facets.base.model import Model
from openlineage_facets.generated import containers
from openlineage_facets.generated.open_lineage import DatasetEvent, JobEvent, RunEvent
from openlineage_facets.parsing import Event
from openlineage_facets.testing.strategies.kinds import Facets, fields_of
from openlineage_facets.testing.strategies.making import maker

__all__ = ["Kind", "documents", "event_classes", "events", "facets", "models"]

M = TypeVar("M", bound=Model)
F = TypeVar("F", bound=FacetModel)

Kind: TypeAlias = "Literal['run', 'job', 'dataset']"
"""What an event is about, in a word."""

_KINDS: Mapping[str, type[RunEvent] | type[JobEvent] | type[DatasetEvent]] = {
    "run": RunEvent,
    "job": JobEvent,
    "dataset": DatasetEvent,
}

FacetClasses: TypeAlias = "Iterable[type[FacetModel]] | None"


@overload
def events(kind: Literal["run"], *, facets: FacetClasses = None) -> SearchStrategy[RunEvent]: ...
@overload
def events(kind: Literal["job"], *, facets: FacetClasses = None) -> SearchStrategy[JobEvent]: ...
@overload
def events(kind: Literal["dataset"], *, facets: FacetClasses = None) -> SearchStrategy[DatasetEvent]: ...
@overload
def events(kind: None = None, *, facets: FacetClasses = None) -> SearchStrategy[Event]: ...
def events(kind: Kind | None = None, *, facets: FacetClasses = None) -> SearchStrategy[Any]:
    """Return valid events, typed.

    Args:
        kind: "run", "job" or "dataset"; every kind if not given.
        facets: The facet classes that may occur, your own among them, such as `[SQLJobFacet]`. If not
            given, every facet of the specification, deleted facets and custom ones.

    Raises:
        ValueError: There is no such kind.

    Example:
        >>> @given(strategies.events("run", facets=[CostRunFacet]))
        ... def test_cost_is_read(event): ...
    """
    return st.one_of([models(cls, facets=facets) for cls in event_classes(kind)])


def event_classes(kind: str | None) -> tuple[type[RunEvent] | type[JobEvent] | type[DatasetEvent], ...]:
    """Return the classes of a kind of events, or of every kind."""
    if kind is None:
        return tuple(_KINDS.values())
    if kind not in _KINDS:
        raise ValueError(f"expected 'run', 'job' or 'dataset', found {kind!r}")
    return (_KINDS[kind],)


def documents(
    of: Kind | type[BaseModel] | None = None, *, facets: FacetClasses = None
) -> SearchStrategy[dict[str, Any]]:
    """Return valid documents: JSON objects as `json.loads` gives them.

    Args:
        of: What they are documents of: "run", "job" or "dataset" for an event of that kind, or any class;
            events of every kind if not given.
        facets: The facet classes that may occur, as for `events`.

    Raises:
        ValueError: There is no such kind.
    """
    making = maker(None if facets is None else tuple(facets))
    classes = (of,) if isinstance(of, type) else event_classes(of)
    return st.one_of([making.object(cls) for cls in classes])


def models(cls: type[M], *, facets: FacetClasses = None) -> SearchStrategy[M]:
    """Return valid values of any class: an event, an entity, a facet, a part of one, or your own facet.

    Args:
        cls: The class.
        facets: The facet classes that may occur in it, as for `events`.
    """
    return documents(cls, facets=facets).map(cls.from_json)


@overload
def facets(of: type[F]) -> SearchStrategy[F]: ...
@overload
def facets(of: type[Model] | None = None) -> SearchStrategy[FacetModel]: ...
def facets(of: type[Model] | None = None) -> SearchStrategy[Any]:
    """Return valid facets, typed.

    Args:
        of: A base facet, such as `RunFacet`, for every facet that extends it and custom ones; a facet
            class, for that one; an entity, such as `InputDataset`, for every facet it may carry. Every
            facet if not given.

    Raises:
        ValueError: The class is no facet and carries none.
    """
    maps = [Facets(container) for container in _CONTAINERS]
    if of is not None:
        if not issubclass(of, FacetModel):
            maps = [field.kind for field in fields_of(of) if isinstance(field.kind, Facets)]
            if not maps:
                raise ValueError(f"expected a facet or an entity that carries facets, found {of.__name__}")
        else:
            maps = [one for one in maps if one.base is of]
            if not maps:
                return models(of)
    bases = dict.fromkeys(one.base for one in maps)
    known = [
        cls for one in maps for slot in one.container.__slots_by_key__.values() for cls in slot.classes()
    ]
    return st.one_of([models(cls) for cls in (*bases, *known)])


_CONTAINERS = [
    value
    for value in vars(containers).values()
    if isinstance(value, type) and issubclass(value, FacetMap) and value is not FacetMap
]
"""The container of the facets of each entity."""
