"""Recognize jobs, datasets and columns that have another name in a later graph."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TypeAlias

from openlineage_facets.review.changes import ENTITIES, Fact
from openlineage_facets.review.paths import grouped
from openlineage_facets.state import ColumnId, DatasetId, JobId
from openlineage_facets.state.column_edges import End


class Names(dict[End, End]):
    """The later names of the jobs, datasets and columns that have been renamed."""

    def of(self, end: End) -> End:
        """Return the later name, or the same name if it has not been renamed."""
        later = self.get(end, end)
        if later is end and isinstance(end, ColumnId):
            dataset = self.get(end.dataset)
            return ColumnId(dataset, end.name) if isinstance(dataset, DatasetId) else end
        return later


def renames(before: Iterable[Fact], after: Iterable[Fact]) -> Names:
    """Return the names in the later graph.

    A dataset is renamed if the same jobs write it, or read it if none writes it, with the same columns; a job
    if it reads and writes the same; a column if it has the same type and the same sources, or targets if it
    has no sources. There must be exactly one candidate in both graphs.
    """
    names = Names()
    old, new = _Side(before, names.of), _Side(after, lambda end: end)
    gone, come, known = [*old.ends], [*new.ends], {*old.ends}
    count = -1
    while count < len(names):
        count = len(names)
        for kind, key in _RULES:
            gone = [end for end in gone if names.of(end) not in new.ends]
            come = [end for end in come if end not in known]
            keyed = (
                grouped((key(side, end), end) for end in ends if isinstance(end, kind))
                for side, ends in ((old, gone), (new, come))
            )
            pairs = _unique_pairs(*keyed)
            names.update(pairs)
            known.update(names.of(end) for renamed in pairs for end in old.with_columns(renamed))
    return names


_Keyed: TypeAlias = dict[Hashable, list[End]]


class _Side:
    """One of the graphs, with what identifies its jobs, datasets and columns apart from their names."""

    def __init__(self, facts: Iterable[Fact], name: Callable[[End], End]) -> None:
        self.name = name
        self.ends: dict[End, str | None] = {}
        self.columns: dict[End, list[tuple[str, str]]] = defaultdict(list)
        self.reads: dict[End, set[End]] = defaultdict(set)
        self.writes: dict[End, set[End]] = defaultdict(set)
        self.sources: dict[End, list[tuple[End, Hashable]]] = defaultdict(list)
        self.targets: dict[End, list[tuple[End, Hashable]]] = defaultdict(list)
        for fact in facts:
            if fact.part in ENTITIES:
                self.ends[fact.subject] = fact.value
                if isinstance(fact.subject, ColumnId):
                    self.columns[fact.subject.dataset].append((fact.subject.name, fact.value or ""))
            elif fact.other is not None and fact.part in ("input", "output"):
                is_input = fact.part == "input"
                (self.reads if is_input else self.writes)[fact.subject].add(fact.other)
                (self.writes if is_input else self.reads)[fact.other].add(fact.subject)
            elif fact.other is not None and fact.part in ("source", "rows"):
                self.sources[fact.subject].append((fact.other, fact.value))
                self.targets[fact.other].append((fact.subject, fact.value))

    def with_columns(self, end: End) -> Iterator[End]:
        yield end
        if isinstance(end, DatasetId):
            yield from (ColumnId(end, name) for name, _ in self.columns.get(end, ()))

    def names(self, ends: Iterable[End]) -> frozenset[End]:
        return frozenset(map(self.name, ends))


# In `reads` and `writes`, jobs have datasets, and datasets have the jobs that write and read them.


def _dataset_key(side: _Side, end: End) -> Hashable:
    columns = tuple(sorted(side.columns.get(end, ())))
    writers, readers = side.reads.get(end), side.writes.get(end)
    if not columns or not (writers or readers):
        return None
    return columns, bool(writers), side.names(writers or readers or ())


def _job_key(side: _Side, end: End) -> Hashable:
    outputs = side.writes.get(end)
    return (side.names(side.reads.get(end, ())), side.names(outputs)) if outputs else None


def _column_key(side: _Side, end: End) -> Hashable:
    assert isinstance(end, ColumnId)
    sources, targets = side.sources.get(end), side.targets.get(end)
    if not (sources or targets):
        return None
    steps = frozenset((side.name(other), value) for other, value in sources or targets or ())
    return side.name(end.dataset), side.ends[end], bool(sources), steps


_RULES: tuple[tuple[type[End], Callable[[_Side, End], Hashable]], ...] = (
    (DatasetId, _dataset_key),
    (JobId, _job_key),
    (ColumnId, _column_key),
)


def _unique_pairs(before: _Keyed, after: _Keyed) -> dict[End, End]:
    """Return the pairs with a key that no other end has."""
    keys = (key for key in before if key is not None and len(before[key]) == len(after.get(key, ())) == 1)
    return {before[key][0]: after[key][0] for key in keys}
