"""Write changes of lineage as text, Markdown and JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from itertools import compress
from operator import attrgetter
from typing import Any

from openlineage_facets.base.errors.findings import Finding
from openlineage_facets.graphs.focus import restricted, with_neighbours
from openlineage_facets.graphs.mermaid import MOST_EDGES, mermaid
from openlineage_facets.graphs.style import Mark
from openlineage_facets.review.change_page import both_graphs, marks_of
from openlineage_facets.review.change_texts import change_text, end_text, first_ones, name_text, summary_line
from openlineage_facets.review.changes import Fact, LineageChange, LineageChanges
from openlineage_facets.review.paths import grouped
from openlineage_facets.state import ColumnId, JobId, Node
from openlineage_facets.state.column_edges import End

_MOST_CHARACTERS = 65_000
"""The length of a comment on GitHub is at most 65,536 characters."""

_MOST_FOLLOWED = 1_000
"""How many jobs and datasets are counted that a change reaches: many may each reach a large graph."""

_MOST_LISTED = 100
"""How many of them are in JSON."""

_MOST_REACHED = 5


def text_report(changes: LineageChanges) -> str:
    """Return the changes as text, one paragraph for each job and dataset."""
    return "".join(f"{line}\n" for line in _text_lines(changes))


def _text_lines(changes: LineageChanges) -> Iterator[str]:
    for node, of_node, reached in _by_node(changes):
        mark = _marks(of_node, "BREAKING", "TAGGED") or "changed"
        yield f"{mark:<8} {_kind(node)} {end_text(node)}{_owned_by(changes, node)}"
        yield from (f"    {change_text(change)}" for change in of_node)
        if reached:
            yield f"    reaches  {reached}"
    yield summary_line(changes)


def markdown_report(changes: LineageChanges) -> str:
    """Return the changes as a comment for a pull request, within GitHub's limits.

    A diagram shows the changed jobs and datasets and their neighbours, if there is space for it.
    """
    end = f"\n{_cell(summary_line(changes))}\n"
    head = ["| job or dataset | change | breaking | reaches |", "| --- | --- | --- | --- |"]
    lines, left_out, size = head if changes else [], 0, len(end) + 200
    for node, of_node, reached in _by_node(changes):
        name = f"{_kind(node)} {_code(end_text(node))}"
        for change in of_node:
            breaking = _marks([change], "yes", "tagged")
            row = f"| {name} | {_cell(change_text(change))} | {breaking} | {_cell(reached)} |"
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
    if not 0 < len({change.node for change in changes.changes}) <= MOST_EDGES:
        return ""  # GitHub does not draw so much.
    both = both_graphs(changes)
    ends = marks_of(changes, both).ends
    marks: dict[Node, Mark] = {end: mark for end, mark in ends.items() if not isinstance(end, ColumnId)}
    part = restricted(both, with_neighbours(both, marks))
    return f"\n```mermaid\n{mermaid(part, marks=marks).text}```\n"


def json_report(changes: LineageChanges) -> str:
    """Return the changes as one JSON object."""
    described = [
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
                {**_end(node), "owners": list(changes.owners(node))} for node in reached[:_MOST_LISTED]
            ],
            "downstreamCount": len(reached),
        }
        for change in changes.changes
        for reached in [changes.downstream(change, most=_MOST_FOLLOWED)]
    ]
    report = {"breaking": changes.is_breaking, "changes": described}
    return json.dumps(report, indent=2, ensure_ascii=False) + "\n"


def finding_of(changes: LineageChanges, change: LineageChange) -> Finding:
    """Return a change as a finding: an error if it is breaking, else a warning."""
    reached = changes.downstream(change, most=_MOST_FOLLOWED)
    count = f"; reaches {_at_least(reached)}{len(reached):,} jobs and datasets" if reached else ""
    return Finding(
        pointer=end_text(change.subject),
        expected="",
        found="",
        code=f"masking-{change.masking}" if change.masking else f"{change.part}-{change.kind}",
        severity="error" if change.is_breaking else "warning",
        problem=f"{' '.join(change_text(change).split())}{count}",
    )


def _by_node(changes: LineageChanges) -> Iterator[tuple[Node, list[LineageChange], str]]:
    """Yield each job or dataset, its changes, and what they reach."""
    # What a renamed job or dataset has lost is shown with it.
    names = {change.facts[0].subject: change.node for change in changes.changes if change.kind == "renamed"}
    by_node = grouped((names.get(change.node, change.node), change) for change in changes.changes)
    for node, of_node in by_node.items():
        nodes = changes.downstream(*of_node, most=_MOST_FOLLOWED)
        shown = (f"{_kind(other)} {end_text(other)}{_owned_by(changes, other)}" for other in nodes)
        yield node, of_node, first_ones(shown, len(nodes), _MOST_REACHED, ", ", _at_least(nodes))


def _at_least(nodes: Sequence[Node]) -> str:
    return "at least " if len(nodes) == _MOST_FOLLOWED else ""


def _marks(changes: Sequence[LineageChange], breaking: str, tagged: str) -> str:
    has = (any(map(attrgetter(name), changes)) for name in ("is_breaking", "new_tags"))
    return ", ".join(compress((breaking, tagged), has))


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
        names = ("type", "subtype", "masking")
        return [
            {name: value for name in names if (value := getattr(step, name)) is not None}
            for step in fact.value
        ]
    if fact.part == "output" and fact.value is not None:
        return [*map(_end, fact.value)]
    return list(fact.value) if isinstance(fact.value, tuple) else fact.value


def _end(end: End) -> dict[str, str]:
    if isinstance(end, ColumnId):
        return {**_end(end.dataset), "column": end.name}
    return {"entity": _kind(end), "namespace": end.namespace, "name": end.name}
