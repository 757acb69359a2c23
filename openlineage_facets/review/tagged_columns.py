"""What columns with a tag reach without being masked, and tags that propagate along columns."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from openlineage_facets.review.downstream import Successors
from openlineage_facets.review.stable_lineage import sorted_items
from openlineage_facets.state import ColumnId, DatasetId, JobId, Lineage, LineageDataset, Node
from openlineage_facets.state.by_identity import by_identity
from openlineage_facets.state.column_edges import End, Steps, node_of


class TagReach:
    """Follows columns to what is computed from them, while their values are not masked.

    A dataset without column lineage may contain every column of what it is computed from, so it is reached
    as a whole.

    Args:
        graph: The graph.
        through: Transformations that decide about rows only, such as FILTER, and are followed too.
    """

    def __init__(self, graph: Successors, through: Collection[str] = ()) -> None:
        self._graph = graph

        def visible(steps: Steps) -> Steps | None:
            return passing(steps, through) or (None if steps else ())

        self._passing = by_identity(visible)
        self._ranks = graph.ends.ranks()

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
        ends, columns = self._graph.ends, self._graph.columns
        number = ends.of(end)
        for target in sorted(columns.get(number, ()), key=self._ranks.__getitem__):
            passed = self._passing(self._graph.column_edges.steps(number, target))
            if passed is not None:
                yield ends.known[target], passed
        node = node_of(end)
        if isinstance(node, DatasetId):
            flows = (flow.target for flow in self._graph.flows.get(node, ()) if flow.target != node)
            direct = (one for one in self._graph.edges.get(node, ()) if isinstance(one, DatasetId))
            for dataset in (*flows, *direct):
                if ends.node(dataset) not in self._graph.described:
                    yield dataset, None
            if end == node:
                for name, number in sorted(ends.columns(node).items()):
                    if number in columns:
                        yield ColumnId(node, name), None


def passing(steps: Steps, through: Collection[str]) -> Steps:
    """Return the transformations by which the values of a source, or rows chosen by them, are visible."""
    return tuple(one for one in steps if not one.masking and (one.type == "DIRECT" or one.subtype in through))


def is_tag(text: str, tag: str) -> bool:
    """Return whether a tag of a column, such as `pii=true`, is the one that is meant.

    Args:
        text: The key and the value of the tag of a column. A tag without a value is true.
        tag: A key, or key=value. Without a value, all but `false` count.
    """
    (key, _, value), (own_key, _, own_value) = tag.partition("="), text.partition("=")
    own_value = own_value or "true"
    return own_key == key and (own_value == value if value else own_value.lower() != "false")


def tagged(lineage: Lineage, tag: str) -> list[End]:
    """Return the columns with a tag, as in `is_tag`. If a dataset has it, the dataset and all its columns."""
    found: dict[End, None] = {}
    for dataset in lineage.datasets:
        for one in sorted_items(dataset.facets, "tags", "tags", "key", "value", "field"):
            if is_tag(f"{one['key']}={one.get('value', '')}", tag):
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
    if not (tags := tuple(tags)):
        return lineage
    reach = TagReach(Successors(lineage))
    added: dict[Node, list[dict[str, str]]] = defaultdict(list)
    for tag in tags:
        key, _, value = tag.partition("=")
        for end, before in reach.parents(tagged(lineage, tag)).items():
            if before is None or isinstance(end, JobId) or (before[1] is None and before[0] == node_of(end)):
                continue
            field = {"field": end.name} if isinstance(end, ColumnId) else {}
            added[node_of(end)].append({"key": key, "value": value or "true", **field})
    return replace(lineage, datasets=tuple(_with_tags(one, added.get(one.id)) for one in lineage.datasets))


def _with_tags(dataset: LineageDataset, tags: list[dict[str, str]] | None) -> LineageDataset:
    if not tags:
        return dataset
    facet = dataset.facets.get("tags")
    known = facet.get("tags", ()) if isinstance(facet, Mapping) else ()
    facets = {**dataset.facets, "tags": {"tags": [*known, *tags]}}
    return replace(dataset, facets=facets)
