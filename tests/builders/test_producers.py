"""The producer: argument, context, environment variable, then this package."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from openlineage_facets import DatasetEventBuilder, EventError, JobEventBuilder, RunEventBuilder, producer
from openlineage_facets.base.producer import DEFAULT_PRODUCER
from tests.builders.sample_builders import LAKE, NOON, RAW
from tests.cases import each

ARGUMENT = "https://example.com/argument/v1"
CONTEXT = "https://example.com/context/v1"
OWN = DEFAULT_PRODUCER


def producers(value: Any) -> Iterator[str]:
    """Yield every producer in a wire form, the producer of the event first."""
    if isinstance(value, list):
        for item in value:
            yield from producers(item)
    if isinstance(value, dict):
        for name, item in value.items():
            if name in ("producer", "_producer"):
                yield item
            yield from producers(item)


def producers_with(**options: Any) -> set[str]:
    """Return the producers in the events of a run, a job and a dataset."""
    run = RunEventBuilder("etl", "orders", **options).tag("pii")
    run.run.nominal_time(nominal_start_time=NOON)
    run.job.sql(query="select 1").delete("documentation")
    run.input(LAKE, RAW).schema(fields=[{"name": "id"}]).input_statistics(row_count=1).tag("pii")
    job = JobEventBuilder("etl", "orders", **options)
    job.output(LAKE, RAW).output_statistics(row_count=1)
    dataset = DatasetEventBuilder(LAKE, RAW, **options)
    dataset.dataset.delete("schema").version(dataset_version="1")
    events = [run.start(), run.fail(ValueError("x")), job.build(), dataset.build()]
    names = [list(producers(event.to_dict())) for event in events]
    assert list(map(len, names)) == [9, 10, 2, 3]
    return {name for of_event in names for name in of_event}


def test_all_facets_have_the_producer_of_the_block_or_the_argument() -> None:
    assert producers_with() == {OWN}
    with producer(CONTEXT):
        assert producers_with() == {CONTEXT}
        assert producers_with(producer=ARGUMENT) == {ARGUMENT}


def test_facet_keeps_the_producer_of_its_creation() -> None:
    build = RunEventBuilder("etl", "orders")
    with producer(CONTEXT):
        build.job.sql(query="select 1")
    wire = build.start().to_dict()
    assert wire["job"]["facets"]["sql"]["_producer"] == CONTEXT
    assert wire["producer"] == OWN


@each("builder", [RunEventBuilder, JobEventBuilder, DatasetEventBuilder])
@each("uri", ["etl/v7", "", "C:\\jobs\\etl.py", "https://example.com/a b", 7])
def test_relative_producer_is_rejected(builder: Any, uri: object) -> None:
    with pytest.raises(EventError, match="/producer: expected an absolute URI such as https://"):
        builder("etl", "orders", producer=uri)


def test_invalid_environment_variable_loses_no_metadata(monkeypatch: pytest.MonkeyPatch) -> None:
    build = RunEventBuilder("etl", "orders")
    build.job.sql(query="select 1")
    monkeypatch.setenv("OPENLINEAGE_PRODUCER", "etl/v7")
    with pytest.raises(EventError, match="OPENLINEAGE_PRODUCER"):
        build.start()
    monkeypatch.delenv("OPENLINEAGE_PRODUCER")
    assert "sql" in build.start().to_dict()["job"]["facets"]
