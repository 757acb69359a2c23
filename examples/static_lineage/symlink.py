"""Record that a table and its files are the same dataset, which connects the lineage of two engines."""

from __future__ import annotations

from openlineage_facets import (
    DatasetEvent,
    Event,
    InputDataset,
    Job,
    JobEvent,
    OutputDataset,
    StaticDataset,
    producer,
)
from openlineage_facets.facets import SymlinksDatasetFacet, symlinks_dataset
from openlineage_facets.state import LineageState

LAKE, METASTORE = "s3://example-lake", "hive://metastore.example.com:9083"


def events() -> list[Event]:
    return [
        # Spark knows the files, the reporting tool the table.
        JobEvent(
            job=Job(namespace="spark", name="orders_daily"),
            outputs=[OutputDataset(namespace=LAKE, name="curated/daily")],
        ),
        JobEvent(
            job=Job(namespace="reports", name="revenue"),
            inputs=[InputDataset(namespace=METASTORE, name="mart.daily")],
        ),
        DatasetEvent(
            dataset=StaticDataset(
                namespace=LAKE,
                name="curated/daily",
                facets=[
                    SymlinksDatasetFacet(
                        identifiers=[
                            symlinks_dataset.Identifier(namespace=METASTORE, name="mart.daily", type="TABLE")
                        ]
                    )
                ],
            )
        ),
    ]


def main() -> None:
    state = LineageState()
    with producer("https://example.com/v1/catalog"):
        for event in events():
            print(event.to_json_text())
            state.apply(event)
    for edge in state.lineage(join_symlinks=True).edges:
        print(f"{edge.source.name} -> {edge.target.name}")


if __name__ == "__main__":
    main()
