"""Record the schema of a dataset before any job reads or writes it."""

from __future__ import annotations

from openlineage_facets import DatasetEvent, Event, InputDataset, Job, Run, RunEvent, StaticDataset, producer
from openlineage_facets.facets import SchemaDatasetFacet, schema_dataset
from openlineage_facets.state import LineageState

LAKE = "s3://example-lake"
RUN = "0194c1d0-5a00-7c3e-9f10-2b7d4e8a6c31"


def events() -> list[Event]:
    return [
        DatasetEvent(
            event_time="2026-02-01T08:00:00Z",
            dataset=StaticDataset(
                namespace=LAKE,
                name="raw/orders",
                facets=[
                    SchemaDatasetFacet(
                        fields=[
                            schema_dataset.SchemaDatasetFacetFields(name="id", type="long"),
                            schema_dataset.SchemaDatasetFacetFields(name="amount", type="decimal(10,2)"),
                        ]
                    )
                ],
            ),
        ),
        # The job that reads the dataset does not report its schema.
        RunEvent(
            event_time="2026-02-03T01:00:00Z",
            event_type="START",
            run=Run(run_id=RUN),
            job=Job(namespace="etl", name="orders.load"),
            inputs=[InputDataset(namespace=LAKE, name="raw/orders")],
        ),
    ]


def main() -> None:
    state = LineageState()
    with producer("https://example.com/v1/catalog"):
        for event in events():
            print(event.to_json_text())
            state.apply(event)
    run = state.run(RUN)
    if run and run.inputs[0].facets.schema:
        columns = run.inputs[0].facets.schema.fields or ()
        print(f"{run.job.name} read {run.inputs[0].name}: {', '.join(column.name for column in columns)}")


if __name__ == "__main__":
    main()
