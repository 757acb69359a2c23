"""What pictures and pages say about nodes: durations, statistics, checks, tags, platforms and groups."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

from openlineage_facets.base.times.timestamp import Timestamp
from openlineage_facets.graphs import svg
from openlineage_facets.graphs.description import description
from openlineage_facets.graphs.summaries import checks, duration_text, platform, statistics_text, tags
from openlineage_facets.state import DatasetId, JobId, Lineage, LineageRun
from tests.cases import each
from tests.graphs.sample_graphs import checked_events, dataset, folded, orders, run_event

PARTS = {"raw": 40, "clean": 30, "raw2": 2}


@each(
    ("seconds", "text"),
    [(-1, ""), (0, "0 s"), (7.25, "7.2 s"), (72, "1 min 12 s"), (3599.6, "1 h 0 min"), (9000, "2 h 30 min")],
)
def test_durations(seconds: float, text: str) -> None:
    start = datetime(2026, 11, 21, tzinfo=timezone.utc)
    times = (Timestamp(time) for time in (start, start + timedelta(seconds=seconds)))
    run = LineageRun(run_id="r", state=None, started_at=next(times), ended_at=next(times))
    assert duration_text(run) == text


@each(
    ("statistics", "text"),
    [
        ({"rowCount": 1234567, "size": 45_678_901, "fileCount": 1}, "1,234,567 rows · 45.7 MB · 1 file"),
        ({"size": 999}, "999 bytes"),
        ({"rowCount": "many", "size": True}, ""),
        ({"rowCount": 10**400, "size": -(10**400), "fileCount": float("inf")}, ""),
        ({"rowCount": 2**63 - 1, "size": 10**18}, "9,223,372,036,854,775,807 rows · 1000 PB"),
        ("none", ""),
    ],
)
def test_statistics(statistics: object, text: str) -> None:
    assert statistics_text({"outputStatistics": statistics}) == text


@each("facet", [None, [], {"assertions": {}, "tags": "x"}, {"assertions": [3, {"success": 1}], "tags": [{}]}])
def test_invalid_checks_and_tags_are_left_out(facet: object) -> None:
    assert [*checks({"dataQualityAssertions": facet}), *tags({"tags": facet})] == []


@each(
    ("value", "text"),
    [("true", "pii"), (True, "pii"), (None, "pii"), (False, "pii: false"), (3, "pii: 3"), ("a", "pii: a")],
)
def test_tags_of_both_formats_are_drawn_alike(value: object, text: str) -> None:
    assert [*tags({"tags": {"tags": [{"key": "pii", "value": value}]}})] == [(None, text)]


def test_platforms_come_from_namespaces_and_job_types() -> None:
    assert platform(DatasetId("s3://lake", "orders"), {}) == "s3"
    assert platform(DatasetId("db", "orders"), {}) == ""
    assert platform(JobId("etl", "daily"), {"jobType": {"integration": "SPARK"}}) == "spark"


def test_nodes_show_state_and_duration_rows_checks_and_tags() -> None:
    details = {node["name"]: (node["detail"], node["status"]) for node in description(orders()).nodes}
    assert details["orders.daily"] == ("1 min 12 s", "good")
    assert details["reports.weekly"][0].startswith("FAIL")
    assert details["curated/daily"] == ("1,234,567 rows written", None)
    checked = next(node for node in description(folded(checked_events())).nodes if node["checks"])
    assert (checked["detail"], checked["side"], checked["status"]) == ("1 of 2 checks failed", "", "bad")
    assert checked["columns"][0][3:] == ["email", "#pii", "bad"]
    assert "1 of 2 checks failed" in svg(folded(checked_events()))


def test_a_node_shows_the_rows_that_the_last_runs_of_all_writers_have_written() -> None:
    """The times of the events are the same, and the second job writes without a row count."""
    outputs = [
        {**dataset("orders"), "outputFacets": facets}
        for facets in ({"outputStatistics": {"rowCount": 100}}, {}, {"outputStatistics": {"rowCount": 77}})
    ]
    lineage = folded([run_event(f"load_{number}", [], [output]) for number, output in enumerate(outputs)])
    (orders_node,) = (node for node in description(lineage).nodes if node["kind"] == "dataset")
    assert orders_node["detail"] == "177 rows written"


def test_nodes_say_what_runs_have_written_and_read_but_not_what_a_dataset_contains() -> None:
    """A run scans an input twice, and writes two outputs."""
    source, main, rejected = dataset("lines"), dataset("trips"), dataset("rejected/trips")
    source["inputFacets"] = {"inputStatistics": {"rowCount": 6}}
    for output, rows in ((main, 392), (rejected, 8)):
        output["outputFacets"] = {"outputStatistics": {"rowCount": rows, "size": 4000}}
    lineage = folded([run_event("load", [source], [main, rejected])])
    nodes = {node["name"]: node for node in description(lineage).nodes}
    assert [nodes[name]["detail"] for name in ("lines", "trips", "rejected/trips")] == [
        "6 rows read",
        "392 rows written",
        "8 rows written",
    ]
    assert ">6 rows read<" in svg(lineage)
    assert sorted(nodes["load"]["runs"][0]["written"]) == [
        ("rejected/trips", "8 rows"),
        ("trips", "392 rows"),
    ]
    only = folded([run_event("load", [source], [main])])
    (load,) = (node for node in description(only).nodes if node["kind"] == "job")
    assert load["runs"][0]["written"] == [("", "392 rows")]


def groups(lineage: Lineage) -> dict[str, str]:
    """Return the number of datasets and jobs in each group by its name."""
    return {group["name"]: group["detail"] for group in description(lineage).groups}


def test_groups_are_namespaces_of_datasets_with_the_jobs_that_write_them() -> None:
    assert groups(orders()) == {"db": "4 datasets, 2 jobs"}
    names = [{**dataset("orders"), "namespace": f"s3://{name}"} for name in ("raw", "clean", "marts")]
    events = [run_event("clean", names[:1], names[1:2]), run_event("marts", names[1:2], names[2:])]
    lineage = folded([*events, run_event("check", names[2:], []), run_event("alone", [], [])])
    assert groups(lineage) == {
        "s3://raw": "1 dataset",
        "s3://clean": "1 dataset, 1 job",
        "s3://marts": "1 dataset, 2 jobs",
        "etl": "1 job",
    }
    overview = description(lineage).overview
    titles = [group["name"] for group in description(lineage).groups]
    assert {(titles[link.source], titles[link.target]) for link in overview.links} == {
        ("s3://raw", "s3://clean"),
        ("s3://clean", "s3://marts"),
    }


def test_large_namespaces_are_divided_by_the_first_part_in_which_names_differ() -> None:
    names = [f"/lake/{part}/{number}" for part, count in PARTS.items() for number in range(count)]
    assert groups(folded([run_event("job", [dataset(name) for name in names], [])])) == {
        "db/lake/raw": "40 datasets",
        "db/lake/clean": "30 datasets, 1 job",
        "db": "2 datasets",
    }
    different = [dataset(f"table{number}") for number in range(70)]
    assert groups(folded([run_event("job", different, [])])) == {"db": "70 datasets, 1 job"}


def test_the_largest_namespaces_have_their_own_colors() -> None:
    inputs = [{**dataset("orders"), "namespace": f"s3://lake{number}"} for number in range(12)]
    colors = [node["color"] for node in description(folded([run_event("job", inputs, [])])).nodes]
    assert sorted(colors) == [*range(9), *[9] * 4]
