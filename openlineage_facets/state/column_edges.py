"""Data flow between columns, and its builder for graphs with a million edges."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

from openlineage_facets.base.wire.lazy_items import plain_items
from openlineage_facets.generated.column_lineage_dataset import ColumnLineageDatasetFacet
from openlineage_facets.state.entities import ColumnId, DatasetId, JobId

Node: TypeAlias = JobId | DatasetId
"""A job or a dataset."""

End: TypeAlias = ColumnId | Node
"""A job, a dataset or a column."""


def node_of(end: End) -> Node:
    """Return a job or dataset, or the dataset of a column."""
    return end.dataset if isinstance(end, ColumnId) else end


@dataclass(frozen=True, slots=True)
class Transformation:
    """How a source affects its target."""

    type: str
    """`DIRECT` or `INDIRECT`."""
    subtype: str | None = None
    """Such as `IDENTITY` or `JOIN`."""
    description: str | None = None
    """A readable description of the computation."""
    masking: bool | None = None
    """Whether it hides the original value."""


Steps: TypeAlias = tuple[Transformation, ...]
"""The transformations of an edge, sorted and without duplicates."""


class ColumnEdge(NamedTuple):
    """Data flow to or from a column: at least one end is a column."""

    source: End
    target: End
    transformations: Steps = ()
    """The reported transformations, without duplicates."""


def unique_steps(steps: Iterable[Transformation]) -> Steps:
    """Return transformations sorted and without duplicates."""
    return tuple(sorted(set(steps), key=repr))


def steps_of(steps: Iterable[Mapping[str, Any]]) -> Steps:
    """Return the transformations of a source in JSON. Those of most sources are equal, and returned again."""
    return _steps(
        *[(step["type"], step.get("subtype"), step.get("description"), step.get("masking")) for step in steps]
    )


@lru_cache(maxsize=4096)
def _steps(*steps: tuple[Any, ...]) -> Steps:
    return unique_steps(Transformation(*step) for step in steps)


class ColumnEdges:
    """Collects column edges without duplicates.

    An end is a number until the graph is built: computing the hash of a column takes longer than everything
    else that is done with an edge.
    """

    def __init__(self) -> None:
        self._numbers: dict[Node, dict[str | None, int]] = {}
        """The number of each node, under None, and of its columns."""
        self._ends: list[End] = []
        self._steps: dict[int, Steps] = {}
        """The transformations by the numbers of both ends, as one number."""
        self._named: dict[tuple[str, str], dict[str | None, int]] = {}
        """The numbers of a dataset by its names in the sources of `add_sources`."""

    def number(self, node: Node, column: str | None = None) -> int:
        """Return the number of a node, or of one of its columns."""
        of_node = self._numbers.get(node)
        if of_node is None:
            of_node = self._numbers[node] = {}
        number = of_node.get(column)
        if number is None:
            number = of_node[column] = len(self._ends)
            is_column = column is not None and isinstance(node, DatasetId)
            self._ends.append(ColumnId(node, column) if is_column else node)  # type: ignore[arg-type]
        return number

    def add(self, source: int, target: int, steps: Steps) -> None:
        """Add an edge between the numbers of two ends, with the result of `unique_steps`."""
        ends = source << _BITS | target
        known = self._steps.setdefault(ends, steps)
        if known is not steps and known != steps:
            self._steps[ends] = unique_steps((*known, *steps)) if known else steps

    def add_sources(
        self,
        target: int,
        sources: Iterable[Mapping[str, Any]],
        keys: tuple[str, str],
        names: Mapping[DatasetId, DatasetId],
        steps: Steps = (),
    ) -> None:
        """Add the columns in JSON from which something is computed.

        Args:
            target: The number of what is computed.
            sources: The columns.
            keys: The keys of a name and of its transformations; its dataset has `namespace` and `name`.
            names: The primary name of each dataset with several names, the same in each call.
            steps: The transformations of sources without any.
        """
        column_key, steps_key = keys
        for source in sources:
            name, column = (source["namespace"], source["name"]), source[column_key]
            numbers = self._named.get(name)
            number = None if numbers is None else numbers.get(column)
            if number is None:
                dataset = DatasetId(*name)
                dataset = names.get(dataset, dataset)
                number = self.number(dataset, column)
                self._named[name] = self._numbers[dataset]
            given = source.get(steps_key)
            found = steps if given is None else steps_of(given)
            # Most edges are new. To call `add` for each takes longer than all else.
            if self._steps.setdefault(number << _BITS | target, found) is not found:
                self.add(number, target, found)

    def add_facet(
        self, dataset: DatasetId, facet: ColumnLineageDatasetFacet, names: Mapping[DatasetId, DatasetId]
    ) -> None:
        """Add the edges of a `columnLineage` facet.

        Args:
            dataset: The dataset of the facet.
            facet: The facet.
            names: The primary name of each dataset with several names.
        """
        for name, entry in plain_items(facet, "fields").items():
            if sources := entry["inputFields"]:
                self.add_sources(self.number(dataset, name), sources, _IN_FACET, names, _older_steps(entry))
        if rows := plain_items(facet, "dataset"):
            self.add_sources(self.number(dataset), rows, _IN_FACET, names)

    def columns(self) -> Iterator[tuple[Node, list[str]]]:
        """Yield each node that is an end, or has a column that is one, with its columns."""
        for node, numbers in self._numbers.items():
            yield node, [name for name in numbers if name is not None]

    def sorted(self) -> tuple[ColumnEdge, ...]:
        """Return the edges: those from columns, from datasets, then from jobs, each by name."""
        ends, edges, ranks = self._ends, self._steps, self._ranks()
        order = sorted(edges, key=lambda edge: ranks[edge >> _BITS] << _BITS | ranks[edge & _LAST])
        return tuple([ColumnEdge(ends[edge >> _BITS], ends[edge & _LAST], edges[edge]) for edge in order])

    def _ranks(self) -> list[int]:
        nodes = sorted(self._numbers, key=lambda node: (isinstance(node, JobId), node.namespace, node.name))
        order = []
        for node in nodes:
            of_node = self._numbers[node]
            order += [of_node[name] for name in sorted(name for name in of_node if name is not None)]
        order += [self._numbers[node][None] for node in nodes if None in self._numbers[node]]
        ranks = [0] * len(order)
        for rank, number in enumerate(order):
            ranks[number] = rank
        return ranks


_IN_FACET = ("field", "transformations")
_BITS = 32
_LAST = (1 << _BITS) - 1


def _older_steps(entry: Mapping[str, Any]) -> Steps:
    """Return the transformation of older events, which have one for all sources of a column."""
    kind = entry.get("transformationType")
    if kind is None:
        return ()
    subtype = "IDENTITY" if kind == "IDENTITY" else None
    masking = True if kind == "MASKED" else None
    return (Transformation("DIRECT", subtype, entry.get("transformationDescription"), masking),)
