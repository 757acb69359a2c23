"""Data flow between columns, for graphs with a million edges."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple, TypeAlias, overload

from openlineage_facets.base.wire.lazy_items import plain_items
from openlineage_facets.generated.column_lineage_dataset import ColumnLineageDatasetFacet
from openlineage_facets.state.by_identity import by_identity
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
    """`DIRECT` or `INDIRECT`. Others are not in the specification, and count as direct."""
    subtype: str | None = None
    """Such as `IDENTITY` or `JOIN`."""
    description: str | None = None
    """A readable description of the computation."""
    masking: bool | None = None
    """Whether it hides the original value."""

    @property
    def is_direct(self) -> bool:
        """Whether the target is computed from values of the source."""
        return self.type != "INDIRECT"


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


def _joined_steps(steps: Steps, others: Steps) -> Steps:
    """Return the transformations of a source that is reported twice.

    Unknown ones stay visible next to those that are known: they may show what the others mask.
    """
    return unique_steps((*(steps or UNKNOWN), *(others or UNKNOWN)))


UNKNOWN: Steps = (Transformation("DIRECT"),)
"""Transformations that are not known, of a source that is also reported with some."""


def steps_of(steps: Iterable[Mapping[str, Any]]) -> Steps:
    """Return the transformations of a source in JSON. Those of most sources are equal, and returned again."""
    return _steps(
        *[(step["type"], step.get("subtype"), step.get("description"), step.get("masking")) for step in steps]
    )


@lru_cache(maxsize=4096)
def _steps(*steps: tuple[Any, ...]) -> Steps:
    return unique_steps(Transformation(*step) for step in steps)


class Ends:
    """Jobs, datasets and columns as numbers: computing a hash takes longer than all else with an edge.

    Graphs that are compared may share them.
    """

    def __init__(self) -> None:
        self._nodes: dict[Node, int] = {}
        self._columns: dict[Node, dict[str, int]] = {}
        self._ranks: list[int] = []
        self.known: list[End] = []
        """The end with each number."""
        self.nodes: list[int] = []
        """The number of the job or dataset of each end."""

    def of(self, end: End) -> int:
        """Return the number of an end."""
        return self.column(*end) if isinstance(end, ColumnId) else self.node(end)

    def node(self, node: Node) -> int:
        """Return the number of a job or dataset."""
        number = self._nodes.get(node)
        if number is None:
            number = self._nodes[node] = len(self.known)
            self.known.append(node)
            self.nodes.append(number)
        return number

    def column(self, dataset: DatasetId, name: str) -> int:
        """Return the number of a column."""
        numbers = self.columns(dataset)
        number = numbers.get(name)
        if number is None:
            node = self.node(dataset)
            number = numbers[name] = len(self.known)
            self.known.append(ColumnId(dataset, name))
            self.nodes.append(node)
        return number

    def columns(self, dataset: DatasetId) -> dict[str, int]:
        """Return the numbers of all columns of a dataset, also of those that follow."""
        numbers = self._columns.get(dataset)
        if numbers is None:
            numbers = self._columns[dataset] = {}
        return numbers

    def ranks(self) -> list[int]:
        """Return the place of each end in the order of edges: columns, datasets, then jobs, each by name."""
        if len(self._ranks) != len(self.known):
            nodes = sorted(self._nodes, key=lambda node: (isinstance(node, JobId), node.namespace, node.name))
            order = [number for node in nodes for _, number in sorted(self._columns.get(node, {}).items())]
            order += [self._nodes[node] for node in nodes]
            self._ranks = [0] * len(order)
            for rank, number in enumerate(order):
                self._ranks[number] = rank
        return self._ranks


class ColumnEdges(Sequence[ColumnEdge]):
    """Column edges, and their builder: from columns, then from datasets and from jobs, each by name.

    Inside, an edge is one number. Its object is created when the sequence is read.

    Args:
        ends: The numbers of ends.
        steps: The transformations of each edge, by the numbers of both ends as one number.
    """

    def __init__(self, ends: Ends | None = None, steps: dict[int, Steps] | None = None) -> None:
        self.ends = Ends() if ends is None else ends
        self._steps = {} if steps is None else steps
        self._named: dict[tuple[str, str], tuple[DatasetId, dict[str, int]]] = {}
        """A dataset and the numbers of its columns, by its names in the sources of `add_sources`."""

    @classmethod
    def of(cls, edges: Sequence[ColumnEdge]) -> ColumnEdges:
        """Return edges with numbers."""
        if isinstance(edges, ColumnEdges):
            return edges
        numbered, steps_of_edge = cls(), by_identity(unique_steps)
        for source, target, steps in edges:
            numbered.add(numbered.ends.of(source), numbered.ends.of(target), steps_of_edge(steps))
        return numbered

    @overload
    def __getitem__(self, index: int) -> ColumnEdge: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[ColumnEdge, ...]: ...

    def __getitem__(self, index: int | slice) -> ColumnEdge | tuple[ColumnEdge, ...]:
        return self._edges[index]

    def __len__(self) -> int:
        return len(self._steps)

    def __iter__(self) -> Iterator[ColumnEdge]:
        return iter(self._edges)

    def __eq__(self, other: object) -> bool:
        return self._edges == tuple(other) if isinstance(other, (ColumnEdges, tuple)) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._edges)

    def __repr__(self) -> str:
        return repr(self._edges)

    @cached_property
    def _edges(self) -> tuple[ColumnEdge, ...]:
        return self._sorted(self._steps)

    def _sorted(self, edges: Iterable[int]) -> tuple[ColumnEdge, ...]:
        ends, steps, ranks = self.ends.known, self._steps, self.ends.ranks()
        order = sorted(edges, key=lambda edge: ranks[edge >> _BITS] << _BITS | ranks[edge & _LAST])
        return tuple([ColumnEdge(ends[edge >> _BITS], ends[edge & _LAST], steps[edge]) for edge in order])

    def missing_in(self, other: ColumnEdges) -> tuple[ColumnEdge, ...]:
        """Return the edges that another graph does not have, or has with other transformations."""
        found = other.with_ends(self.ends)._steps.get
        return self._sorted([edge for edge, steps in self._steps.items() if found(edge) != steps])

    def with_ends(self, ends: Ends) -> ColumnEdges:
        """Return the same edges with the numbers that other graphs have."""
        if ends is self.ends:
            return self
        found = ColumnEdges(ends)
        found.add_all(self)
        return found

    def by_source(self) -> dict[int, list[int]]:
        """Return the numbers of the targets of each source, in no order."""
        found: dict[int, list[int]] = defaultdict(list)
        for edge in self._steps:
            found[edge >> _BITS].append(edge & _LAST)
        return found

    def by_target(self) -> dict[int, list[int]]:
        """Return the numbers of the sources of each target, in no order."""
        found: dict[int, list[int]] = defaultdict(list)
        for edge in self._steps:
            found[edge & _LAST].append(edge >> _BITS)
        return found

    def steps(self, source: int, target: int) -> Steps:
        """Return the transformations of an edge."""
        return self._steps[source << _BITS | target]

    def nodes(self) -> set[tuple[int, int]]:
        """Return the numbers of the jobs or datasets at both ends of edges."""
        nodes = self.ends.nodes
        return {(nodes[edge >> _BITS], nodes[edge & _LAST]) for edge in self._steps}

    def computed(self, ends: Iterable[End], is_counted: Callable[[Steps], bool]) -> set[End]:
        """Return those of some ends that are computed from something by transformations that count."""
        numbers = {self.ends.of(end): end for end in ends}
        edges = ((edge & _LAST, steps) for edge, steps in self._steps.items() if edge & _LAST in numbers)
        return {numbers[target] for target, steps in edges if is_counted(steps)}

    def with_steps(self, change: Callable[[Steps], Steps]) -> ColumnEdges:
        """Return the same edges with other transformations."""
        changed = by_identity(change)
        return ColumnEdges(self.ends, {edge: changed(steps) for edge, steps in self._steps.items()})

    def add(self, source: int, target: int, steps: Steps) -> None:
        """Add an edge between the numbers of two ends, with the result of `unique_steps`."""
        ends = source << _BITS | target
        known = self._steps.setdefault(ends, steps)
        if known is not steps and known != steps:
            self._steps[ends] = _joined_steps(known, steps)

    def add_all(
        self, edges: Sequence[ColumnEdge], names: Mapping[DatasetId, DatasetId] | None = None
    ) -> None:
        """Add edges, for example of another graph.

        Args:
            edges: The edges.
            names: The primary name of each dataset with several names.
        """
        others = ColumnEdges.of(edges)
        if others.ends is self.ends and not names:
            for edge, steps in others._steps.items():
                if self._steps.setdefault(edge, steps) is not steps:
                    self.add(edge >> _BITS, edge & _LAST, steps)
            return
        numbers = [self.ends.of(primary_name(end, names) if names else end) for end in others.ends.known]
        for edge, steps in others._steps.items():
            self.add(numbers[edge >> _BITS], numbers[edge & _LAST], steps)

    def add_sources(
        self,
        sources_of: Iterable[tuple[int, Iterable[Mapping[str, Any]], Steps]],
        keys: tuple[str, str],
        names: Mapping[DatasetId, DatasetId],
    ) -> None:
        """Add the columns in JSON from which something is computed.

        Args:
            sources_of: The number of what is computed, the columns, and the transformations of those without.
            keys: The keys of a name and of its transformations; its dataset has `namespace` and `name`.
            names: The primary name of each dataset with several names, the same in each call.
        """
        column_key, steps_key = keys
        known, named_columns = self._steps, self._named
        for target, sources, without in sources_of:
            for source in sources:
                name = source["namespace"], source["name"]
                named = named_columns.get(name)
                if named is None:
                    dataset = DatasetId(*name)
                    dataset = names.get(dataset, dataset)
                    named = named_columns[name] = dataset, self.ends.columns(dataset)
                number = named[1].get(source[column_key])
                if number is None:
                    number = self.ends.column(named[0], source[column_key])
                reported = source.get(steps_key)
                steps = without if reported is None else steps_of(reported)
                # Most edges are new. To call `add` for each takes longer than all else.
                if known.setdefault(number << _BITS | target, steps) is not steps:
                    self.add(number, target, steps)

    def add_facet(
        self, dataset: DatasetId, facet: ColumnLineageDatasetFacet, names: Mapping[DatasetId, DatasetId]
    ) -> bool:
        """Add the edges of a `columnLineage` facet. Return whether it is about columns, or only about rows.

        Args:
            dataset: The dataset of the facet.
            facet: The facet.
            names: The primary name of each dataset with several names.
        """
        fields = plain_items(facet, "fields")
        sources_of = [
            (self.ends.column(dataset, name), entry["inputFields"], _older_steps(entry))
            for name, entry in fields.items()
            if entry["inputFields"]
        ]
        if rows := plain_items(facet, "dataset"):
            sources_of.append((self.ends.node(dataset), rows, ()))
        self.add_sources(sources_of, _IN_FACET, names)
        return bool(fields)

    def columns(self) -> Iterator[tuple[Node, list[str]]]:
        """Yield each node that is an end, or has a column that is one, with its columns."""
        used = {edge >> _BITS for edge in self._steps}
        used.update(edge & _LAST for edge in self._steps)
        for number in {self.ends.nodes[number] for number in used}:
            node = node_of(self.ends.known[number])
            columns = self.ends.columns(node) if isinstance(node, DatasetId) else {}
            yield node, [name for name, column in columns.items() if column in used]


_IN_FACET = ("field", "transformations")
_BITS = 32
_LAST = (1 << _BITS) - 1


def primary_name(end: End, names: Mapping[DatasetId, DatasetId]) -> End:
    """Return an end with the primary name of its dataset."""
    if isinstance(end, ColumnId):
        return ColumnId(names.get(end.dataset, end.dataset), end.name)
    return names.get(end, end) if isinstance(end, DatasetId) else end


def _older_steps(entry: Mapping[str, Any]) -> Steps:
    """Return the transformation of older events, which have one for all sources of a column."""
    kind = entry.get("transformationType")
    if kind is None:
        return ()
    subtype = "IDENTITY" if kind == "IDENTITY" else None
    masking = True if kind == "MASKED" else None
    return (Transformation("DIRECT", subtype, entry.get("transformationDescription"), masking),)
