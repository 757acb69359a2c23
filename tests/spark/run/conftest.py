"""Fixtures for SparkRun: an emitter that keeps events, and a dataset of orders."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

from openlineage_facets import InputDataset, OutputDataset, RunEvent
from openlineage_facets.spark import SparkRun

ORDERS = 1000


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


@pytest.fixture
def events() -> Events:
    return Events()


@pytest.fixture
def run(spark: SparkSession, events: Events) -> Iterator[SparkRun]:
    """Return a started run of explicit calls, so that tests can prepare data in it; it raises errors."""
    with SparkRun(spark, "etl", "orders.daily", emit=events, on_error="raise", capture=False) as run:
        yield run


@pytest.fixture(scope="session")
def orders_path(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the path of a thousand orders in two Parquet files."""
    path = str(tmp_path_factory.mktemp("orders") / "orders")
    orders = spark.range(0, ORDERS, 1, 2).select(
        f.col("id").alias("order"),
        (f.col("id") % 7).cast("int").alias("day"),
        f.when(f.col("id") % 10 > 0, f.col("id") * 0.5).alias("amount"),
        f.concat(f.lit("customer "), f.col("id") % 20).alias("customer"),
    )
    orders.write.parquet(path)
    return path


@pytest.fixture
def orders(spark: SparkSession, orders_path: str) -> DataFrame:
    return spark.read.parquet(orders_path)


@pytest.fixture
def target(tmp_path: Path) -> str:
    return str(tmp_path / "curated" / "daily")


def files_below(path: str) -> list[Path]:
    """Return the data files below a path."""
    return [file for file in Path(path).rglob("part-*") if not file.name.endswith(".crc")]
