"""Compare two lineage graphs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, TypeAlias

from openlineage_facets.review.changes import ENTITIES, Fact, LineageChange, LineageChanges, Part
from openlineage_facets.review.differing_facts import differing_facts
from openlineage_facets.review.paths import grouped
from openlineage_facets.review.renames import Names, renames
from openlineage_facets.review.reviewed_lineage import (
    joined,
    reviewed,
    reviewed_fields,
    written_datasets,
)
from openlineage_facets.review.tagged_columns import is_tag, propagated
from openlineage_facets.state import ColumnId, DatasetId, JobId, Lineage, LineageDataset
from openlineage_facets.state.column_edges import ColumnEdges, End, Steps, node_of
from openlineage_facets.state.lineage_nodes import member_of

_Key: TypeAlias = "tuple[str, End, End | None]"

_STATISTICS = ("rowCount", "size", "fileCount")

_DECIDES_ABOUT_ROWS = frozenset({"FILTER", "JOIN", "GROUP_BY"})
"""Indirect transformations by which a dataset has other rows."""


def compare(
    before: Lineage,
    after: Lineage,
    *,
    context: Iterable[Lineage] = (),
    statistics: tuple[float, float] | None = None,
    propagate: Collection[str] = (),
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
        propagate: Tags that columns have if they are computed, unmasked, from one that has it.

    Example:
        >>> changes = compare(read_lock(Path("lineage.lock.json").read_bytes()), state.lineage())
        >>> for change in changes.changes:
        ...     print(change.kind, change.part, change.subject, change.is_breaking)
    """
    reported = () if statistics is None else _statistic_changes(before, after, statistics)
    changes = list(dict.fromkeys(reported))
    before, after = (reviewed(propagated(lineage, propagate)) for lineage in (before, after))
    old_facts, new_facts = differing_facts(before, after)
    names = renames(old_facts, new_facts)
    old = {_key(fact, names): fact for fact in old_facts}
    new = {_key(fact, Names()): fact for fact in new_facts}
    for key, parts in _with_parts(old, new).items():
        if _is_change(old[key], new.get(key), names):
            changes.append(LineageChange(old[key].part, old[key], new.get(key), parts))
    for key, parts in _with_parts(new, old).items():
        if key not in old:
            changes.append(LineageChange(new[key].part, None, new[key], parts))
    changes += _reordered(before, after, names)
    is_breaking = _effects(before, after, names, changes)
    marked = (
        replace(change, is_breaking=is_breaking(change), new_tags=_new_tags(change, propagate))
        for change in changes
    )
    others = [reviewed(lineage) for lineage in context]
    return LineageChanges(
        tuple(sorted(marked, key=_order)), before, after, joined(others) if others else None
    )


def _key(fact: Fact, names: Names) -> _Key:
    return fact.part, names.of(fact.subject), None if fact.other is None else names.of(fact.other)


def _is_change(old: Fact, new: Fact | None, names: Names) -> bool:
    if new is None or (old.part in ENTITIES and old.subject in names):
        return True
    if old.part == "output" and old.value is not None and new.value is not None:
        return {*map(names.of, old.value)} != {*new.value}
    return bool(old.value != new.value)


def _with_parts(facts: dict[_Key, Fact], others: dict[_Key, Fact]) -> dict[_Key, tuple[Fact, ...]]:
    """Return the facts of one graph that are changes of their own if the other graph lacks them.

    Others are parts of a job, dataset or column that the other graph lacks, which has them as its parts.
    """

    def owner_of(key: _Key) -> _Key:
        node = node_of(key[1])
        owners: list[_Key] = [("dataset" if isinstance(node, DatasetId) else "job", node, None)]
        if isinstance(key[1], ColumnId):
            owners.append(("column", key[1], None))
        # The tag of a column may be older than the column.
        is_part = key not in others
        return next((owner for owner in owners if is_part and owner in facts and owner not in others), key)

    parts = grouped((owner_of(key), fact) for key, fact in facts.items())
    return {key: tuple(part for part in of_key if part is not facts[key]) for key, of_key in parts.items()}


def _reordered(before: Lineage, after: Lineage, names: Names) -> Iterator[LineageChange]:
    """Yield the datasets whose common columns have another order."""
    later: dict[End, LineageDataset] = {dataset.id: dataset for dataset in after.datasets}
    for dataset in before.datasets:
        now = later.get(names.of(dataset.id))
        if now is None or now.facets == dataset.facets:
            continue
        new = {field["name"]: None for field in reviewed_fields(now)}
        known = (ColumnId(dataset.id, field["name"]) for field in reviewed_fields(dataset))
        later_names = ((names.of(column), column.name) for column in known)
        common = {end.name: name for end, name in later_names if end.name in new}
        ordered = [name for name in new if name in common]
        if ordered != list(common):
            was = Fact("order", dataset.id, None, tuple(common.values()))
            yield LineageChange("order", was, Fact("order", now.id, None, tuple(ordered)))


def _statistic_changes(
    before: Lineage, after: Lineage, allowed: tuple[float, float]
) -> Iterator[LineageChange]:
    """Yield the changes of the outputs of jobs that both graphs contain. Lock files contain none of this."""
    earlier = dict(_reported(before))
    for key, value in _reported(after):
        old, (_, dataset, name) = earlier.get(key), key
        if old is None or old == value:
            continue
        part: Part = "lifecycle" if name == "lifecycle" else "statistics"
        values = (old, value) if part == "lifecycle" else (f"{name} {old:,}", f"{name} {value:,}")
        if part == "lifecycle" or not (old and allowed[0] <= Fraction(value) / Fraction(old) <= allowed[1]):
            was, is_now = (Fact(part, dataset, None, text) for text in values)
            yield LineageChange(part, was, is_now)


