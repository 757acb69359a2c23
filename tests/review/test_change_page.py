"""`compare --format html`: one graph in which added, removed and changed parts are marked."""

from __future__ import annotations

import json
import re
from typing import Any

from openlineage_facets.graphs.page import Marks
from openlineage_facets.review import compare
from openlineage_facets.review.change_page import both_graphs, change_page, marks_of
from openlineage_facets.review.changes import LineageChanges
from openlineage_facets.state import ColumnId, DatasetId, JobId
from tests.graphs.sample_graphs import dataset, folded, orders_events, run_event

DAILY, WEEKLY = DatasetId("db", "curated/daily"), DatasetId("db", "reports/weekly")


def changed() -> LineageChanges:
    """Return changes: a renamed column, a removed and an added dataset, an added job."""
    events = orders_events()
    later = json.loads(json.dumps(events).replace('"customer"', '"buyer"'))
    monthly = dataset("reports/monthly", ("total", "count"), {"count": [("curated/daily", "amount")]})
    later[2]["outputs"] = [monthly]
    later.append(run_event("extra", [dataset("curated/daily")], []))
    return compare(folded(events), folded(later))


def marks() -> Marks:
    changes = changed()
    return marks_of(changes, both_graphs(changes))


def test_jobs_datasets_and_columns_have_marks() -> None:
    assert marks().ends == {
        WEEKLY: "removed",
        DatasetId("db", "reports/monthly"): "added",
        DAILY: "changed",
        ColumnId(DAILY, "customer"): "removed",
        ColumnId(DAILY, "buyer"): "added",
        DatasetId("db", "raw/orders"): "changed",
        ColumnId(DatasetId("db", "raw/orders"), "customer"): "removed",
        ColumnId(DatasetId("db", "raw/orders"), "buyer"): "added",
        JobId("etl", "reports.weekly"): "changed",
        JobId("etl", "extra"): "added",
    }


def test_links_of_what_was_added_or_removed_have_its_mark() -> None:
    links = marks().links
    assert links[JobId("etl", "reports.weekly"), WEEKLY] == "removed"
    assert links[DAILY, JobId("etl", "extra")] == "added"
    assert links[ColumnId(DAILY, "amount"), ColumnId(WEEKLY, "total")] == "removed"
    assert (DAILY, JobId("etl", "reports.weekly")) not in links


def test_marks_are_texts_too() -> None:
    data: dict[str, Any] = json.loads(re.findall(r'id="data">(.*?)</script>', change_page(changed()))[0])
    nodes = {node["name"]: node for node in data["nodes"]}
    assert nodes["reports/weekly"]["detail"] == "removed"
    buyer, *_ = nodes["curated/daily"]["columns"]
    assert (buyer[0], buyer[4]) == ("buyer", "added")
    assert nodes["curated/daily"]["facets"]["changes"] == ["renamed column buyer, was customer"]


def test_a_page_without_changes_shows_everything() -> None:
    lineage = folded(orders_events())
    assert "reports/weekly" in change_page(compare(lineage, lineage))
