"""Recognize jobs, datasets and columns that have another name in a later graph."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable
from typing import TypeAlias

from openlineage_facets.review.changes import ENTITIES, Fact
from openlineage_facets.state import ColumnId, DatasetId, JobId
from openlineage_facets.state.column_edges import End


class Names:
    """The later names of jobs, datasets and columns."""

    def __init__(self) -> None:
        self.renamed: dict[End, End] = {}

    def of(self, end: End) -> End:
        """Return the later name, or the same name if it has not been renamed."""
        found = self.renamed.get(end)
        if found is None and isinstance(end, ColumnId):
            dataset = self.renamed.get(end.dataset)
            return ColumnId(dataset, end.name) if isinstance(dataset, DatasetId) else end
        return end if found is None else found


def renames(before: Iterable[Fact], after: Iterable[Fact]) -> Names:
    """Return the names in the later graph.

    A dataset is renamed if the same jobs write it, or read it if none writes it, with the same columns; a job
    if it reads and writes the same; a column if it has the same type and the same sources, or targets if it
    has no sources. There must be exactly one candidate in both graphs.
    """
    names = Names()
    old, new = _Side(before, names.of), _Side(after, lambda end: end)
    found = True
    while found:
        found = False
        for kind, key in _RULES:
            known = {*names.renamed.values()}.union(map(names.of, old.ends))
            gone = (end for end in old.ends if names.of(end) not in new.ends and end not in names.renamed)
            come = (end for end in new.ends if end not in known)
            sides = ((old, gone), (new, come))
            keyed = ([(key(side, end), end) for end in ends if isinstance(end, kind)] for side, ends in sides)
            pairs = _unique_pairs(*keyed)
            names.renamed.update(pairs)
            found = found or bool(pairs)
    return names


_Keyed: TypeAlias = "tuple[Hashable, End]"


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
                one, other = (self.reads, self.writes) if fact.part == "input" else (self.writes, self.reads)
                one[fact.subject].add(fact.other)
                other[fact.other].add(fact.subject)
            elif fact.other is not None and fact.part in ("source", "rows"):
                self.sources[fact.subject].append((fact.other, fact.value))
                self.targets[fact.other].append((fact.subject, fact.value))

    def names(self, ends: Iterable[End]) -> frozenset[End]:
        return frozenset(map(self.name, ends))

    def steps(self, pairs: Iterable[tuple[End, Hashable]]) -> frozenset[tuple[End, Hashable]]:
        return frozenset((self.name(end), value) for end, value in pairs)


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
    return (side.name(end.dataset), side.ends[end], bool(sources), side.steps(sources or targets or ()))


_RULES: tuple[tuple[type[End], Callable[[_Side, End], Hashable]], ...] = (
    (DatasetId, _dataset_key),
    (JobId, _job_key),
    (ColumnId, _column_key),
)


def _unique_pairs(before: Iterable[_Keyed], after: Iterable[_Keyed]) -> dict[End, End]:
    """Return the pairs with a key that no other end has."""
    groups: dict[Hashable, tuple[list[End], list[End]]] = {}
    for side, keyed in enumerate((before, after)):
        for key, end in keyed:
            if key is not None:
                groups.setdefault(key, ([], []))[side].append(end)
    return {old[0]: new[0] for old, new in groups.values() if len(old) == len(new) == 1}
