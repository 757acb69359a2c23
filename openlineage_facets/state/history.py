"""What was said of one facet of one job or dataset over time, in bounded memory."""

from __future__ import annotations

from bisect import bisect_right, insort
from typing import NamedTuple, TypeAlias

from openlineage_facets.state.moments import Moment, Span

__all__ = ["FacetHistory", "Order", "Statement"]

Order: TypeAlias = tuple[int, str, int]
"""The place of a statement in time: its moment, then the rank of what made it (see `reading.rank_of`)."""

_ABOVE_EVERY_RANK = 1 << 30


class Statement(NamedTuple):
    """One facet as one event gave it; statements compare as they replace each other."""

    order: Order
    value: str
    """The facet in canonical JSON; among statements of one order the greater text stands."""
    source: str
    """The id of the run that said it, or "" where no run did."""


class FacetHistory:
    """The statements about one facet, from which its value at any moment follows.

    A late event may say that the facet was another one at any moment of the past, so what was said
    before and after must be known; but a source that says the same thing again and again is only
    remembered for the first and the last time it did. What is kept so follows from the set of
    statements alone and not from the order they came in, and grows with the sources (runs) and with the
    different values of the facet, not with the events.

    With `every` all statements are kept.
    """

    __slots__ = ("_said", "_timeline")

    def __init__(self) -> None:
        self._said: dict[tuple[str, str], list[Order]] = {}
        self._timeline: list[Statement] | None = None

    def add(self, source: str, value: str, order: Order, *, every: bool) -> None:
        """Remember that `source` said `value`."""
        orders = self._said.get((source, value))
        if orders is None:
            self._said[source, value] = [order]
        elif order in (orders[0], orders[-1]):
            return
        elif every:
            place = bisect_right(orders, order)
            if orders[place - 1] == order:
                return
            orders.insert(place, order)
        else:
            insort(orders, order)
            del orders[1:-1]
        self._timeline = None

    def merge(self, other: FacetHistory, *, every: bool) -> None:
        """Remember what `other` does."""
        for (source, value), orders in other._said.items():
            for order in orders:
                self.add(source, value, order, every=every)

    def latest(self) -> Statement:
        """Return the statement that holds now."""
        return self._in_order()[-1]

    def at(self, moment: Moment, source: str | None = None) -> Statement | None:
        """Return the statement that held at a moment, or None where the facet was not known yet.

        Args:
            moment: Statements of this very moment hold already.
            source: A run whose own statements count whenever it made them.
        """
        timeline = self._in_order()
        limit = Statement((*moment, _ABOVE_EVERY_RANK), "", "")
        past = timeline[: bisect_right(timeline, limit)][-1:]
        if source is not None:
            own = [
                Statement(orders[-1], value, said_by)
                for (said_by, value), orders in self._said.items()
                if said_by == source
            ]
            past.extend(own)
        return max(past, default=None)

    def span_of(self, value: str) -> Span:
        """Return when `value` was said first and last."""
        orders = [order for (_, said), orders in self._said.items() if said == value for order in orders]
        return min(orders)[:2], max(orders)[:2]

    def statements(self) -> list[Statement]:
        """Return what is remembered, in order."""
        return list(self._in_order())

    def _in_order(self) -> list[Statement]:
        if self._timeline is None:
            self._timeline = sorted(
                Statement(order, value, source)
                for (source, value), orders in self._said.items()
                for order in orders
            )
        return self._timeline

    def __eq__(self, other: object) -> bool:
        return self._said == other._said if isinstance(other, FacetHistory) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __len__(self) -> int:
        return sum(map(len, self._said.values()))

    def __getstate__(self) -> dict[tuple[str, str], list[Order]]:
        return self._said

    def __setstate__(self, said: dict[tuple[str, str], list[Order]]) -> None:
        self._said = said
        self._timeline = None
