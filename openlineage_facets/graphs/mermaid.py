"""Lineage graphs in Mermaid, which GitHub draws in comments and summaries."""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import count

from openlineage_facets.graphs.focus import restricted
from openlineage_facets.graphs.labels import labels_of, redacted, redacted_end, short_name
from openlineage_facets.graphs.links import Link, columns_with_lineage, links_of, nodes_of
from openlineage_facets.graphs.style import Mark, color
from openlineage_facets.state import ColumnId, Lineage, Node

MOST_EDGES = 500
"""The edges that GitHub draws at most."""

MOST_CHARACTERS = 50_000
"""The length of a diagram that GitHub draws at most."""

_MOST_NODES = MOST_CHARACTERS // len('  j0([""]):::job')
"""More nodes than these do not fit, whatever their names."""

_STYLES = tuple(
    f"classDef {kind} fill:{color(kind)},stroke:{color(stroke)},color:{color('text')}"
    for kind, stroke in (("dataset", "faint"), ("job", "faint"), ("failed", "bad"))
)
_MARK_STYLES = {
    "added": f"stroke:{color('good')},stroke-width:3px",
    "removed": f"stroke:{color('bad')},stroke-width:3px,stroke-dasharray:5 3",
    "changed": f"stroke:{color('busy')},stroke-width:3px",
}
_PLAIN = frozenset(" ._-/:,…")
"""Besides letters and digits, what is no syntax in a label."""


@dataclass(frozen=True)
class Mermaid:
    """A diagram.

    Args:
        text: The diagram.
        left_out: What it does not show because of GitHub's limits, as in `"12 of 80 jobs and datasets"`.
            Empty if nothing is missing.
    """

    text: str
    left_out: str = ""


def mermaid(lineage: Lineage, *, columns: bool = False, marks: Mapping[Node, Mark] | None = None) -> Mermaid:
    """Return a graph as a Mermaid flowchart within GitHub's limits.

    If the graph is too large, columns are left out first, then the jobs and datasets that are farthest from
    the sources.

    Args:
        lineage: The graph.
        columns: Draw the columns with lineage and the edges between them.
        marks: The jobs and datasets that have been added, removed or changed.

    Example:
        >>> diagram = mermaid(state.lineage())
        >>> print("```mermaid", diagram.text, "```", sep="\\n")
    """
    lineage = redacted(lineage)  # Diagrams are published in comments.
    marks = {redacted_end(node): mark for node, mark in (marks or {}).items()}
    left_out: list[str] = []
    if columns:
        text = _diagram(lineage, marks, columns=True)
        if text is not None:
            return Mermaid(text)
        left_out.append("all columns")
    text = _diagram(lineage, marks)
    if text is None:
        order = _from_sources(lineage)
        shown = _largest_fitting(lineage, order, marks)
        left_out.append(f"{len(order) - shown:,} of {len(order):,} jobs and datasets")
        note = f"not shown: {' and '.join(left_out)}"
        text = _diagram(restricted(lineage, set(order[:shown])), marks, note=note)
    return Mermaid(text or "", " and ".join(left_out))


def _largest_fitting(lineage: Lineage, order: list[Node], marks: Mapping[Node, Mark]) -> int:
    """Return how many of the first nodes fit."""
    longest_note = f"not shown: all columns and {len(order):,} of {len(order):,} jobs and datasets"
    most = min(len(order), _MOST_NODES)
    lineage = restricted(lineage, set(order[:most]))  # Each of the steps examines all of it.

    def is_too_large(count: int) -> bool:
        return _diagram(restricted(lineage, set(order[:count])), marks, note=longest_note) is None

    return bisect_left(range(1, most + 1), True, key=is_too_large)


def _from_sources(lineage: Lineage) -> list[Node]:
    """Return all nodes, connected ones together, by distance from the sources."""
    links = links_of(lineage)
    neighbours: dict[Node, list[Node]] = {}
    targets = {target for _, target in links}
    for source, target in links:
        neighbours.setdefault(source, []).append(target)
        neighbours.setdefault(target, []).append(source)
    nodes = nodes_of(lineage)
    connected = sorted((node for node in nodes if node in neighbours), key=lambda node: node in targets)
    order: dict[Node, None] = {}
    for start in connected:
        queue = deque([start])
        while queue:
            node = queue.popleft()
            if node not in order:
                order[node] = None
                queue.extend(neighbours[node])
    return [*order, *(node for node in nodes if node not in neighbours)]


def _diagram(
    lineage: Lineage, marks: Mapping[Node, Mark], *, columns: bool = False, note: str = ""
) -> str | None:
    """Return a diagram, or None if it is too large."""
    links = links_of(lineage)
    if len(links) + len(lineage.columns) * columns > MOST_EDGES:
        return None
    text = "\n".join((*_lines(lineage, links, marks, columns, note), ""))
    return text if len(text) <= MOST_CHARACTERS else None


def _lines(
    lineage: Lineage, links: tuple[Link, ...], marks: Mapping[Node, Mark], columns: bool, note: str
) -> Iterator[str]:
    yield "flowchart LR"
    labels = {node: str(label) for node, label in labels_of(lineage).items()}
    # Colors alone are not enough.
    labels |= {node: f"{marks[node]}: {label}" for node, label in labels.items() if node in marks}
    numbers = count()
    ids: dict[ColumnId | Node, str] = {}
    with_lineage = columns_with_lineage(lineage) if columns else {}
    for dataset in lineage.datasets:
        ids[dataset.id] = f"d{next(numbers)}"
        if of_dataset := with_lineage.get(dataset.id):
            yield f"  subgraph {ids[dataset.id]}[{_label(labels[dataset.id])}]"
            for column in of_dataset:
                number = ids[ColumnId(dataset.id, column.name)] = f"c{next(numbers)}"
                yield f"    {number}[{_label(short_name(column.name))}]"
            yield "  end"
        else:
            yield f"  {ids[dataset.id]}[({_label(labels[dataset.id])})]:::dataset"
    for job in lineage.jobs:
        ids[job.id] = f"j{next(numbers)}"
        failed = job.last_run and job.last_run.state and job.last_run.state.value in ("FAIL", "ABORT")
        yield f"  {ids[job.id]}([{_label(labels[job.id])}]):::{'failed' if failed else 'job'}"
    for source, target in links:
        yield f"  {ids[source]} --> {ids[target]}"
    for edge in lineage.columns if columns else ():
        yield f"  {ids[edge.source]} -.-> {ids[edge.target]}"
    if note:
        yield f"  note[{_label(note)}]"
    yield from (f"  {style}" for style in _STYLES)
    for mark, style in _MARK_STYLES.items():
        if marked := [number for end, number in ids.items() if marks.get(end) == mark]:  # type: ignore[arg-type]
            yield f"  classDef {mark} {style}"
            yield f"  class {','.join(marked)} {mark}"


def _label(text: str) -> str:
    """Return a quoted label. Everything that could be syntax, markup or a link is written as an entity."""
    return '"' + "".join(map(_label_character, text, f"{text[1:]}x")) + '"'


def _label_character(char: str, after: str) -> str:
    # A dot or a hyphen before a space may begin a Markdown list.
    begins_list = char in ".-" and after == " "
    is_plain = char.isalnum() or (char in _PLAIN and not begins_list)
    return char if is_plain else f"#{ord(char)};"
