"""Record a new owner of a table without a run."""

from __future__ import annotations

from openlineage_facets import DatasetEvent, StaticDataset, producer
from openlineage_facets.facets import OwnershipDatasetFacet, ownership_dataset
from openlineage_facets.state import LineageState

WAREHOUSE = "postgres://warehouse.example.com:5432"
HISTORY = {"2026-01-05T09:00:00Z": "team:sales", "2026-03-02T14:30:00Z": "team:finance"}


def events() -> list[DatasetEvent]:
    return [
        DatasetEvent(
            event_time=moment,
            dataset=StaticDataset(
                namespace=WAREHOUSE,
                name="mart.daily",
                facets=[OwnershipDatasetFacet(owners=[ownership_dataset.Owner(name=owner, type="OWNER")])],
            ),
        )
        for moment, owner in HISTORY.items()
    ]


def main() -> None:
    state = LineageState()
    with producer("https://example.com/v2/dba"):
        for event in events():
            print(event.to_json_text())
            state.apply(event)
    for when, moment in (("in February", "2026-02-01T00:00:00Z"), ("now", None)):
        table = state.dataset(WAREHOUSE, "mart.daily", at=moment)
        if table and table.facets.ownership and table.facets.ownership.owners:
            print(f"owner {when}: {table.facets.ownership.owners[0].name}")


if __name__ == "__main__":
    main()
