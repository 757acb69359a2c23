"""Compare two lineage graphs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from typing import Any, TypeAlias

from openlineage_facets.review.changes import LineageChange, LineageChanges
from openlineage_facets.review.facts import ENTITIES, Fact, differing_facts
from openlineage_facets.review.renames import Names, renames
from openlineage_facets.review.reviewed import joined, reviewed
from openlineage_facets.review.statistics import Range, statistic_changes
from openlineage_facets.state import ColumnId, DatasetId, JobId, Lineage
from openlineage_facets.state.column_edges import ColumnEdges, End, Steps, node_of

_Key: TypeAlias = "tuple[str, End, End | None]"

_KEEPS_ROWS = frozenset({"SORT", "WINDOW"})
"""Indirect transformations that leave the rows of a dataset as they are."""


def compare(
    before: Lineage, after: Lineage, *, context: Iterable[Lineage] = (), statistics: Range | None = None
) -> LineageChanges:
    """Return what has changed between two graphs.

    Runs, times and facets without lineage are not compared: there are changes if the lock files differ.
    What is part of an added or removed job, dataset or column is no change of its own.

    Args:
        before: The earlier graph.
        after: The later graph.
        context: Lineage of other repositories, which may read what has changed.
        statistics: Also compare what the last runs reported about outputs: their lifecycle, and statistics
            that are out of this range, such as (0.5, 2.0) for half to double.

    Example:
        >>> changes = compare(read_lock(Path("lineage.lock.json").read_bytes()), state.lineage())
        >>> for change in changes.changes:
        ...     print(change.kind, change.part, change.subject, change.is_breaking)
    """
    reported = () if statistics is None else statistic_changes(before, after, statistics)
    changes = list(dict.fromkeys(reported))
    before, after = reviewed(before), reviewed(after)
    old_facts, new_facts = differing_facts(before, after)
    names = renames(old_facts, new_facts)
    old = {_key(fact, names): fact for fact in old_facts}
    new = {_key(fact, Names()): fact for fact in new_facts}
    own, added = _with_parts(old, new), _with_parts(new, old)
    changes += [
        LineageChange(old[key].part, old[key], new.get(key), tuple(parts))
        for key, parts in own.items()
        if _is_change(old[key], new.get(key), names)
    ]
    changes += [
        LineageChange(new[key].part, None, new[key], tuple(parts))
        for key, parts in added.items()
        if key not in old
    ]
    changes += _reordered(before, after, names)
    effect = _Effect(before, after)
    marked = (replace(change, is_breaking=effect.is_breaking(change)) for change in changes)
    others = [reviewed(one) for one in context]
    return LineageChanges(
        tuple(sorted(marked, key=_order)), before, after, joined(others) if others else None
    )


def _key(fact: Fact, names: Names) -> _Key:
    return fact.part, names.of(fact.subject), None if fact.other is None else names.of(fact.other)


def _is_change(old: Fact, new: Fact | None, names: Names) -> bool:
    if new is None:
        return True
    value: Any = old.value
    if old.part == "output" and value is not None:
        value = tuple(sorted(map(names.of, value)))
        return bool(value != (None if new.value is None else tuple(sorted(new.value))))
    return bool(value != new.value) or (old.part in ENTITIES and old.subject in names.renamed)


def _with_parts(facts: dict[_Key, Fact], others: dict[_Key, Fact]) -> dict[_Key, list[Fact]]:
    """Return the facts of one graph that are changes of their own if the other graph lacks them.

    Others are parts of a job, dataset or column that the other graph lacks, which has them as its parts.
    """
    found: dict[_Key, list[Fact]] = {}
    for key, fact in facts.items():
        owner = _owner(key, facts, others)
        parts = found.setdefault(owner, [])
        if owner != key:
            parts.append(fact)
    return found


def _owner(key: _Key, facts: dict[_Key, Fact], others: dict[_Key, Fact]) -> _Key:
    """Return what contains a fact and is missing in the other graph, or the fact itself."""
    subject = key[1]
    node = node_of(subject)
    owners: list[_Key] = [("dataset" if isinstance(node, DatasetId) else "job", node, None)]
    if isinstance(subject, ColumnId):
        owners.append(("column", subject, None))
    return next((owner for owner in owners if owner in facts and owner not in others), key)


def _reordered(before: Lineage, after: Lineage, names: Names) -> Iterator[LineageChange]:
    """Yield the datasets whose common columns have another order."""
    later = {dataset.id: dataset for dataset in after.datasets}
    for dataset in before.datasets:
        subject = names.of(dataset.id)
        assert isinstance(subject, DatasetId)
        now = later.get(subject)
        if now is None or now.facets == dataset.facets:
            continue
        new = [column.name for column in now.columns]
        ends = [(names.of(ColumnId(dataset.id, column.name)), column.name) for column in dataset.columns]
        kept = {end.name: old for end, old in ends if isinstance(end, ColumnId) and end.name in new}
        ordered = [name for name in new if name in kept]
        if ordered != list(kept):
            old_order = tuple(kept.values())
            yield LineageChange(
                "order",
                Fact("order", dataset.id, None, old_order),
                Fact("order", subject, None, tuple(ordered)),
            )


class _Effect:
    """Which changes a reader of a dataset notices."""

    def __init__(self, before: Lineage, after: Lineage) -> None:
        self._was_written = {edge.target for edge in before.edges if isinstance(edge.source, JobId)}
        self._is_written = {edge.target for edge in after.edges if isinstance(edge.source, JobId)}
        self._after = after

    @cached_property
    def _with_source(self) -> set[End]:
        """The columns and datasets whose values are computed from others."""
        columns = ColumnEdges.of(self._after.columns)
        ends = map(columns.ends.known.__getitem__, columns.targets(_is_value))
        found: set[End] = {end for end in ends if isinstance(end, ColumnId)}
        return found.union(edge.target for edge in self._after.edges if isinstance(edge.source, DatasetId))

    def is_breaking(self, change: LineageChange) -> bool:
        old, kind = change.before, change.kind
        if change.part == "dataset":
            return kind in ("removed", "renamed") and old is not None and old.subject in self._was_written
        if change.part == "column":
            return kind != "added"
        if change.part == "output":
            return change.after is None and old is not None and old.other not in self._is_written
        facts = [fact for fact in (change.before, change.after) if fact is not None]
        if change.part == "rows" or (
            change.part == "source" and not any(_is_value(one.value) for one in facts)
        ):
            return (
                len({_row_effects(fact) for fact in facts} | ({frozenset()} if len(facts) == 1 else set()))
                > 1
            )
        if change.part == "statistics":
            return True
        if change.part == "source":
            is_lost = kind == "removed" and change.subject not in self._with_source
            return change.masking is not None or (
                is_lost and old is not None and old.subject == change.subject
            )
        return False


def _is_value(steps: Steps) -> bool:
    """Return whether a source contributes to a value. Without transformations, it does."""
    return not steps or any(step.type == "DIRECT" for step in steps)


def _row_effects(fact: Fact) -> frozenset[str]:
    """Return the transformations that decide about rows, such as FILTER."""
    kinds = (step.subtype or step.type for step in fact.value if step.type != "DIRECT")
    return frozenset(kind for kind in kinds if kind not in _KEEPS_ROWS)


_KINDS = ("removed", "renamed", "changed", "added")
_PARTS = ("dataset", "column", "source", "rows", "output", "job", "input")


def _order(change: LineageChange) -> tuple[Any, ...]:
    part = _PARTS.index(change.part) if change.part in _PARTS else len(_PARTS)
    importance = change.masking != "lost", _KINDS.index(change.kind), part
    return not change.is_breaking, *importance, repr(change.before), repr(change.after)
