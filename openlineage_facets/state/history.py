"""What was said of one facet of one job or dataset over time, in bounded memory."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from openlineage_facets.state.moments import Moment, Span

__all__ = ["FacetHistory", "Order", "Statement"]

Order: TypeAlias = tuple[int, str, int]
"""The place of a statement in time: its moment, then the rank of the event that made it."""

_ABOVE_EVERY_RANK = 1 << 30


class Statement(NamedTuple):
    """One facet as one event gave it; of two statements the greater replaces the other."""

    order: Order
    value: str
    """The facet in canonical JSON."""
    source: str
    """The id of the run that said it, or "" where no run did."""

    @property
    def moment(self) -> Moment:
        """When it was said."""
        return self.order[:2]


class FacetHistory:
    """The statements about one facet, from which its value at any moment follows.

    A late event may say that the facet was another one at any moment of the past, so what was said
    before and after must be known; but a source that says the same thing over and over is remembered
    for the first and the last time only. What is kept so depends on which statements there were, not
    on the order they came in, and grows with the sources (runs) and with the different values they
    gave the facet, not with the events.

    With `every` no statement is forgotten.
    """

    __slots__ = ("_last_of_source", "_latest", "_said", "_timeline")

    def __init__(self) -> None:
        self._said: dict[tuple[str, str], list[Order]] = {}
        """When each source gave each value, sorted."""
        self._latest: Statement | None = None
        self._timeline: list[Statement] | None = None
        """All statements in order, once somebody asked about the past."""
        self._last_of_source: dict[str, Statement] = {}
        """The greatest statement of each source, beside the timeline."""

    def add(self, statement: Statement, *, every: bool) -> None:
        """Remember a statement."""
        order, value, source = statement
        orders = self._said.get((source, value))
        if orders is None:
            self._said[source, value] = [order]
        else:
            place = bisect_left(orders, order)
            if place < len(orders) and orders[place] == order:
                return
            if not every and len(orders) > 1:
                if 0 < place < len(orders):
                    return
                self._forget(statement._replace(order=orders.pop(0 if place == 0 else 1)))
                place = min(place, 1)
            orders.insert(place, order)
        if self._latest is None or statement > self._latest:
            self._latest = statement
        if self._timeline is not None:
            insort(self._timeline, statement)
            self._last_of_source[source] = max(self._last_of_source.get(source, statement), statement)

    def _forget(self, statement: Statement) -> None:
        if self._timeline is not None:
            del self._timeline[bisect_left(self._timeline, statement)]

    def merge(self, other: FacetHistory, *, every: bool) -> None:
        """Remember what `other` remembers."""
        for statement in other:
            self.add(statement, every=every)

    def latest(self) -> Statement:
        """Return the statement that holds now."""
        assert self._latest is not None, "a history begins with a statement"
        return self._latest

    def at(self, moment: Moment, source: str = "") -> Statement | None:
        """Return the statement that held at a moment, or None where nothing had been said yet.

        Args:
            moment: What was said at this very moment holds already.
            source: A run whose own statements count whenever it made them.
        """
        timeline = self._in_order()
        end = bisect_right(timeline, Statement((*moment, _ABOVE_EVERY_RANK), "", ""))
        held = timeline[end - 1] if end else None
        own = self._last_of_source.get(source) if source else None
        if held is None or own is None:
            return held or own
        return max(held, own)

    def _in_order(self) -> list[Statement]:
        if self._timeline is None:
            self._timeline = sorted(self)
            self._last_of_source = {statement.source: statement for statement in self._timeline}
        return self._timeline

    def span_of(self, value: str) -> Span:
        """Return when `value` was said first and last."""
        said = [orders for (_, other), orders in self._said.items() if other == value]
        return min(orders[0] for orders in said)[:2], max(orders[-1] for orders in said)[:2]

    def __iter__(self) -> Iterator[Statement]:
        return (
            Statement(order, value, source)
            for (source, value), orders in self._said.items()
            for order in orders
        )

    def __eq__(self, other: object) -> bool:
        return self._said == other._said if isinstance(other, FacetHistory) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __getstate__(self) -> tuple[dict[tuple[str, str], list[Order]]]:
        return (self._said,)

    def __setstate__(self, state: tuple[dict[tuple[str, str], list[Order]]]) -> None:
        (self._said,) = state
        self._latest = max(self, default=None)
        self._timeline = None
        self._last_of_source = {}
