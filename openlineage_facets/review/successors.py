"""What follows the jobs, datasets and columns of a lineage graph directly."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from itertools import groupby
from operator import attrgetter

from openlineage_facets.state import ColumnEdge, DatasetId, Flow, Lineage, Node
from openlineage_facets.state.by_identity import distinct
from openlineage_facets.state.column_edges import End, node_of


class Successors:
    """The edges of a graph by the end where they begin.

    Args:
        lineage: The graph.
    """

    def __init__(self, lineage: Lineage) -> None:
        self.lineage = lineage

    @cached_property
    def columns(self) -> dict[End, list[ColumnEdge]]:
        """The edges of columns."""
        found: dict[End, list[ColumnEdge]] = defaultdict(list)
        # Edges from one column follow each other, so that its hash is computed once.
        for source, edges in groupby(self.lineage.columns, attrgetter("source")):
            found[source] += edges
        return found

    @cached_property
    def described(self) -> set[Node]:
        """What has edges of columns. Others may contain every column of what they are computed from."""
        return {*distinct(map(node_of, distinct(edge.target for edge in self.lineage.columns)))}

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
