"""What columns with a tag reach without being masked, and tags that propagate along columns."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from openlineage_facets.review.facts import End, node_of_end
from openlineage_facets.review.reviewed import sorted_items
from openlineage_facets.state import ColumnId, DatasetId, Flow, JobId, Lineage, LineageDataset
from openlineage_facets.state.by_identity import by_identity
from openlineage_facets.state.column_edges import Steps


class TagReach:
    """Follows columns to what is computed from them, while their values are not masked.

    A dataset without column lineage may contain every column of what it is computed from, so it is reached
    as a whole.

    Args:
        lineage: The graph.
        through: Transformations that decide about rows only, such as FILTER, and are followed too.
        flows: The flows between datasets, if they are known already.
    """

    def __init__(
        self, lineage: Lineage, through: Collection[str] = (), flows: Iterable[Flow] | None = None
    ) -> None:
        self._next: dict[End, list[tuple[End, Steps | None]]] = defaultdict(list)

        @by_identity
        def passing_steps(steps: Steps) -> Steps | None:
            return passing(steps, through) or (None if steps else ())

        next_of = by_identity(self._next.__getitem__)
        for edge in lineage.columns:
            steps = passing_steps(edge.transformations)
            if steps is not None:
                next_of(edge.source).append((edge.target, steps))
        ends = {id(edge.target): edge.target for edge in lineage.columns}
        described = {node_of_end(target) for target in ends.values()}
        ends = {id(edge.source): edge.source for edge in lineage.columns}
        columns_of: dict[DatasetId, dict[ColumnId, None]] = defaultdict(dict)
        for source in ends.values():
            if isinstance(source, ColumnId):
                columns_of[source.dataset][source] = None
        self._flows: dict[End, list[DatasetId]] = defaultdict(list)
        for flow in lineage.flows() if flows is None else flows:
            if flow.target not in described and flow.source != flow.target:
                self._flows[flow.source].append(flow.target)
        for one in lineage.edges:
            is_flow = isinstance(one.source, DatasetId) and isinstance(one.target, DatasetId)
            if is_flow and one.target not in described and isinstance(one.target, DatasetId):
                self._flows[one.source].append(one.target)
        self._columns = columns_of

    def parents(self, starts: Iterable[End]) -> dict[End, tuple[End, Steps | None] | None]:
        """Return everything that is reached, with the end before it on a shortest path; None for starts.

        The transformations are None from a dataset to its columns, and where those of columns are unknown.
        """
        found: dict[End, tuple[End, Steps | None] | None] = dict.fromkeys(starts)
        waiting = deque(found)
        while waiting:
            end = waiting.popleft()
            for target, steps in self._following(end):
                if target not in found:
                    found[target] = end, steps
                    waiting.append(target)
        return found

    def _following(self, end: End) -> Iterator[tuple[End, Steps | None]]:
        yield from self._next.get(end, ())
        node = node_of_end(end)
        for target in self._flows.get(node, ()):
            yield target, None
        if isinstance(end, DatasetId):
            for column in self._columns.get(end, ()):
                yield column, None


def passing(steps: Steps, through: Collection[str]) -> Steps:
    """Return the transformations by which the values of a source, or rows chosen by them, are visible."""
    return tuple(one for one in steps if not one.masking and (one.type == "DIRECT" or one.subtype in through))


def tagged(lineage: Lineage, tag: str) -> list[End]:
    """Return the columns with a tag. If a dataset has it, the dataset and all its columns.

    Args:
        lineage: The graph.
        tag: A key, or key=value. Without a value, all but `false` count.
    """
    key, _, value = tag.partition("=")
    found: dict[End, None] = {}
    for dataset in lineage.datasets:
        for one in sorted_items(dataset.facets, "tags", "tags", "key", "value", "field"):
            given = one.get("value", "true")
            if one["key"] == key and (given == value if value else given.lower() != "false"):
                found.update(dict.fromkeys(_tagged_ends(dataset, one.get("field"))))
    return list(found)


def _tagged_ends(dataset: LineageDataset, field: str | None) -> Iterator[End]:
    names = [column.name for column in dataset.columns]
    if field is None:
        yield dataset.id
        yield from (ColumnId(dataset.id, name) for name in names)
    else:
        # The tag of a nested column, such as customer.email, is one of its column.
        parent = field.partition(".")[0]
        yield ColumnId(dataset.id, parent if field not in names and parent in names else field)


def classified(lineage: Lineage, location: str) -> list[End]:
    """Return the columns that a facet of their dataset lists.

    Args:
        lineage: The graph.
        location: Facet key and field, such as `acme_privacy/columns`. The value is a list of names, or an
            object with names as keys.
    """
    key, _, field = location.partition("/")
    found: list[End] = []
    for dataset in lineage.datasets:
        facet = dataset.facets.get(key)
        names: Any = facet.get(field) if isinstance(facet, Mapping) else None
        if isinstance(names, (list, tuple, Mapping)):
            found += [ColumnId(dataset.id, name) for name in names if isinstance(name, str)]
    return found


def propagated(lineage: Lineage, tags: Iterable[str]) -> Lineage:
    """Return a graph in which columns have the tags of what they are computed from, unless it is masked."""
    reach = TagReach(lineage)
    added: dict[DatasetId, list[dict[str, str]]] = defaultdict(list)
    for tag in tags:
        key, _, value = tag.partition("=")
        for end, before in reach.parents(tagged(lineage, tag)).items():
            if before is None or isinstance(end, JobId) or (before[1] is None and before[0] == node_of(end)):
                continue
            field = {"field": end.name} if isinstance(end, ColumnId) else {}
            added[node_of(end)].append({"key": key, "value": value or "true", **field})
    return replace(lineage, datasets=tuple(_with_tags(one, added.get(one.id)) for one in lineage.datasets))


def node_of(end: ColumnId | DatasetId) -> DatasetId:
    """Return a dataset, or that of a column."""
    return end.dataset if isinstance(end, ColumnId) else end


def _with_tags(dataset: LineageDataset, tags: list[dict[str, str]] | None) -> LineageDataset:
    if not tags:
        return dataset
    facet = dataset.facets.get("tags")
    known = facet.get("tags", ()) if isinstance(facet, Mapping) else ()
    facets = {**dataset.facets, "tags": {"tags": [*known, *tags]}}
    return replace(dataset, facets=facets)
