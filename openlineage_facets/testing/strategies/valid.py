"""Strategies for valid events, facets and other classes of the specification."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, TypeAlias, TypeVar, get_args, overload

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from pydantic import BaseModel

from openlineage_facets.base.model.model import Model
from openlineage_facets.base.model.spec_models import FacetModel
from openlineage_facets.event_kind import EventClass, EventKind, class_of_kind
from openlineage_facets.generated import containers
from openlineage_facets.generated.open_lineage import DatasetEvent, JobEvent, RunEvent
from openlineage_facets.parsing import Event
from openlineage_facets.testing.strategies.field_kinds import Facets, fields_of
from openlineage_facets.testing.strategies.objects import object_strategies
from openlineage_facets.validation.standard_facets import ENTITY_OF_CONTAINER

M = TypeVar("M", bound=Model)
F = TypeVar("F", bound=FacetModel)

FacetClasses: TypeAlias = "Iterable[type[FacetModel]] | None"


@overload
def events(kind: Literal["run"], *, facets: FacetClasses = None) -> SearchStrategy[RunEvent]: ...
@overload
def events(kind: Literal["job"], *, facets: FacetClasses = None) -> SearchStrategy[JobEvent]: ...
@overload
def events(kind: Literal["dataset"], *, facets: FacetClasses = None) -> SearchStrategy[DatasetEvent]: ...
@overload
def events(kind: None = None, *, facets: FacetClasses = None) -> SearchStrategy[Event]: ...
def events(kind: EventKind | None = None, *, facets: FacetClasses = None) -> SearchStrategy[Any]:
    """Generate valid, typed events.

    Args:
        kind: "run", "job" or "dataset". Defaults to every kind.
        facets: The facet classes to use, such as `[SQLJobFacet, CostRunFacet]`. Defaults to all facets of the
            specification, tombstones and custom facets.

    Raises:
        ValueError: The kind is unknown.

    Example:
        >>> @given(strategies.events("run", facets=[CostRunFacet]))
        ... def test_cost_is_parsed(event): ...
    """
    chosen = None if facets is None else tuple(facets)
    return st.one_of([models(cls, facets=chosen) for cls in event_classes(kind)])


def event_classes(kind: EventKind | None) -> tuple[EventClass, ...]:
    """Return the class of a kind of events, or all event classes for None."""
    kinds = get_args(EventKind)
    if kind not in (None, *kinds):
        raise ValueError(f"expected 'run', 'job' or 'dataset', found {kind!r}")
    return tuple(class_of_kind(name) for name in kinds if kind in (None, name))


def documents(
    of: EventKind | type[BaseModel] | None = None, *, facets: FacetClasses = None
) -> SearchStrategy[dict[str, Any]]:
    """Generate valid documents: JSON objects as returned by `json.loads`.

    Args:
        of: "run", "job" or "dataset" for events of that kind, or a class. Defaults to events of every kind.
        facets: The facet classes to use, as for `events`.

    Raises:
        ValueError: The kind is unknown.
    """
    strategies = object_strategies(None if facets is None else tuple(facets))
    classes = (of,) if isinstance(of, type) else event_classes(of)
    return st.one_of([strategies.object(cls) for cls in classes])


def models(cls: type[M], *, facets: FacetClasses = None) -> SearchStrategy[M]:
    """Generate valid instances of a class: an event, an entity, a facet, a nested object or a custom facet.

    Args:
        cls: The class.
        facets: The facet classes to use, as for `events`.
    """
    return documents(cls, facets=facets).map(cls.from_json)


@overload
def facets(of: type[F]) -> SearchStrategy[F]: ...
@overload
def facets(of: type[Model] | None = None) -> SearchStrategy[FacetModel]: ...
def facets(of: type[Model] | None = None) -> SearchStrategy[Any]:
    """Generate valid, typed facets.

    Args:
        of: A base facet such as `RunFacet` for all facets that extend it, including custom ones; a facet
            class; or an entity such as `InputDataset` for all its facets. Defaults to all facets.

    Raises:
        ValueError: The class is neither a facet nor an entity with facets.
    """
    maps = [Facets(getattr(containers, container)) for container in ENTITY_OF_CONTAINER]
    if of is not None:
        if not issubclass(of, FacetModel):
            maps = [field.kind for field in fields_of(of) if isinstance(field.kind, Facets)]
            if not maps:
                raise ValueError(f"expected a facet or an entity with facets, found {of.__name__}")
        else:
            maps = [facet_map for facet_map in maps if facet_map.base is of]
            if not maps:
                return models(of)
    bases = dict.fromkeys(facet_map.base for facet_map in maps)
    known = [
        cls
        for facet_map in maps
        for slot in facet_map.container.__slots_by_key__.values()
        for cls in slot.classes()
    ]
    return st.one_of([models(cls) for cls in (*bases, *known)])
