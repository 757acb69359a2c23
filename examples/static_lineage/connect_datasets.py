"""Connect two datasets, including their columns, when no run between them is known."""

from __future__ import annotations

from openlineage_facets import DatasetEvent, StaticDataset, producer
from openlineage_facets.facets import LineageDatasetFacet, lineage
from openlineage_facets.state import ColumnId, LineageState

WAREHOUSE = "postgres://warehouse.example.com:5432"


def events() -> list[DatasetEvent]:
    orders = lineage.LineageDatasetInput(namespace=WAREHOUSE, name="core.orders", type="DATASET")
    amount = lineage.LineageDatasetInput(
        namespace=WAREHOUSE,
        name="core.orders",
        type="DATASET",
        field="amount",
        transformations=[
            lineage.LineageTransformation(type="DIRECT", subtype="AGGREGATION", description="sum(amount)")
        ],
    )
    view = LineageDatasetFacet(
        inputs=[orders], fields={"revenue": lineage.LineageFieldEntry(inputs=[amount])}
    )
    return [
        DatasetEvent(dataset=StaticDataset(namespace=WAREHOUSE, name="mart.revenue_view", facets=[view])),
    ]


def main() -> None:
    state = LineageState()
    with producer("https://example.com/v1/catalog"):
        for event in events():
            print(event.to_json_text())
            state.apply(event)
    graph = state.lineage()
    for edge in graph.edges:
        print(f"{edge.source.name} -> {edge.target.name}")
    for column in graph.columns:
        if isinstance(column.source, ColumnId) and isinstance(column.target, ColumnId):
            source, target = column.source, column.target
            print(f"{source.dataset.name}.{source.name} -> {target.dataset.name}.{target.name}")


if __name__ == "__main__":
    main()
