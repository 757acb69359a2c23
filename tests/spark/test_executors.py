"""Events are composed, parsed, pickled and rejected on executors."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator

import pandas as pd
import pytest
from py4j.protocol import Py4JJavaError
from pyspark.errors import PythonException
from pyspark.sql import SparkSession

from openlineage_facets import (
    DatasetEvent,
    EventError,
    InputDataset,
    Job,
    JobEvent,
    OutputDataset,
    Run,
    RunEvent,
    StaticDataset,
    parse_event,
    producer,
)
from openlineage_facets.facets import (
    NominalTimeRunFacet,
    OutputStatisticsOutputDatasetFacet,
    RunFacet,
    SchemaDatasetFacet,
    SQLJobFacet,
    schema_dataset,
)

pytestmark = pytest.mark.check

NANOSECONDS = "2026-11-21T00:00:00.123456789+01:00"


@pytest.fixture
def event() -> RunEvent:
    """Return an event with a facet in every container, including a custom facet."""
    custom = RunFacet(schema_url="https://example.com/cost.json", euros=12345678901234567890)
    column = schema_dataset.SchemaDatasetFacetFields(name="id", type="long", ordinal_position=1)
    return RunEvent(
        event_type="COMPLETE",
        event_time=NANOSECONDS,
        run=Run(
            facets={"nominalTime": NominalTimeRunFacet(nominal_start_time=NANOSECONDS), "our_cost": custom}
        ),
        job=Job(namespace="etl", name="orders.daily", facets=[SQLJobFacet(query="select 'ü'")]),
        inputs=[
            InputDataset(namespace="s3://lake", name="raw", facets=[SchemaDatasetFacet(fields=[column])])
        ],
        outputs=[
            OutputDataset(
                namespace="s3://lake",
                name="curated",
                output_facets=[OutputStatisticsOutputDatasetFacet(row_count=10)],
            )
        ],
    )


def test_executors_are_other_processes(spark: SparkSession) -> None:
    processes = spark.sparkContext.parallelize(range(2), 2).map(lambda _: os.getpid()).collect()
    assert os.getpid() not in processes


def test_executors_compose_events(spark: SparkSession) -> None:
    def compose(batches: Iterable[pd.DataFrame]) -> Iterator[pd.DataFrame]:
        with producer("https://example.com/executor/v1"):
            for batch in batches:
                events = [
                    RunEvent(
                        event_type="COMPLETE",
                        run=Run(facets=[NominalTimeRunFacet(nominal_start_time=NANOSECONDS)]),
                        job=Job(namespace="etl", name=f"part-{number}"),
                        outputs=[
                            OutputDataset(
                                namespace="s3://lake",
                                name=f"part-{number}",
                                output_facets=[OutputStatisticsOutputDatasetFacet(row_count=number)],
                            )
                        ],
                    )
                    for number in batch["id"].tolist()
                ]
                yield pd.DataFrame({"event": [event.to_json().decode() for event in events]})

    rows = spark.range(100, numPartitions=4).mapInPandas(compose, "event string").collect()
    events = [RunEvent.from_json(row.event) for row in rows]
    assert len({event.run.run_id for event in events}) == 100
    assert {event.producer for event in events} == {"https://example.com/executor/v1"}
    assert {event.run.facets.nominal_time.nominal_start_time.text for event in events} == {NANOSECONDS}
    counts = [event.outputs[0].output_facets.output_statistics.row_count for event in events]
    assert sorted(counts) == list(range(100))


@pytest.mark.thorough
def test_executors_parse_events_of_every_kind(spark: SparkSession, event: RunEvent) -> None:
    job, dataset = event.job, StaticDataset(namespace="s3://lake", name="raw")
    lines = [one.to_json() for one in (event, JobEvent(job=job), DatasetEvent(dataset=dataset))]

    def read(batches: Iterable[pd.DataFrame]) -> Iterator[pd.DataFrame]:
        for batch in batches:
            events = [parse_event(line) for line in batch["line"]]
            yield pd.DataFrame(
                {
                    "kind": [type(one).__name__ for one in events],
                    "same": [one.to_json() for one in events] == batch["line"].tolist(),
                }
            )

    frame = spark.createDataFrame([(line,) for line in lines], "line binary")
    rows = frame.mapInPandas(read, "kind string, same boolean").collect()
    assert [row.kind for row in rows] == ["RunEvent", "JobEvent", "DatasetEvent"]
    assert all(row.same for row in rows)


def test_parts_of_events_are_pickled_with_a_function(spark: SparkSession, event: RunEvent) -> None:
    mine = [
        event,
        event.event_time,
        event.event_type,
        event.run.facets,
        event.run.facets["our_cost"],
        event.job.facets.sql,
        event.inputs[0],
        event.outputs[0].output_facets,
    ]
    theirs = spark.sparkContext.parallelize([0], 1).map(lambda _: [(one, repr(one)) for one in mine]).first()
    assert [type(one) for one, _ in theirs] == list(map(type, mine))
    assert theirs == [(one, repr(one)) for one in mine]


@pytest.mark.thorough
def test_classes_are_pickled_with_a_function(spark: SparkSession, event: RunEvent) -> None:
    wanted = NominalTimeRunFacet
    line = event.to_json()

    def start_of(_: int) -> str:
        return RunEvent.from_json(line).run.facets.get(wanted).nominal_start_time.text

    assert spark.sparkContext.parallelize([0], 1).map(start_of).first() == NANOSECONDS


def test_invalid_event_is_rejected_on_executors_as_on_the_driver(spark: SparkSession) -> None:
    bad = b'{"eventTime": "yesterday"}'
    refused = spark.sparkContext.parallelize([bad], 1).map(parse_event)
    with pytest.raises(EventError) as here:
        parse_event(bad)
    with pytest.raises((PythonException, Py4JJavaError), match=re.escape(f"EventError: {here.value}")):
        refused.collect()
