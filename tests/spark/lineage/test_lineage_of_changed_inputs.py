"""Column lineage of a DataFrame, verified by changing columns of its inputs.

This takes two minutes. `test_expected_lineage.py` notices every change of what is verified here.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession

from openlineage_facets.spark.lineage.column_lineage import column_lineage_facet
from tests.spark.lineage.changed_inputs import (
    ListedColumns,
    Query,
    Results,
    all_sources,
    changed_columns,
    lineage_in,
    unordered,
)
from tests.spark.lineage.query_cases import QUERIES, Frames, write_tables
from tests.spark.session_state import changed_settings

pytestmark = pytest.mark.thorough

OVERSTATED = {
    "python_function_on_batches",
    "python_function_on_groups",
    "python_function_on_pairs_of_groups",
    "script",
}
"""These functions and scripts are opaque: every input column is listed for every column and for the rows."""


@pytest.fixture(scope="module", autouse=True)
def _plans_are_simple(spark: SparkSession, without_code_generation: None) -> Iterator[None]:
    settings = {"spark.sql.adaptive.enabled": "false", "spark.sql.shuffle.partitions": "1"}
    with changed_settings(spark, settings):
        yield


@pytest.fixture(scope="module")
def tables(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Frames:
    return write_tables(spark, tmp_path_factory.mktemp("tables"))


@pytest.fixture(scope="module", params=QUERIES)
def query(request: pytest.FixtureRequest) -> Query:
    return QUERIES[request.param]


@pytest.fixture(scope="module")
def listed(spark: SparkSession, tables: Frames, query: Query) -> ListedColumns:
    facet = column_lineage_facet(query(spark, tables))
    assert facet is not None
    return lineage_in(facet)


@pytest.fixture(scope="module")
def results(spark: SparkSession, query: Query) -> Results:
    return Results(spark, query)


@pytest.fixture
def may_be_overstated(request: pytest.FixtureRequest) -> bool:
    return any(name in request.node.callspec.id for name in OVERSTATED)


def test_changing_unlisted_columns_changes_nothing(listed: ListedColumns, results: Results) -> None:
    for rows in results.after(all_sources() - listed.named):
        assert unordered(rows) == unordered(results.before)


def test_changing_a_listed_column_changes_exactly_the_columns_that_list_it(
    listed: ListedColumns, results: Results, may_be_overstated: bool
) -> None:
    for source in sorted(listed.named - listed.of_rows - listed.of_order):
        affected, changed = listed.affected_by(source), set[str]()
        for rows in results.after([source]):
            changed |= changed_columns(results.before, rows, affected)
        assert changed <= affected, f"{source} decides {changed}, and is listed for {affected}"
        assert changed == affected or may_be_overstated, (
            f"{source} is listed for {affected}, and decides {changed}"
        )


def test_changing_a_column_of_the_row_lineage_changes_the_rows(
    listed: ListedColumns, results: Results, may_be_overstated: bool
) -> None:
    before = unordered(results.before)
    for source in sorted(listed.of_rows):
        changes = any(unordered(rows) != before for rows in results.after([source]))
        assert changes or may_be_overstated, source


def test_a_column_of_the_row_lineage_also_changes_the_columns_that_list_it(
    listed: ListedColumns, results: Results, may_be_overstated: bool
) -> None:
    for source in sorted(listed.of_rows | listed.of_order):
        affected = listed.affected_by(source)
        if affected and not may_be_overstated:
            shown = results.columns_decided_by(source, affected)
            assert shown == affected, f"{source} is listed for {affected}, and only {shown} can be shown"


def test_changing_a_sort_column_changes_the_order(listed: ListedColumns, results: Results) -> None:
    for source in sorted(listed.of_order - listed.of_rows):
        assert any(rows != results.before for rows in results.after([source])), source
