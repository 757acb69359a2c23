"""Write changes of lineage as text, Markdown and JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import compress, islice
from operator import attrgetter
from typing import Any

from openlineage_facets.base.display.printable import printable
from openlineage_facets.base.errors.findings import Finding
from openlineage_facets.base.redaction.redact import redact_for_display
from openlineage_facets.graphs.focus import restricted, with_neighbours
from openlineage_facets.graphs.mermaid import mermaid
from openlineage_facets.graphs.style import Mark
from openlineage_facets.graphs.summaries import counted
from openlineage_facets.review.changes import Fact, LineageChange, LineageChanges
from openlineage_facets.review.reviewed_lineage import joined
from openlineage_facets.state import ColumnId, JobId, Node, Transformation
from openlineage_facets.state.column_edges import End, node_of

_MOST_CHARACTERS = 65_000
"""The length of a comment on GitHub is at most 65,536 characters."""

_MOST_REACHED = 5

_MOST_PARTS = 3
"""Outputs of an added job, sources of an added column, and tagged columns of an added dataset."""


def text_report(changes: LineageChanges) -> str:
    """Return the changes as text, one paragraph for each job and dataset."""
    return "".join(f"{line}\n" for line in _text_lines(changes))


def _text_lines(changes: LineageChanges) -> Iterator[str]:
    for node, of_node in _by_node(changes).items():
        is_breaking, is_tagged = (any(map(attrgetter(name), of_node)) for name in ("is_breaking", "new_tags"))
        mark = ", ".join(compress(("BREAKING", "TAGGED"), (is_breaking, is_tagged))) or "changed"
        yield f"{mark:<8} {_kind(node)} {end_text(node)}{_owned_by(changes, node)}"
        yield from (f"    {change_text(change)}" for change in of_node)
        if reached := _reached(changes, of_node):
            yield f"    reaches  {reached}"
    yield summary_line(changes)


def markdown_report(changes: LineageChanges) -> str:
    """Return the changes as a comment for a pull request, within GitHub's limits.

    A diagram shows the changed jobs and datasets and their neighbours, if there is space for it.
    """
    end = f"\n{_cell(summary_line(changes))}\n"
    head = ["| job or dataset | change | breaking | reaches |", "| --- | --- | --- | --- |"]
    lines, left_out, size = head if changes else [], 0, len(end) + 200
    for node, of_node in _by_node(changes).items():
        name, reached = f"{_kind(node)} {_code(end_text(node))}", _cell(_reached(changes, of_node))
        for change in of_node:
            breaking = ", ".join(compress(("yes", "tagged"), (change.is_breaking, change.new_tags)))
            row = f"| {name} | {_cell(change_text(change))} | {breaking} | {reached} |"
            if size + len(row) + 1 > _MOST_CHARACTERS:
                left_out += 1
                continue
            size += len(row) + 1
            lines.append(row)
            name = reached = ""  # They are those of the row above.
    if left_out:
        lines.append(f"\n{left_out:,} more, which do not fit into a comment")
    table = "".join(f"{line}\n" for line in lines) + end
    picture = _picture(changes)
    return table + picture if len(table) + len(picture) <= _MOST_CHARACTERS else table


def _picture(changes: LineageChanges) -> str:
    if not changes:
        return ""
    everything = joined([changes.before, changes.after])
    marks: dict[Node, Mark] = {}
    for change in changes.changes:
        if isinstance(change.subject, ColumnId) or not change.is_of_entity:
            marks.setdefault(change.node, "changed")
        elif change.kind in ("added", "removed"):
            marks[change.node] = change.kind
        else:
            marks |= {node_of(change.facts[0].subject): "removed", change.node: "added"}
    part = restricted(everything, with_neighbours(everything, marks))
    return f"\n```mermaid\n{mermaid(part, marks=marks).text}```\n"


def json_report(changes: LineageChanges) -> str:
    """Return the changes as one JSON object."""
    found = [
        {
            "kind": change.kind,
            "part": change.part,
            "breaking": change.is_breaking,
            "newTags": list(change.new_tags),
            "text": change_text(change),
            "before": None if change.before is None else _fact(change.before),
            "after": None if change.after is None else _fact(change.after),
            "parts": [{"part": part.part, **_fact(part)} for part in change.parts],
            "downstream": [
                {**_end(node), "owners": list(changes.owners(node))} for node in changes.downstream(change)
            ],
        }
        for change in changes.changes
    ]
    return (
        json.dumps({"breaking": changes.is_breaking, "changes": found}, indent=2, ensure_ascii=False) + "\n"
    )


def finding_of(changes: LineageChanges, change: LineageChange) -> Finding:
    """Return a change as a finding: an error if it is breaking, else a warning."""
    reached = changes.downstream(change)
    count = f"; reaches {len(reached):,} jobs and datasets" if reached else ""
    return Finding(
        pointer=end_text(change.subject),
        expected="",
        found="",
        code=f"masking-{change.masking}" if change.masking else f"{change.part}-{change.kind}",
        severity="error" if change.is_breaking else "warning",
        problem=f"{' '.join(change_text(change).split())}{count}",
    )


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
    if change.is_of_entity:
        what = column or change.part
        if new is None:
            return f"removed  {what}"
        if old is None:
            return f"added    {_added_text(new, change.parts)}"
        if change.kind == "renamed":
            was = old.subject.name if column else end_text(old.subject)
            return f"renamed  {what}, was {printable(was)}"
        was = f", was column {printable(old.subject.name)}" if old.subject.name != new.subject.name else ""
        return f"type     {what}: {_type(old)} -> {_type(new)}{was}"
    if change.part in ("source", "rows"):
        return f"{change.part:<8} {column}{': ' if column else ''}{_source_text(change)}"
    if change.part in ("input", "output"):
        fact = new or old
        verb = "reads" if change.part == "input" else "writes"
        text = f"{change.part:<8} {'no longer ' if new is None else ''}{verb} {_other(fact)}"
        return f"{text} {_feeding_text(old, new)}" if old is not None and new is not None else text
    if change.part == "columns":
        return (
            f"columns  writes {_other(new or old)} {'with' if new is None else 'without'} lineage of columns"
        )
    was, now = (", ".join(map(printable, _texts(fact))) or "none" for fact in (old, new))
    return f"{change.part:<8} {column}{': ' if column else ''}{was} -> {now}"


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
        shown = _first_ones(texts, len(sources), _MOST_PARTS, ", ")
        kind = f" ({_type(fact)})" if fact.value else ""
        return f"column {printable(subject.name)}{kind}{f' <- {shown}' if shown else ''}{tags}"
    if fact.part == "job":
        outputs = [part for part in parts if part.part == "output"]
        shown = _first_ones(map(_other, outputs), len(outputs), _MOST_PARTS, ", ")
        return f"job{f', writes {shown}' if shown else ''}"
    tagged = [part.subject for part in parts if part.part == "tags" and part.subject != subject]
    columns = {part.subject: part for part in parts if part.part == "column"}
    texts = (_added_text(columns.get(end, Fact("column", end)), parts) for end in tagged)
    shown = _first_ones(texts, len(tagged), _MOST_PARTS, "; ")
    return f"{fact.part}{tags}{f' with {shown}' if shown else ''}"


def _first_ones(texts: Iterable[str], count: int, most: int, separator: str) -> str:
    return separator.join(islice(texts, most)) + (f" and {count - most:,} more" if count > most else "")


def _source_text(change: LineageChange) -> str:
    old, new = change.before, change.after
    if old is not None and new is not None:
        masked = {"lost": ", no longer masked", "new": ", masked now", None: ""}[change.masking]
        return f"{_other(new)}: {steps_text(old.value)} -> {steps_text(new.value)}{masked}"
    fact = new or old
    return f"{change.kind} {_other(fact)} ({steps_text(fact.value if fact else ())})"


def steps_text(steps: tuple[Transformation, ...]) -> str:
    """Return the kinds of transformations."""
    texts = (f"{printable(one.subtype or one.type)}{' masked' if one.masking else ''}" for one in steps)
    return ", ".join(dict.fromkeys(texts)) or "unknown"


def _type(fact: Fact) -> str:
    return printable(fact.value) if fact.value else "unknown"


def _texts(fact: Fact | None) -> tuple[str, ...]:
    if fact is None:
        return ()
    return (fact.value,) if isinstance(fact.value, str) else tuple(fact.value)


def _feeding_text(old: Fact, new: Fact) -> str:
    """Return which inputs of a job feed one of its outputs now."""
    if old.value is None or new.value is None:
        was, now = ("all inputs" if one.value is None else _listed(one.value) for one in (old, new))
        return f"from {now}, was from {was}"
    added, removed = ([one for one in a.value if one not in b.value] for a, b in ((new, old), (old, new)))
    texts = (f"{verb} {_listed(ends)}" for verb, ends in (("also from", added), ("no longer from", removed)))
    return ", ".join(compress(texts, (added, removed)))


def _listed(ends: Iterable[End]) -> str:
    return ", ".join(map(end_text, ends)) or "no input"


def _other(fact: Fact | None) -> str:
    return "" if fact is None or fact.other is None else end_text(fact.other)


def end_text(end: End) -> str:
    """Return the name of a job, dataset or column, with secrets redacted."""
    if isinstance(end, ColumnId):
        return f"{end_text(end.dataset)}.{name_text(end.name)}"
    return f"{name_text(end.namespace)} {name_text(end.name)}"


@lru_cache(maxsize=1 << 15)  # Paths contain the names of all datasets of a large graph again and again.
def name_text(name: str) -> str:
    """Return a name with secrets redacted."""
    return printable(redact_for_display(name))


def _by_node(changes: LineageChanges) -> dict[Node, list[LineageChange]]:
    found: dict[Node, list[LineageChange]] = {}
    names = {change.facts[0].subject: change.node for change in changes.changes if change.kind == "renamed"}
    for change in changes.changes:
        # What a renamed job or dataset has lost is shown with it.
        found.setdefault(names.get(change.node, change.node), []).append(change)
    return found


def _reached(changes: LineageChanges, of_node: list[LineageChange]) -> str:
    nodes = changes.downstream(*of_node)
    shown = (f"{_kind(node)} {end_text(node)}{_owned_by(changes, node)}" for node in nodes)
    return _first_ones(shown, len(nodes), _MOST_REACHED, ", ")


def _owned_by(changes: LineageChanges, node: Node) -> str:
    owners = changes.owners(node)
    return f" (owned by {', '.join(map(name_text, owners))})" if owners else ""


def _kind(node: Node) -> str:
    return "job" if isinstance(node, JobId) else "dataset"


def _cell(text: str) -> str:
    return "".join(f"\\{char}" if char in "\\|`*_[]<>#~@" else char for char in " ".join(text.split()))


def _code(text: str) -> str:
    fence = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    space = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{space}{text}{space}{fence}".replace("|", "\\|")


def _fact(fact: Fact) -> dict[str, Any]:
    other = {} if fact.other is None else {"other": _end(fact.other)}
    return {**_end(fact.subject), **other, "value": _value(fact)}


def _value(fact: Fact) -> Any:
    if fact.part in ("source", "rows"):
        steps = ({"type": one.type, "subtype": one.subtype, "masking": one.masking} for one in fact.value)
        return [{name: value for name, value in step.items() if value is not None} for step in steps]
    if fact.part == "output" and fact.value is not None:
        return [_end(one) for one in fact.value]
    return list(fact.value) if isinstance(fact.value, tuple) else fact.value


def _end(end: End) -> dict[str, str]:
    if isinstance(end, ColumnId):
        return {**_end(end.dataset), "column": end.name}
    return {"entity": _kind(end), "namespace": end.namespace, "name": end.name}
