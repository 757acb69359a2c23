"""Record metadata from other systems: a catalog's description and tags, and metrics of a quality check."""

from __future__ import annotations

from openlineage_facets import DatasetEvent, StaticDataset, producer
from openlineage_facets.facets import (
    DataQualityMetricsDatasetFacet,
    DocumentationDatasetFacet,
    TagsDatasetFacet,
    data_quality_metrics_dataset,
    tags_dataset,
)
from openlineage_facets.state import LineageState

LAKE = "s3://example-lake"


def events() -> list[DatasetEvent]:
    with producer("https://catalog.example.com/v4/import"):
        catalogued = DatasetEvent(
            event_time="2026-02-01T08:00:00Z",
            dataset=StaticDataset(
                namespace=LAKE,
                name="curated/customers",
                facets=[
                    DocumentationDatasetFacet(description="One row for each customer who ever ordered."),
                    TagsDatasetFacet(
                        tags=[
                            tags_dataset.TagsDatasetFacetFields(
                                key="pii", value="true", source="CATALOG", field="email"
                            )
                        ]
                    ),
                ],
            ),
        )
    with producer("https://quality.example.com/v1/checks"):
        column = data_quality_metrics_dataset.ColumnMetrics(null_count=0, distinct_count=1_200)
        checked = DatasetEvent(
            event_time="2026-02-02T03:00:00Z",
            dataset=StaticDataset(
                namespace=LAKE,
                name="curated/customers",
                facets=[DataQualityMetricsDatasetFacet(row_count=1_200, column_metrics={"email": column})],
            ),
        )
    return [catalogued, checked]


def main() -> None:
    state = LineageState()
    for event in events():
        print(event.to_json_text())
        state.apply(event)
    customers = state.dataset(LAKE, "curated/customers")
    if customers:
        for key, facet in customers.facets.items():
            print(f"{key}, from {facet.producer}")


if __name__ == "__main__":
    main()
