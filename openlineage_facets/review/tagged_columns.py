"""What columns with a tag reach without being masked, and tags that propagate along columns."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from openlineage_facets.review.downstream import Flows, Successors
from openlineage_facets.review.paths import grouped, last_steps
from openlineage_facets.review.reviewed_lineage import sorted_items
from openlineage_facets.state import ColumnId, DatasetId, JobId, Lineage, LineageDataset, Node
from openlineage_facets.state.by_identity import by_identity
from openlineage_facets.state.column_edges import End, Steps, node_of
from openlineage_facets.state.lineage_nodes import member_of, objects


class Step(NamedTuple):
    """A step of a path from a column with a tag."""

    before: End
    """What is reached before it."""
    source: End
    """The same, or the column that is part of it or contains it, from which the next one is computed."""
    transformations: Steps | None
    """None from a dataset to its columns, and where those of columns are unknown."""


class TagReach:
    """Follows columns to what is computed from them, while their values are not masked.

    What a job writes without column lineage may contain every column of what it reads, so it is reached as
    a whole.

    Args:
        graph: The graph.
        through: Transformations that decide about rows only, such as FILTER, and are followed too.
    """

    def __init__(self, graph: Successors, through: Collection[str] = ()) -> None:
        self._graph = graph

        def visible(steps: Steps) -> Steps | None:
            """Return those by which values, or rows chosen by them, are visible; None if all hide them."""
            shown = [step for step in steps if not step.masking]
            passed = tuple(step for step in shown if step.is_direct or step.subtype in through)
            return passed or (None if steps else ())

        self._passing = by_identity(visible)
        self._ranks = graph.ends.ranks()

    def parents(self, starts: Iterable[End]) -> dict[End, Step | None]:
        """Return everything that is reached, with the last step of a shortest path to it; None for starts."""
        self._links_from = Flows([flow for flow in self._graph.transfers if not flow.columns]).new_links()
        return last_steps(starts, self._following)

    def _following(self, end: End) -> Iterator[tuple[End, Step]]:
        ends, columns = self._graph.ends, self._graph.columns
        edges = sorted(self._graph.columns_after(ends.of(end)), key=lambda edge: self._ranks[edge[1]])
        for source, target in edges:
            passed = self._passing(self._graph.column_edges.steps(source, target))
            if passed is not None:
                yield ends.known[target], Step(end, ends.known[source], passed)
        node = node_of(end)
        if isinstance(node, DatasetId):
            unknown = Step(end, end, None)
            yield from ((link.target, unknown) for link in self._links_from(node))
            if end == node:
                for name, number in sorted(ends.columns(node).items()):
                    if number in columns:
                        yield ColumnId(node, name), unknown


def is_tag(text: str, tag: str) -> bool:
    """Return whether a tag of a column, such as `pii=true`, is the one that is meant.

    Args:
        text: The key and the value of the tag of a column. A tag without a value is true.
        tag: A key, or key=value in any case. Without a value, all but `false` count.
    """
    (key, _, value), (own_key, _, own_value) = tag.partition("="), text.partition("=")
    own_value = own_value.lower() or "true"
    return own_key == key and (own_value == value.lower() if value else own_value != "false")


def tagged(lineage: Lineage, tag: str) -> list[End]:
    """Return the columns with a tag, as in `is_tag`. If a dataset has it, the dataset and all its columns."""
    ends = (
        end
        for dataset in lineage.datasets
        for item in sorted_items(dataset.facets, "tags", "tags", "key", "value", "field")
        if is_tag(f"{item['key']}={item.get('value', '')}", tag)
        for end in _tagged_ends(dataset, item.get("field"))
    )
    return list(dict.fromkeys(ends))


def _tagged_ends(dataset: LineageDataset, field: str | None) -> Iterator[End]:
    if field is None:
        yield dataset.id
        yield from (ColumnId(dataset.id, column.name) for column in dataset.columns)
    else:
        yield ColumnId(dataset.id, field)


def classified(lineage: Lineage, location: str) -> list[End]:
    """Return the columns that a facet of their dataset lists.

    Args:
        lineage: The graph.
        location: Facet key and field, such as `acme_privacy/columns`. The value is a list of names, or an
            object with names as keys.
    """
    key, _, field = location.partition("/")
    columns: list[End] = []
    for dataset in lineage.datasets:
        names = member_of(dataset.facets, key, field)
        if isinstance(names, (list, tuple, Mapping)):
            columns += [ColumnId(dataset.id, name) for name in names if isinstance(name, str)]
    return columns


def propagated(lineage: Lineage, tags: Iterable[str]) -> Lineage:
    """Return a graph in which columns have the tags of what they are computed from, unless it is masked."""
    if not (tags := tuple(tags)):
        return lineage
    added = grouped(_reached_tags(lineage, tags))

    def with_tags(dataset: LineageDataset) -> LineageDataset:
        if dataset.id not in added:
            return dataset
        tags_facet = {"tags": [*objects(member_of(dataset.facets, "tags", "tags")), *added[dataset.id]]}
        return replace(dataset, facets={**dataset.facets, "tags": tags_facet})

    return replace(lineage, datasets=tuple(map(with_tags, lineage.datasets)))


def _reached_tags(lineage: Lineage, tags: Iterable[str]) -> Iterator[tuple[Node, dict[str, str]]]:
    """Yield the datasets to which tags propagate, with the tag as in a facet."""
    reach = TagReach(Successors(lineage))
    for tag in tags:
        key, _, value = tag.partition("=")
        for end, step in reach.parents(tagged(lineage, tag)).items():
            if step is not None and not isinstance(end, JobId) and step.before != node_of(end):
                field = {"field": end.name} if isinstance(end, ColumnId) else {}
                yield node_of(end), {"key": key, "value": value or "true", **field}
