"""Each row of a function with state depends on all columns of its group, and on its key."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession

from openlineage_facets.spark.lineage.column_lineage import column_lineage_facet

pytestmark = pytest.mark.check


def _same(key: Any, frames: Iterator[Any], state: Any) -> Iterator[Any]:
    return frames


def with_state(stream: DataFrame, states: DataFrame) -> tuple[DataFrame, set[str]]:
    groups = stream.groupBy("city")
    found = groups.applyInPandasWithState(_same, "town string", "total long", "append", "NoTimeout")
    return found, {"city", "amount"}


def with_a_processor(stream: DataFrame, states: DataFrame) -> tuple[DataFrame, set[str]]:
    streaming = pytest.importorskip("pyspark.sql.streaming.stateful_processor", reason="new in Spark 4")
    groups: Any = stream.groupBy("city")
    processor = streaming.StatefulProcessor
    initial = states.groupBy("town")
    new = type("Processor", (processor,), dict.fromkeys(processor.__abstractmethods__, _same))
    found = groups.transformWithStateInPandas(new(), "town string", "append", "None", initial)
    return found, {"city", "amount", "town", "total"}


@pytest.mark.parametrize("function", [with_state, with_a_processor])
def test_a_function_with_state_depends_on_all_columns(
    function: Callable[[DataFrame, DataFrame], tuple[DataFrame, set[str]]],
    spark: SparkSession,
    tmp_path: Path,
) -> None:
    orders, states = f"{tmp_path}/orders", f"{tmp_path}/states"
    spark.sql("SELECT 'Rome' AS city, 1 AS amount").write.parquet(orders)
    spark.sql("SELECT 'Rome' AS town, 1 AS total").write.parquet(states)
    stream = spark.readStream.schema("city string, amount int").parquet(orders)
    result, sources = function(stream, spark.read.parquet(states))
    facet = column_lineage_facet(result)
    assert facet is not None
    assert {column.field for column in facet.fields["town"].input_fields} == sources
    assert {column.field for column in facet.dataset or ()} == sources
    grouping = {
        column.field
        for column in facet.dataset or ()
        for step in column.transformations or ()
        if step.subtype == "GROUP_BY"
    }
    assert grouping == {"city", "town"} & sources
