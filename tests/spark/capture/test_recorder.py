"""A recorder adds what is read and written to the builder of a run's events."""

from __future__ import annotations

from contextlib import nullcontext
from functools import cached_property
from typing import Any

import pytest

from openlineage_facets.builders import RunEventBuilder
from openlineage_facets.facets import ColumnLineageDatasetFacet, column_lineage_dataset
from openlineage_facets.spark.capture.recorder import FinishedWrite, Recorder
from openlineage_facets.spark.metrics.counts import Counts
from openlineage_facets.spark.spark_dataset import SparkDataset
from openlineage_facets.spark.statements import DefinedTable, RowsBefore
from tests.spark.datasets.test_read_versions import facets, version_and_columns


def test_an_input_that_is_read_in_several_versions_has_the_columns_of_all() -> None:
    builder = RunEventBuilder("etl", "compare")
    builder.start()
    recorder = Recorder(builder, nullcontext())
    for version, column in (("0", "old"), ("1", "new"), ("0", "old")):
        recorder.inputs.add([SparkDataset("file", "t", facets(version, "id", column))])
    [found] = builder.complete().inputs or ()
    assert found.facets is not None
    assert version_and_columns(tuple(found.facets.values())) == ("1", [("id", 1), ("old", 2), ("new", 3)])


ORDERS = SparkDataset("file", "/orders")
OF_ORDERS = ColumnLineageDatasetFacet(
    fields={
        "id": column_lineage_dataset.Fields(
            input_fields=[column_lineage_dataset.InputField(namespace="file", name="/orders", field="id")]
        )
    }
)


class Table:
    """A table of a run, with what its event contains."""

    def __init__(self) -> None:
        self._builder = RunEventBuilder("etl", "load")
        self._builder.start()
        self._recorder = Recorder(self._builder, nullcontext())
        self._dataset = SparkDataset("file", "/daily")

    def insert(self, rows: int) -> None:
        sources = frozenset([ORDERS.identity])
        counts = Counts(rows, 100, 1)
        self._recorder.add_write(
            FinishedWrite(self._dataset, counts, column_lineage=OF_ORDERS, sources=sources)
        )

    def overwrite(self, rows_before: RowsBefore) -> None:
        self._recorder.add_definition(DefinedTable(self._dataset, "OVERWRITE", rows_before=rows_before))

    @cached_property
    def event(self) -> dict[str, Any]:
        [output] = self._builder.complete().to_dict()["outputs"]
        return output

    @property
    def rows(self) -> int | None:
        return self.event["outputFacets"]["outputStatistics"].get("rowCount")

    @property
    def columns(self) -> list[str]:
        return [*self.event["facets"]["columnLineage"]["fields"]]


@pytest.mark.parametrize(
    ("rows_before", "rows", "columns"),
    [("removed", 0, []), ("replaced", None, []), ("unknown", None, ["id"]), ("kept", 5, ["id"])],
)
def test_a_statement_that_replaces_a_table_takes_back_what_the_run_has_written(
    rows_before: RowsBefore, rows: int | None, columns: list[str]
) -> None:
    table = Table()
    table.insert(5)
    table.overwrite(rows_before)
    assert (table.rows, table.columns) == (rows, columns)


def test_rows_before_a_table_was_replaced_are_not_counted() -> None:
    table = Table()
    for _ in range(2):
        table.overwrite("removed")
        table.insert(5)
    assert (table.rows, table.columns) == (5, ["id"])
