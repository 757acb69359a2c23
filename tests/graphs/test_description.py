"""What pictures and pages say about nodes: durations, statistics, checks, tags, platforms and groups."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

from openlineage_facets.base.times.timestamp import Timestamp
from openlineage_facets.graphs import svg
from openlineage_facets.graphs.description import description
from openlineage_facets.graphs.summaries import checks, duration_text, platform, statistics_text, tags
from openlineage_facets.state import DatasetId, JobId, LineageRun
from tests.cases import each
from tests.graphs.sample_graphs import checked_events, dataset, folded, orders, run_event, wide


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
        ("none", ""),
    ],
)
def test_statistics(statistics: object, text: str) -> None:
    assert statistics_text({"outputStatistics": statistics}) == text


@each("facet", [None, [], {"assertions": {}, "tags": "x"}, {"assertions": [3, {"success": 1}], "tags": [{}]}])
def test_invalid_checks_and_tags_are_left_out(facet: object) -> None:
    assert [*checks({"dataQualityAssertions": facet}), *tags({"tags": facet})] == []


def test_platforms_come_from_namespaces_and_job_types() -> None:
    assert platform(DatasetId("s3://lake", "orders"), {}) == "s3"
    assert platform(DatasetId("db", "orders"), {}) == ""
    assert platform(JobId("etl", "daily"), {"jobType": {"integration": "SPARK"}}) == "spark"


def test_nodes_show_state_and_duration_rows_checks_and_tags() -> None:
    details = {node["name"]: (node["detail"], node["status"]) for node in description(orders()).nodes}
    assert details["orders.daily"] == ("1 min 12 s", "good")
    assert details["reports.weekly"][0].startswith("FAIL")
    assert details["curated/daily"] == ("1,234,567 rows", None)
    checked = next(node for node in description(folded(checked_events())).nodes if node["checks"])
    assert (checked["detail"], checked["side"], checked["status"]) == ("1 of 2 checks failed", "", "bad")
    assert checked["columns"][0][3:] == ["email", "#pii", "bad"]
    assert "1 of 2 checks failed" in svg(folded(checked_events()))


def test_namespaces_are_groups_which_are_divided_if_they_are_large() -> None:
    assert set(description(orders()).groups) == {"db", "etl"}
    assert set(description(wide(3, 40)).groups) == {"db/part", "db/step", "etl"}


def test_the_largest_namespaces_have_their_own_colors() -> None:
    inputs = [{**dataset("orders"), "namespace": f"s3://lake{number}"} for number in range(12)]
    colors = [node["color"] for node in description(folded([run_event("job", inputs, [])])).nodes]
    assert sorted(colors) == [*range(6), *[6] * 7]
