"""A strategy for documents with one wrong place."""

from __future__ import annotations

from collections.abc import Iterable
from copy import deepcopy
from typing import Any, NamedTuple

from hypothesis import reject
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from pydantic import BaseModel

from openlineage_facets.base.entities import FacetModel
from openlineage_facets.base.errors import json_pointer
from openlineage_facets.testing.strategies.breaking import ABSENT, Break, breaks_of
from openlineage_facets.testing.strategies.making import maker
from openlineage_facets.testing.strategies.valid import Kind, event_classes

__all__ = ["InvalidDocument", "invalid_documents"]


class InvalidDocument(NamedTuple):
    """A document that is valid but for one place.

    Attributes:
        document: The document, a JSON object.
        pointer: JSON Pointer to the wrong place. Where a required field is missing, to that field; where
            fields don't go together, to the object that holds them.
        change: What was done to a valid document, in words.
    """

    document: dict[str, Any]
    pointer: str
    change: str


def invalid_documents(
    of: Kind | type[BaseModel] | None = None, *, facets: Iterable[type[FacetModel]] | None = None
) -> SearchStrategy[InvalidDocument]:
    """Return documents that are valid but for one place, and where that is.

    Required fields are left out, values have another JSON type or miss their format, constants are none of
    those allowed, fields stand without those they need. What only warnings are about is not among it.

    Args:
        of: "run", "job" or "dataset" for an event of that kind, or any class; events of every kind if not
            given.
        facets: The facet classes that may occur, as for `events`.

    Raises:
        ValueError: There is no such kind.

    Example:
        >>> @given(strategies.invalid_documents())
        ... def test_my_backend_names_the_place(invalid):
        ...     assert invalid.pointer in backend.post(json.dumps(invalid.document)).text
    """
    chosen = None if facets is None else tuple(facets)
    classes: tuple[type[BaseModel], ...] = (of,) if isinstance(of, type) else event_classes(of)
    return st.one_of([_broken(cls, chosen) for cls in classes])


@st.composite
def _broken(
    draw: st.DrawFn, cls: type[BaseModel], facets: tuple[type[FacetModel], ...] | None
) -> InvalidDocument:
    # Drawn first: hypothesis varies what it has drawn, and behind a document nothing keeps its place.
    change, place = draw(st.integers(0, 999)), draw(st.integers(0, 999))
    document = draw(maker(facets).object(cls))
    by_change: dict[str, list[Break]] = {}
    for found in breaks_of(cls, document):
        by_change.setdefault(found.change, []).append(found)
    if not by_change:
        reject()
    found_there = list(by_change.values())[change % len(by_change)]
    chosen = found_there[place % len(found_there)]
    return InvalidDocument(_changed(document, chosen), json_pointer(chosen.wrong), chosen.change)


def _changed(document: dict[str, Any], change: Break) -> dict[str, Any]:
    changed = deepcopy(document)
    holder: Any = changed
    for step in change.steps[:-1]:
        holder = holder[step]
    if change.value is ABSENT:
        del holder[change.steps[-1]]
    else:
        holder[change.steps[-1]] = deepcopy(change.value)
    return changed
