"""Folding with Spark returns the same result as LineageState."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession

from openlineage_facets.spark.archives import LineageTables, fold_events, validate_events
from openlineage_facets.state import LineageState
from tests.events import facet, folded
from tests.graphs.sample_graphs import dataset, run_event
from tests.spark.archives.sample_events import event_with_lineage, lines
from tests.spark.archives.table_contents import column_edges, facets_as_dict, state_as_dict, tables_as_dict

pytestmark = pytest.mark.usefixtures("without_code_generation")

WORLDS = 8
HOURS = 24


def stream(random: Random, events: int = 120) -> list[dict[str, Any]]:
    return [event_with_lineage(random) for _ in range(events)]


def worlds(random: Random) -> list[dict[str, Any]]:
    """Return independent streams in one: each has its own jobs, datasets and runs.

    One fold with Spark then checks as many cases as there are worlds.
    """
    events = []
    for world in range(WORLDS):
        for event in stream(random, 60):
            text = json.dumps(event).replace('"etl"', f'"etl-{world}"').replace('"db"', f'"db-{world}"')
            events.append(json.loads(text.replace("-7000-", f"-700{world}-")))
    return events


def table(spark: SparkSession, events: list[dict[str, Any]], partitions: int = 3) -> DataFrame:
    rows = [(line,) for line in lines(events)]
    return spark.createDataFrame(rows, "line binary").repartition(partitions)


@pytest.mark.check
@pytest.mark.parametrize(
    "seed", [1, *(pytest.param(seed, marks=pytest.mark.thorough) for seed in range(2, 20))]
)
def test_tables_equal_lineage_state_for_any_partitioning_order_and_duplicates(
    spark: SparkSession, seed: int
) -> None:
    random = Random(seed)
    partitions, cut = random.randint(1, 5), random.random()
    events = worlds(random)
    expected = state_as_dict(folded(*events))
    assert all(expected.values()), "every table has content"
    shuffled = random.sample(events, len(events)) + random.choices(events, k=50)
    earlier = fold_events(table(spark, shuffled[: round(cut * len(shuffled))], partitions))
    later = table(spark, shuffled[round(cut * len(shuffled)) :], partitions)
    assert tables_as_dict(fold_events(later, into=earlier)) == expected


@pytest.mark.thorough
@pytest.mark.check
def test_hourly_folds_into_saved_tables_equal_one_fold_of_everything(
    spark: SparkSession, tmp_path: Path
) -> None:
    random = Random(24)
    events = worlds(random)
    at_once = len(events) // HOURS
    records = None
    for hour in range(HOURS):
        late = random.choices(events[: hour * at_once], k=3) if hour else []
        arrived = table(spark, events[hour * at_once : (hour + 1) * at_once] + late, 1)
        folder = str(tmp_path / f"records-{hour}")
        fold_events(arrived, into=records).records.write.parquet(folder)
        records = spark.read.parquet(folder)
    assert records is not None
    assert same_rows(records, fold_events(table(spark, events)).records)


def test_saved_tables_are_loaded_continued_and_drawn_like_the_state(
    spark: SparkSession, tmp_path: Path
) -> None:
    events = stream(Random(5), 40)
    saved = fold_events(table(spark, events[:30])).save(tmp_path / "state")
    loaded = LineageTables.load(spark, tmp_path / "state")
    assert same_rows(saved.records, loaded.records)
    assert same_rows(spark.read.parquet(str(tmp_path / "state" / "edges")), loaded.edges)
    whole = fold_events(table(spark, events[20:]), into=loaded).cached()
    assert same_rows(whole.records, fold_events(table(spark, events, 1)).records)
    for join_symlinks in (False, True):
        graph = folded(*events).lineage(join_symlinks=join_symlinks)
        assert any(job.last_run for job in graph.jobs)
        assert whole.lineage(join_symlinks=join_symlinks) == graph


def same_rows(one: DataFrame, other: DataFrame) -> bool:
    return sorted(map(repr, one.collect())) == sorted(map(repr, other.collect()))


def test_invalid_arguments_are_rejected(spark: SparkSession) -> None:
    events = spark.range(1).selectExpr("id", "'x' as line")
    with pytest.raises(ValueError, match="expected a string or binary column, found 'id' of type bigint"):
        fold_events(events, column="id")
    with pytest.raises(ValueError, match="the table has no column 'value'"):
        fold_events(events, column="value")
    for wrong in ("state-1", fold_events(events).jobs):
        with pytest.raises(TypeError, match=r"into: expected LineageTables, or their `records`, found "):
            fold_events(events, into=wrong)  # type: ignore[arg-type]


@pytest.mark.check
def test_the_column_of_events_may_have_a_dot_in_its_name(spark: SparkSession) -> None:
    events = stream(Random(3), 5)
    dotted = table(spark, events).selectExpr("line AS `event.json`", "1 AS `a``.b`")
    assert validate_events(dotted, "event.json").columns[:3] == ["event.json", "a`.b", "kind"]
    folded_events = fold_events(validate_events(dotted, "event.json"), column="event.json")
    assert same_rows(folded_events.jobs, fold_events(table(spark, events)).jobs)


@pytest.mark.check
@pytest.mark.parametrize("null_is_absent", [pytest.param(False, marks=pytest.mark.thorough), True])
def test_null_is_folded_like_in_lineage_state(spark: SparkSession, null_is_absent: bool) -> None:
    first, second = (event_with_lineage(Random(7)) for _ in range(2))
    first["job"]["facets"] = {"documentation": {"description": "load"}}
    second["eventTime"] = "2030-01-01T00:00:00Z"
    second["job"]["facets"] = {"documentation": None}
    state = LineageState()
    for event in (first, second):
        state.apply(event, null_is_absent=null_is_absent)
    tables = fold_events(table(spark, [second, first]), null_is_absent=null_is_absent)
    facets = facets_as_dict(tables.cached())
    assert facets == state_as_dict(state)["facets"]
    job = second["job"]
    documentation = facets["job", job["namespace"], job["name"], None, "documentation"]
    assert (documentation is None) == (not null_is_absent)


def test_unknown_transformations_stay_visible_next_to_known_ones(spark: SparkSession) -> None:
    out = dataset("out", ("x",), {"x": [("raw", "id")]})
    (source,) = out["facets"]["columnLineage"]["fields"]["x"]["inputFields"]
    source["transformations"] = [{"type": "DIRECT", "subtype": "TRANSFORMATION", "masking": True}]
    same = {"type": "DATASET", "namespace": "db", "name": "raw", "field": "id"}
    out["facets"]["lineage"] = facet(fields={"x": {"inputs": [same]}})
    events = [run_event("load", [dataset("raw")], [out])]
    assert (
        column_edges(fold_events(table(spark, events, 1))) == state_as_dict(folded(*events))["column edges"]
    )
