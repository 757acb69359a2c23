"""Emit the lineage of a whole pipeline before any of its jobs has run."""

from __future__ import annotations

from openlineage_facets import InputDataset, Job, JobEvent, OutputDataset, producer
from openlineage_facets.facets import JobTypeJobFacet, SQLJobFacet
from openlineage_facets.state import LineageState

WAREHOUSE = "postgres://warehouse.example.com:5432"

PIPELINE = {
    "orders.load": (["raw.orders"], ["core.orders"], "INSERT INTO core.orders SELECT * FROM raw.orders"),
    "orders.daily": (["core.orders", "core.rates"], ["mart.daily"], "INSERT INTO mart.daily SELECT ..."),
    "orders.audit": (["core.orders"], ["mart.audit"], "INSERT INTO mart.audit SELECT ..."),
}
"""Inputs, outputs and query of each job, including one that only runs once a year."""


def events() -> list[JobEvent]:
    return [
        JobEvent(
            job=Job(
                namespace="etl",
                name=name,
                facets=[
                    SQLJobFacet(query=query),
                    JobTypeJobFacet(processing_type="BATCH", integration="SQL", job_type="QUERY"),
                ],
            ),
            inputs=[InputDataset(namespace=WAREHOUSE, name=table) for table in inputs],
            outputs=[OutputDataset(namespace=WAREHOUSE, name=table) for table in outputs],
        )
        for name, (inputs, outputs, query) in PIPELINE.items()
    ]


def main() -> None:
    state = LineageState()
    with producer("https://example.com/v7/deploy"):
        for event in events():
            print(event.to_json_text())
            state.apply(event)
    for edge in state.lineage().edges:
        print(f"{edge.source.name} -> {edge.target.name}")


if __name__ == "__main__":
    main()
