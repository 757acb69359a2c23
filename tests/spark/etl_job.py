"""A job of a test: its session, its data, the events of its runs, and what they have logged."""

from __future__ import annotations

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
