"""Changes of lineage, and the names in them, in one line."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import compress, islice

from openlineage_facets.base.display.printable import printable
from openlineage_facets.base.display.short_values import counted
from openlineage_facets.base.redaction.redact import redact_for_display
from openlineage_facets.review.changes import Fact, LineageChange, LineageChanges
from openlineage_facets.state import ColumnId, Transformation
from openlineage_facets.state.column_edges import End

_MOST_PARTS = 3
"""Outputs of an added job, sources of an added column, and tagged columns of an added dataset."""


def summary_line(changes: LineageChanges) -> str:
    """Return the number of changes."""
    if not changes:
        return "no differences in lineage"
    breaking = sum(change.is_breaking for change in changes.changes)
    tagged = [change for change in changes.changes if change.new_tags]
    others = len(changes.changes) - breaking - len(tagged)
    tags = ", ".join(map(printable, dict.fromkeys(tag for change in tagged for tag in change.new_tags)))
    new = f"{counted(len(tagged), 'change')} with new data tagged {tags}; " if tagged else ""
    return f"{new}{counted(breaking, 'breaking change')}, {counted(others, 'other')}"


def change_text(change: LineageChange) -> str:
    """Return what has changed in a job or dataset, in one line."""
    old, new = change.before, change.after
    column = f"column {printable(change.subject.name)}" if isinstance(change.subject, ColumnId) else ""
    about = f"{change.part:<8} {column}{': ' if column else ''}"
    if change.is_of_entity:
        what = column or change.part
        if new is None:
            return f"removed  {what}"
        if old is None:
            return f"added    {_added_text(new, change.parts)}"
        if change.kind == "renamed":
            was = old.subject.name if column else end_text(old.subject)
            return f"renamed  {what}, was {printable(was)}"
        return f"type     {what}: {_type(old)} -> {_type(new)}"
    if change.part in ("source", "rows"):
        return f"{about}{_source_text(change)}"
    other = _other(change.facts[-1])
    if change.part in ("input", "output"):
        verb = f"{'no longer ' if new is None else ''}{'reads' if change.part == 'input' else 'writes'}"
        return f"{about}{verb} {other}{_feeding_text(old, new)}"
    if change.part == "columns":
        return f"{about}writes {other} {'with' if new is None else 'without'} lineage of columns"
    was, now = (", ".join(map(printable, _texts(fact))) or "none" for fact in (old, new))
    return f"{about}{was} -> {now}"


def _added_text(fact: Fact, parts: tuple[Fact, ...]) -> str:
    """Return what an added job writes, or a column is computed from; of a dataset, its columns with tags."""
    subject = fact.subject
    own = [part for part in parts if part.subject == subject]
    tags = "".join(f", {printable(tag)}" for part in own if part.part == "tags" for tag in part.value)
    if isinstance(subject, ColumnId):
        sources = [part for part in own if part.part == "source"]
        # Sources that only decide about rows are the least important ones.
        sources.sort(key=lambda part: bool(part.value) and not any(step.is_direct for step in part.value))
        texts = (f"{_other(part)} ({steps_text(part.value)})" for part in sources)
        shown = first_ones(texts, len(sources), _MOST_PARTS, ", ")
        kind = f" ({_type(fact)})" if fact.value else ""
        return f"column {printable(subject.name)}{kind}{f' <- {shown}' if shown else ''}{tags}"
    if fact.part == "job":
        outputs = [part for part in parts if part.part == "output"]
        shown = first_ones(map(_other, outputs), len(outputs), _MOST_PARTS, ", ")
        return f"job{f', writes {shown}' if shown else ''}"
    tagged = [part.subject for part in parts if part.part == "tags" and part.subject != subject]
    columns = {part.subject: part for part in parts if part.part == "column"}
    texts = (_added_text(columns.get(end, Fact("column", end)), parts) for end in tagged)
    shown = first_ones(texts, len(tagged), _MOST_PARTS, "; ")
    return f"{fact.part}{tags}{f' with {shown}' if shown else ''}"


def first_ones(texts: Iterable[str], count: int, most: int, separator: str, at_least: str = "") -> str:
    """Return the first texts joined, and how many more there are.

    Args:
        texts: The texts.
        count: How many there are.
        most: How many to show.
        separator: What is between them.
        at_least: What is before the number of others.
    """
    more = f" and {at_least}{count - most:,} more" if count > most else ""
    return f"{separator.join(islice(texts, most))}{more}"


def _source_text(change: LineageChange) -> str:
    old, new = change.before, change.after
    if old is not None and new is not None:
        masked = {"lost": ", no longer masked", "new": ", masked now", None: ""}[change.masking]
        return f"{_other(new)}: {steps_text(old.value)} -> {steps_text(new.value)}{masked}"
    (fact,) = change.facts
    return f"{change.kind} {_other(fact)} ({steps_text(fact.value)})"


def steps_text(steps: tuple[Transformation, ...]) -> str:
    """Return the kinds of transformations."""
    texts = (f"{printable(step.subtype or step.type)}{' masked' if step.masking else ''}" for step in steps)
    return ", ".join(dict.fromkeys(texts)) or "unknown"


def _type(fact: Fact) -> str:
    return printable(fact.value) if fact.value else "unknown"


def _texts(fact: Fact | None) -> tuple[str, ...]:
    if fact is None:
        return ()
    return (fact.value,) if isinstance(fact.value, str) else tuple(fact.value)


def _feeding_text(old: Fact | None, new: Fact | None) -> str:
    """Return which inputs of a job feed one of its outputs now, if that has changed."""
    if old is None or new is None:
        return ""
    if old.value is None or new.value is None:
        was, now = ("all inputs" if fact.value is None else _listed(fact.value) for fact in (old, new))
        return f" from {now}, was from {was}"
    added, removed = ([end for end in a.value if end not in b.value] for a, b in ((new, old), (old, new)))
    texts = (f"{verb} {_listed(ends)}" for verb, ends in (("also from", added), ("no longer from", removed)))
    return f" {', '.join(compress(texts, (added, removed)))}"


def _listed(ends: Iterable[End]) -> str:
    return ", ".join(map(end_text, ends)) or "no input"


def _other(fact: Fact) -> str:
    return "" if fact.other is None else end_text(fact.other)


def end_text(end: End) -> str:
    """Return the name of a job, dataset or column, with secrets redacted."""
    if isinstance(end, ColumnId):
        return f"{end_text(end.dataset)}.{name_text(end.name)}"
    return f"{name_text(end.namespace)} {name_text(end.name)}"


@lru_cache(maxsize=1 << 15)  # Paths contain the names of all datasets of a large graph again and again.
def name_text(name: str) -> str:
    """Return a name with secrets redacted."""
    return printable(redact_for_display(name))
