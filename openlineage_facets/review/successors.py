"""What follows the jobs, datasets and columns of a lineage graph directly."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property

from openlineage_facets.state import DatasetId, Flow, Lineage, Node
from openlineage_facets.state.column_edges import ColumnEdges


class Successors:
    """The edges of a graph by the end where they begin.

    Args:
        lineage: The graph.
    """

    def __init__(self, lineage: Lineage) -> None:
        self.lineage = lineage
        self.column_edges = ColumnEdges.of(lineage.columns)
        self.ends = self.column_edges.ends
        """The numbers of the ends of column edges."""

    @cached_property
    def columns(self) -> dict[int, list[int]]:
        """The targets of column edges by their source."""
        return self.column_edges.by_source()

    @cached_property
    def described(self) -> set[int]:
        """What has edges of columns. Others may contain every column of what they are computed from."""
        return {self.ends.nodes[target] for target in self.column_edges.targets()}

    @cached_property
    def edges(self) -> dict[Node, list[Node]]:
        """The jobs and datasets after each job and dataset."""
        found: dict[Node, list[Node]] = defaultdict(list)
        for edge in self.lineage.edges:
            found[edge.source].append(edge.target)
        return found

    @cached_property
    def flows(self) -> dict[DatasetId, list[Flow]]:
        """The flows between datasets."""
        found: dict[DatasetId, list[Flow]] = defaultdict(list)
        for flow in self.lineage.flows():
            found[flow.source].append(flow)
        return found
