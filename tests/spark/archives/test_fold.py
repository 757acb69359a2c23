"""Folding with Spark returns the same result as LineageState."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from pyspark.sql import DataFrame, SparkSession

from openlineage_facets.spark.archives import fold_events
from openlineage_facets.state import LineageState
from tests.spark.archives.sample_events import event_with_lineage, folded, lines
from tests.spark.archives.tables import state_as_dict, tables_as_dict

real_spark = settings(
    max_examples=2,
    deadline=None,
    database=None,
    phases=[Phase.generate],  # Shrinking by running Spark would take an hour.
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
randoms = st.integers(0, 1 << 32).map(Random)


def stream(random: Random, events: int = 120) -> list[dict[str, Any]]:
    return [event_with_lineage(random) for _ in range(events)]


def table(spark: SparkSession, events: list[dict[str, Any]], partitions: int = 3) -> DataFrame:
    rows = [(line,) for line in lines(events)]
    return spark.createDataFrame(rows, "line binary").repartition(partitions)


@given(random=randoms, partitions=st.integers(1, 5))
@real_spark
def test_tables_equal_lineage_state_for_any_partitioning(
    spark: SparkSession, random: Random, partitions: int
) -> None:
    events = stream(random)
    shuffled = random.sample(events, len(events)) + random.choices(events, k=20)
    expected = state_as_dict(folded(events))
    assert all(expected.values()), "every table has something to tell"
    tables = fold_events(table(spark, shuffled, partitions)).cached()
    assert tables_as_dict(tables) == expected
    for join_symlinks in (False, True):
        graph = folded(events).lineage(join_symlinks=join_symlinks)
        assert any(job.last_run for job in graph.jobs)
        assert tables.lineage(join_symlinks=join_symlinks) == graph


@given(random=randoms, cut=st.integers(0, 120))
@real_spark
def test_folding_into_saved_tables_equals_folding_everything(
    spark: SparkSession, random: Random, cut: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    events = stream(random)
    saved = fold_events(table(spark, events[:cut])).save(str(tmp_path_factory.mktemp("day") / "state"))
    overlapping = events[max(cut - 10, 0) :]
    tables = fold_events(table(spark, overlapping), into=saved).cached()
    assert tables_as_dict(tables) == state_as_dict(folded(events))
    assert same_rows(tables.records, fold_events(table(spark, events, 1)).records)


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


@pytest.mark.parametrize("null_is_absent", [False, True])
def test_null_is_folded_like_in_lineage_state(spark: SparkSession, null_is_absent: bool) -> None:
    first, second = (event_with_lineage(Random(7)) for _ in range(2))
    first["job"]["facets"] = {"documentation": {"description": "load"}}
    second["eventTime"] = "2030-01-01T00:00:00Z"
    second["job"]["facets"] = {"documentation": None}
    state = LineageState()
    for event in (first, second):
        state.apply(event, null_is_absent=null_is_absent)
    tables = fold_events(table(spark, [second, first]), null_is_absent=null_is_absent)
    assert tables_as_dict(tables.cached()) == state_as_dict(state)
    documentation = tables.facets.where("entity = 'job' and key = 'documentation'").first()
    assert documentation is not None
    assert (documentation["facet"] == "null") == (not null_is_absent)
