"""A strategy for documents with exactly one error."""

from __future__ import annotations

from collections.abc import Iterable
from copy import deepcopy
from typing import Any, NamedTuple

from hypothesis import reject
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from pydantic import BaseModel

from openlineage_facets.base.errors.json_pointer import json_pointer
from openlineage_facets.base.model.spec_models import FacetModel
from openlineage_facets.testing.strategies.mutations import ABSENT, Mutation, mutations_of
from openlineage_facets.testing.strategies.objects import object_strategies
from openlineage_facets.testing.strategies.valid import Kind, event_classes


class InvalidDocument(NamedTuple):
    """A document with exactly one error.

    Attributes:
        document: A JSON object.
        pointer: JSON Pointer of the error. For a missing required field, of that field; for an invalid
            combination of fields, of their object.
        change: Describes how the document differs from a valid one.
    """

    document: dict[str, Any]
    pointer: str
    change: str


def invalid_documents(
    of: Kind | type[BaseModel] | None = None, *, facets: Iterable[type[FacetModel]] | None = None
) -> SearchStrategy[InvalidDocument]:
    """Generate documents with exactly one error, and its location.

    A required field is missing, a value has another JSON type or format, is not an allowed constant or out of
    bounds, or a field lacks another one that it requires. Documents that only cause warnings are not
    generated.

    Args:
        of: "run", "job" or "dataset" for events of that kind, or a class. Defaults to events of every kind.
        facets: The facet classes to use, as for `events`.

    Raises:
        ValueError: The kind is unknown.

    Example:
        >>> @given(strategies.invalid_documents())
        ... def test_my_backend_reports_the_location(invalid):
        ...     assert invalid.pointer in backend.post(json.dumps(invalid.document)).text
    """
    chosen = None if facets is None else tuple(facets)
    classes: tuple[type[BaseModel], ...] = (of,) if isinstance(of, type) else event_classes(of)
    return st.one_of([_mutated_document(cls, chosen) for cls in classes])


@st.composite
def _mutated_document(
    draw: st.DrawFn, cls: type[BaseModel], facets: tuple[type[FacetModel], ...] | None
) -> InvalidDocument:
    # Drawn before the document: values drawn after it would change their position with its size.
    change, location = draw(st.integers(0, 999)), draw(st.integers(0, 999))
    document = draw(object_strategies(facets).object(cls))
    by_change: dict[str, list[Mutation]] = {}
    for found in mutations_of(cls, document):
        by_change.setdefault(found.change, []).append(found)
    if not by_change:
        reject()
    candidates = list(by_change.values())[change % len(by_change)]
    mutation = candidates[location % len(candidates)]
    return InvalidDocument(_apply(document, mutation), json_pointer(mutation.wrong), mutation.change)


def _apply(document: dict[str, Any], change: Mutation) -> dict[str, Any]:
    changed = deepcopy(document)
    holder: Any = changed
    for step in change.steps[:-1]:
        holder = holder[step]
    if change.value is ABSENT:
        del holder[change.steps[-1]]
    else:
        holder[change.steps[-1]] = deepcopy(change.value)
    return changed
