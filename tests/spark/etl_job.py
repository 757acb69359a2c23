"""A job of a test: its session, its data, the events of its runs, and what they have logged."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

from openlineage_facets import InputDataset, OutputDataset, RunEvent
from openlineage_facets.emitters.errors import OnError
from openlineage_facets.spark import SparkRun

ORDERS = 1000
"""How many orders there are, unless the folder of a test has its own."""


def per_day(orders: DataFrame) -> DataFrame:
    """Return the sum of the amounts of each day."""
    return orders.groupBy("day").agg(f.sum("amount").alias("amount"))


class Events(list[RunEvent]):
    """An emitter that keeps its events."""

    def __call__(self, event: RunEvent) -> None:
        self.append(event)

    @property
    def types(self) -> list[str]:
        return [event.event_type.value for event in self if event.event_type]

    @property
    def facets(self) -> dict:
        """The latest facets of run and job, by entity and facet key."""
        facets: dict = {}
        for event in self:
            facets.setdefault("run", {}).update(event.run.facets or {})
            facets.setdefault("job", {}).update(event.job.facets or {})
        return facets

    def change(self, name: str) -> str | None:
        """Return the lifecycle change of an output, if any."""
        facet = self.output(name).get("lifecycleStateChange")
        return None if facet is None else str(facet.lifecycle_state_change.value)

    def columns(self, name: str) -> list[str]:
        """Return the columns in the schema of an output."""
        return [field.name for field in self.output(name)["schema"].fields]

    def rows(self, name: str) -> int | None:
        """Return how many rows were written to an output."""
        return self.output(name)["outputStatistics"].row_count

    def lineage(self, name: str) -> dict[str, set[str]]:
        """Return the source columns of each column of an output."""
        fields = self.output(name)["columnLineage"].fields
        return {column: {source.field for source in made.input_fields} for column, made in fields.items()}

    def output_named(self, table: str) -> str:
        """Return the name of the output that ends with the name of a table."""
        (name,) = (name for name in self.outputs if name.endswith(table))
        return name

    def input(self, name: str) -> dict:
        return self._facets_of("inputs", "input_facets", name)

    def output(self, name: str) -> dict:
        return self._facets_of("outputs", "output_facets", name)

    def _facets_of(self, side: str, more: str, name: str) -> dict:
        facets: dict = {}
        named: list[InputDataset | OutputDataset] = [
            one for event in self for one in getattr(event, side) or () if one.name == name
        ]
        assert named, f"no event names {name}: {[one.name for event in self for one in event.inputs or ()]}"
        for dataset in named:
            facets.update(dataset.facets or {})
            facets.update(getattr(dataset, more) or {})
        return facets

    @property
    def outputs(self) -> list[str]:
        return [one.name for one in self[-1].outputs or ()]

    @property
    def inputs(self) -> list[str]:
        return [one.name for one in self[-1].inputs or ()]


@dataclass
class EtlJob:
    """A job that reads orders and writes to a folder.

    Args:
        spark: Its session.
        events: The events of its runs.
        orders: The orders.
        orders_path: Their path.
        target: The path of a folder that does not exist.
        tmp_path: A folder of its own.
        caplog: What was logged.
    """

    spark: SparkSession
    events: Events
    orders: DataFrame
    orders_path: str
    target: str
    tmp_path: Path
    caplog: pytest.LogCaptureFixture

    @property
    def messages(self) -> list[str]:
        return [record.getMessage() for record in self.caplog.records]

    def run(self, name: str, on_error: OnError = "raise", **settings: Any) -> SparkRun:
        """Return a run that has not started, and that raises errors of lineage code by default."""
        return SparkRun(self.spark, "etl", name, emit=self.events, on_error=on_error, **settings)


def files_below(path: str) -> list[Path]:
    """Return the data files below a path."""
    return [file for file in Path(path).rglob("part-*") if not file.name.endswith(".crc")]


def mostly_thorough(cases: Iterable[str], *checked: str) -> list[Any]:
    """Return examples for `parametrize` that are thorough, except for a few."""
    return [pytest.param(case, marks=() if case in checked else pytest.mark.thorough) for case in cases]
