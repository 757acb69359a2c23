"""History of one facet of a job or dataset, in bounded memory."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from openlineage_facets.base.times.rfc3339 import Instant
from openlineage_facets.state.instants import Span

SortKey: TypeAlias = tuple[int, str, int]
"""The position of an event in time: its instant, then the rank of its event type."""

_ABOVE_EVERY_RANK = 1 << 30


class FacetVersion(NamedTuple):
    """A facet as reported by one event. Of two versions, the greater replaces the other."""

    sort_key: SortKey
    value: str
    """The facet in canonical JSON."""
    source: str
    """The id of the run that reported it, or "" for job and dataset events."""

    @property
    def instant(self) -> Instant:
        """The time of the event."""
        return self.sort_key[:2]


class FacetHistory:
    """The versions of one facet, from which its value at any instant is computed.

    A late event may change the value at any past instant, so earlier and later versions are kept. If a
    source repeats the same value, only the first and the last time are kept. What is kept depends on the
    set of versions, not on their order of arrival, and grows with the number of sources (runs) and
    distinct values, not with the number of events.

    With `exact=True`, every version is kept.
    """

    __slots__ = ("_last_of_source", "_latest", "_sort_keys", "_timeline")

    def __init__(self) -> None:
        self._sort_keys: dict[tuple[str, str], list[SortKey]] = {}
        """The sorted times of each (source, value)."""
        self._latest: tuple[SortKey, str, str] | None = None
        """The fields of the current version."""
        self._timeline: list[FacetVersion] | None = None
        """All versions in order. Built when a past value is first requested."""
        self._last_of_source: dict[str, FacetVersion] = {}
        """The greatest version of each source. Built together with the timeline."""

    def add(self, sort_key: SortKey, value: str, source: str, *, exact: bool) -> None:
        """Add a version, see `FacetVersion`."""
        sort_keys = self._sort_keys.get((source, value))
        if sort_keys is None:
            self._sort_keys[source, value] = [sort_key]
        elif sort_key > sort_keys[-1] and not exact and self._timeline is None:
            # The usual case: events arrive in their order, and nothing in between is kept.
            sort_keys[1:] = [sort_key]
        else:
            index = bisect_left(sort_keys, sort_key)
            if index < len(sort_keys) and sort_keys[index] == sort_key:
                return
            if not exact and len(sort_keys) > 1:
                if 0 < index < len(sort_keys):
                    return
                self._forget(FacetVersion(sort_keys.pop(0 if index == 0 else 1), value, source))
                index = min(index, 1)
            sort_keys.insert(index, sort_key)
        fields = sort_key, value, source
        if self._latest is None or fields > self._latest:
            self._latest = fields
        if self._timeline is not None:
            version = FacetVersion(*fields)
            insort(self._timeline, version)
            self._last_of_source[source] = max(self._last_of_source.get(source, version), version)

    def _forget(self, version: FacetVersion) -> None:
        if self._timeline is not None:
            del self._timeline[bisect_left(self._timeline, version)]

    def merge(self, other: FacetHistory, *, exact: bool) -> None:
        """Add the versions of another history."""
        for version in other:
            self.add(*version, exact=exact)

    def latest(self) -> FacetVersion:
        """Return the current version."""
        assert self._latest is not None, "a history has at least one version"
        return FacetVersion(*self._latest)

    def at(self, instant: Instant, source: str = "") -> FacetVersion | None:
        """Return the version in force at an instant, or None before the first version.

        Args:
            instant: Includes versions of exactly this instant.
            source: A run whose own versions count at any time.
        """
        timeline = self._in_order()
        end = bisect_right(timeline, FacetVersion((*instant, _ABOVE_EVERY_RANK), "", ""))
        current = timeline[end - 1] if end else None
        own = self._last_of_source.get(source) if source else None
        if current is None or own is None:
            return current or own
        return max(current, own)

    def _in_order(self) -> list[FacetVersion]:
        if self._timeline is None:
            self._timeline = sorted(self)
            self._last_of_source = {version.source: version for version in self._timeline}
        return self._timeline

    def span_of(self, value: str) -> Span:
        """Return the first and the last time at which `value` was reported."""
        times = [sort_keys for (_, other), sort_keys in self._sort_keys.items() if other == value]
        return min(keys[0] for keys in times)[:2], max(keys[-1] for keys in times)[:2]

    def spans(self) -> Iterator[tuple[str, str, SortKey, SortKey]]:
        """Yield each source and value with the first and the last time at which the source reported it."""
        for (source, value), sort_keys in self._sort_keys.items():
            yield source, value, sort_keys[0], sort_keys[-1]

    def __iter__(self) -> Iterator[FacetVersion]:
        return (
            FacetVersion(sort_key, value, source)
            for (source, value), sort_keys in self._sort_keys.items()
            for sort_key in sort_keys
        )

    def __eq__(self, other: object) -> bool:
        return self._sort_keys == other._sort_keys if isinstance(other, FacetHistory) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __getstate__(self) -> tuple[dict[tuple[str, str], list[SortKey]]]:
        return (self._sort_keys,)

    def __setstate__(self, state: tuple[dict[tuple[str, str], list[SortKey]]]) -> None:
        (self._sort_keys,) = state
        self._latest = max(self, default=None)
        self._timeline = None
        self._last_of_source = {}
