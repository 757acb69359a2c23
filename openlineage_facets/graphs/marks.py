"""Marks of what was added, removed or changed in a drawing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from openlineage_facets.graphs.description import Description
from openlineage_facets.state import ColumnEdge, ColumnId, Lineage, Node
from openlineage_facets.state.column_edges import End

Mark: TypeAlias = Literal["added", "removed", "changed"]


@dataclass(frozen=True)
class Marks:
    """What is marked in a drawing.

    Args:
        ends: Jobs, datasets and columns.
        links: Links by source and target.
        texts: What the drawing says about jobs and datasets.
    """

    ends: Mapping[End, Mark] = field(default_factory=dict)
    links: Mapping[tuple[End, End], Mark] = field(default_factory=dict)
    texts: Mapping[Node, Iterable[str]] = field(default_factory=dict)

    def add_to(self, data: dict[str, Any], drawn: Description, lineage: Lineage) -> None:
        """Add the marks to the data of a page. Marks are also texts, since colors alone are not enough."""
        numbers = drawn.graph.numbers
        columns: dict[str, Mark] = {}
        for dataset in lineage.datasets:
            for row, column in enumerate(dataset.columns):
                mark = self.ends.get(ColumnId(dataset.id, column.name))
                if mark is not None:
                    columns[f"{numbers[dataset.id]}/{row}"] = mark
                    data["nodes"][numbers[dataset.id]]["columns"][row][4] = mark
        for node, number in numbers.items():
            mark = self.ends.get(node)
            if mark is not None:
                described = data["nodes"][number]
                facets = {"changes": list(self.texts.get(node, ())), **described["facets"]}
                described |= {"change": mark, "detail": mark, "facets": facets}
        data["marks"] = {"columns": columns, "links": dict(self._links(drawn))}

    def _links(self, drawn: Description) -> Iterable[tuple[str, Mark]]:
        numbers = drawn.graph.numbers
        for (source, target), mark in self.links.items():
            if source in numbers and target in numbers:
                yield f"{numbers[source]}/{numbers[target]}", mark
        for way, edge in drawn.graph.columns:
            mark_of_edge = self.links.get(_ends(edge))
            if mark_of_edge is not None:
                yield f"{way.source}/{way.row}/{way.target}/{way.target_row}", mark_of_edge


def _ends(edge: ColumnEdge) -> tuple[End, End]:
    return edge.source, edge.target