def _reported(lineage: Lineage) -> Iterator[tuple[tuple[JobId, DatasetId, str], Any]]:
    """Yield what the last runs of jobs reported about their outputs."""
    key = "lifecycleStateChange"
    lifecycles = {dataset.id: member_of(dataset.facets, key, key) for dataset in lineage.datasets}
    for job in lineage.jobs:
        for output in job.last_run.outputs if job.last_run else ():
            for name in _STATISTICS:
                value = member_of(output.facets, "outputStatistics", name)
                if isinstance(value, (int, float)) and not isinstance(value, bool):
                    yield (job.id, output.dataset, name), value
            if isinstance(lifecycle := lifecycles.get(output.dataset), str):
                yield (job.id, output.dataset, "lifecycle"), lifecycle


def _effects(
    before: Lineage, after: Lineage, names: Names, changes: Sequence[LineageChange]
) -> Callable[[LineageChange], bool]:
    """Return a function that returns whether a reader of a dataset notices one of the changes."""
    was_written, is_written = map(written_datasets, (before, after))
    removed = {change.subject for change in changes if change.part == "dataset" and change.kind == "removed"}
    # What is removed counts itself.
    orphaned = {node for node in was_written - removed if names.of(node) not in is_written}
    lost = {names.of(change.subject) for change in changes if _is_lost_value(change)}
    lost -= ColumnEdges.of(after.columns).computed(lost, _is_value)
    lost.difference_update(edge.target for edge in after.edges if isinstance(edge.source, DatasetId))
    retyped = [change for change in changes if change.part == "column" and change.kind == "changed"]
    nodes = {node_of(fact.subject) for change in retyped for fact in change.facts}
    old_fields, new_fields = (_fields(lineage, nodes) for lineage in (before, after))

    def is_breaking(change: LineageChange) -> bool:
        subjects = [fact.subject for fact in change.facts]
        if change.part == "dataset":
            return change.kind in ("removed", "renamed") and subjects[0] in was_written
        if change.part == "column" and change.kind == "changed":
            return not _has_type(new_fields[subjects[1]], old_fields[subjects[0]])
        if change.part == "column":
            return change.kind != "added"
        if change.part in ("job", "output"):
            facts = (*change.facts, *change.parts)
            outputs = {fact.other for fact in facts if fact.part == "output"}
            return change.kind == "removed" and not outputs.isdisjoint(orphaned)
        if change.part in ("source", "rows"):
            is_last = _is_lost_value(change) and names.of(change.subject) in lost
            has_other_rows = _row_effects(change.before) != _row_effects(change.after)
            return change.masking is not None or is_last or has_other_rows
        return change.part == "statistics"

    return is_breaking


def _fields(lineage: Lineage, datasets: Collection[End]) -> dict[End, Mapping[str, Any]]:
    """Return the fields of some datasets by column."""
    return {
        ColumnId(dataset.id, field["name"]): field
        for dataset in lineage.datasets
        if dataset.id in datasets
        for field in reviewed_fields(dataset)
    }


def _has_type(field: Mapping[str, Any], old: Mapping[str, Any]) -> bool:
    """Return whether readers of an old column find its type and all its nested columns, possibly more."""
    if old.get("type") not in (None, field.get("type")):
        return False
    nested = {part["name"]: part for part in field.get("fields", ())}
    return all(
        part["name"] in nested and _has_type(nested[part["name"]], part) for part in old.get("fields", ())
    )


def _is_lost_value(change: LineageChange) -> bool:
    """Return whether a source no longer contributes to the value of a column."""
    if change.part != "source":
        return False
    was, is_now = (fact is not None and _is_value(fact.value) for fact in (change.before, change.after))
    return was and not is_now


def _is_value(steps: Steps) -> bool:
    """Return whether a source contributes to a value. Without transformations, it does."""
    return not steps or any(step.is_direct for step in steps)


def _row_effects(fact: Fact | None) -> set[str]:
    """Return the transformations that decide about rows; of what is reported for rows, also unknown ones."""
    if fact is None:
        return set()
    if fact.part == "rows" and not fact.value:
        return {"None"}
    known = _DECIDES_ABOUT_ROWS | ({None} if fact.part == "rows" else set())
    return {str(step.subtype) for step in fact.value if not step.is_direct and step.subtype in known}


def _new_tags(change: LineageChange, tags: Iterable[str]) -> tuple[str, ...]:
    """Return which of some tags a column or dataset has only now."""
    is_added = change.is_of_entity and change.before is None
    if change.after is None or isinstance(change.node, JobId) or not (is_added or change.part == "tags"):
        return ()
    was = () if change.before is None else change.before.value
    facts = [fact for fact in (change.after, *change.parts) if fact.part == "tags"]
    new = (text for fact in facts for text in fact.value if text not in was)
    return tuple(dict.fromkeys(text for text in new if any(is_tag(text, tag) for tag in tags)))


_KINDS = ("removed", "renamed", "changed", "added")
_PARTS = ("dataset", "column", "source", "rows", "output", "job", "input")


def _order(change: LineageChange) -> tuple[Any, ...]:
    part = _PARTS.index(change.part) if change.part in _PARTS else len(_PARTS)
    importance = not change.new_tags, not change.is_breaking, change.masking != "lost"
    return *importance, _KINDS.index(change.kind), part, repr(change.before), repr(change.after)
