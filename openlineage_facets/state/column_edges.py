"""Data flow between columns, and its builder for graphs with a million edges."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

from openlineage_facets.base.wire.lazy_items import plain_items
from openlineage_facets.generated.column_lineage_dataset import ColumnLineageDatasetFacet
from openlineage_facets.state.entities import ColumnId, DatasetId, JobId

Node: TypeAlias = JobId | DatasetId
"""A job or a dataset."""


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


@dataclass(frozen=True, slots=True)
class ColumnEdge:
    """Data flow to or from a column: at least one end is a column."""

    source: ColumnId | Node
    target: ColumnId | Node
    transformations: Steps = ()
    """The reported transformations, without duplicates."""


def unique_steps(steps: Iterable[Transformation]) -> Steps:
    """Return transformations sorted and without duplicates."""
    return tuple(sorted(set(steps), key=repr))


def steps_of(steps: Iterable[Mapping[str, Any]] | None) -> Steps:
    """Return the transformations of a source in JSON. Those of most sources are equal, and returned again."""
    return _steps(
        *[
            (one["type"], one.get("subtype"), one.get("description"), one.get("masking"))
            for one in steps or ()
        ]
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
        self._ends: list[ColumnId | Node] = []
        self._steps: dict[int, Steps] = {}
        """The transformations by the numbers of both ends, as one number."""
        self._known_ends: dict[tuple[str, str, str], int] = {}

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

    def column(
        self, namespace: str, name: str, column: str, names: Mapping[DatasetId, DatasetId] | None = None
    ) -> int:
        """Return the number of a column.

        Args:
            namespace: Namespace of its dataset.
            name: Name of its dataset.
            column: Name of the column.
            names: The primary name of each dataset with several names, the same in each call.
        """
        key = namespace, name, column
        number = self._known_ends.get(key)
        if number is None:
            dataset = DatasetId(namespace, name)
            number = self.number(names.get(dataset, dataset) if names else dataset, column)
            self._known_ends[key] = number
        return number

    def add(self, source: int, target: int, steps: Steps) -> None:
        """Add an edge between the numbers of two ends, with the result of `unique_steps`."""
        ends = source << _BITS | target
        known = self._steps.get(ends)
        self._steps[ends] = steps if not known or known == steps else unique_steps((*known, *steps))

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
            sources = entry["inputFields"]
            target = self.number(dataset, name) if sources else 0
            for source in sources:
                steps = source.get("transformations")
                steps = _older_steps(entry) if steps is None else steps_of(steps)
                end = self.column(source["namespace"], source["name"], source["field"], names)
                self.add(end, target, steps)
        rows = plain_items(facet, "dataset")
        if rows:
            target = self.number(dataset)
            for source in rows:
                end = self.column(source["namespace"], source["name"], source["field"], names)
                self.add(end, target, steps_of(source.get("transformations")))

    def columns(self) -> Iterator[tuple[Node, list[str]]]:
        """Yield each node that is an end, or has a column that is one, with its columns."""
        for node, numbers in self._numbers.items():
            yield node, [name for name in numbers if name is not None]

    def sorted(self) -> tuple[ColumnEdge, ...]:
        """Return the edges: those from columns, from datasets, then from jobs, each by name."""
        ends, edges, ranks = self._ends, self._steps, self._ranks()
        order = sorted(edges, key=lambda edge: ranks[edge >> _BITS] << _BITS | ranks[edge & _LAST])
        return tuple(ColumnEdge(ends[edge >> _BITS], ends[edge & _LAST], edges[edge]) for edge in order)

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
