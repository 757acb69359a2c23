"""Changes of lineage as one graph, in which they are marked."""

from __future__ import annotations

from dataclasses import replace

from openlineage_facets.graphs.focus import restricted, with_neighbours
from openlineage_facets.graphs.page import Marks, page
from openlineage_facets.graphs.style import Mark
from openlineage_facets.review.change_texts import change_text, summary_line
from openlineage_facets.review.changes import Fact, LineageChange, LineageChanges
from openlineage_facets.review.paths import grouped
from openlineage_facets.review.reviewed_lineage import joined
from openlineage_facets.state import ColumnEdge, ColumnId, Edge, Lineage, LineageDataset
from openlineage_facets.state.column_edges import End, node_of


def change_page(changes: LineageChanges) -> str:
    """Return a page with what has changed, its neighbours and what it reaches; or with everything."""
    both = both_graphs(changes)
    marks = marks_of(changes, both)
    changed = {end for end in marks.ends if not isinstance(end, ColumnId)}
    reached = changes.downstream(*changes.changes)
    lineage = restricted(both, with_neighbours(both, changed).union(reached)) if changes else both
    has_columns = any(isinstance(end, ColumnId) for end in marks.ends)
    return page(lineage, title=f"Lineage: {summary_line(changes)}", columns=has_columns, marks=marks)


def both_graphs(changes: LineageChanges) -> Lineage:
    """Return one graph with everything of both, and of the context. Removed columns follow the others."""
    later = {dataset.id for dataset in changes.everything.datasets}
    datasets = tuple(
        _with_only_columns(dataset) if dataset.id in later else dataset for dataset in changes.before.datasets
    )
    return joined([replace(changes.before, datasets=datasets), changes.everything])


def _with_only_columns(dataset: LineageDataset) -> LineageDataset:
    """Return a dataset without facets that the later graph may not have any more."""
    return replace(dataset, facets={key: dataset.facets[key] for key in ("schema",) if key in dataset.facets})


def marks_of(changes: LineageChanges, both: Lineage) -> Marks:
    """Return the marks of all changes. What belongs to something added or removed is marked, too."""
    ends: dict[End, Mark] = {}
    links: dict[tuple[End, End], Mark] = {}
    texts = grouped((change.node, " ".join(change_text(change).split())) for change in changes.changes)
    for change in changes.changes:
        if change.is_of_entity:
            is_renamed = change.kind == "renamed"  # The old name is removed.
            if is_renamed:
                ends[change.facts[0].subject] = "removed"
            ends[change.subject] = "added" if is_renamed else _mark(change)
        elif change.part in ("source", "input", "output", "rows"):
            links[_link(change.facts[-1])] = _mark(change)
    for change in changes.changes:
        for end in (change.subject, change.node):
            ends.setdefault(end, "changed")
    drawn: list[Edge | ColumnEdge] = [*both.edges, *both.columns]
    for link in ((edge.source, edge.target) for edge in drawn):
        marks = {ends.get(end) for end in (*link, *map(node_of, link))}
        mark: Mark | None = "removed" if "removed" in marks else "added" if "added" in marks else None
        if mark is not None:
            links.setdefault(link, mark)
    return Marks(ends, links, texts)


def _mark(change: LineageChange) -> Mark:
    return "added" if change.before is None else "removed" if change.after is None else "changed"


def _link(fact: Fact) -> tuple[End, End]:
    assert fact.other is not None
    return (fact.subject, fact.other) if fact.part == "output" else (fact.other, fact.subject)
