"""Who says so: the builder's producer, else the context's, else the environment's, else this package."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from openlineage_facets import (
    DatasetEventBuilder,
    EventError,
    JobEventBuilder,
    RunEventBuilder,
    __version__,
    producer,
)
from openlineage_facets.facets import SQLJobFacet
from tests.builders.orders import LAKE, NOON, RAW, run_builder

ARGUMENT = "https://example.com/argument/v1"
CONTEXT = "https://example.com/context/v1"
VARIABLE = "https://example.com/variable/v1"
OWN = f"pkg:pypi/openlineage-facets@{__version__}"


def producers(value: Any) -> Iterator[str]:
    """Yield every producer named in a wire form, the event's first."""
    if isinstance(value, list):
        for item in value:
            yield from producers(item)
    if isinstance(value, dict):
        for name, item in value.items():
            if name in ("producer", "_producer"):
                yield item
            yield from producers(item)


def said_by(**given: Any) -> set[str]:
    """Return the producers in all that builders compose of one run, one job and one dataset."""
    run = RunEventBuilder("etl", "orders", **given).tag("pii")
    run.run.nominal_time(nominal_start_time=NOON)
    run.job.sql(query="select 1").delete("documentation")
    run.input(LAKE, RAW).schema(fields=[{"name": "id"}]).input_statistics(row_count=1).tag("pii")
    job = JobEventBuilder("etl", "orders", **given)
    job.output(LAKE, RAW).output_statistics(row_count=1)
    dataset = DatasetEventBuilder(LAKE, RAW, **given)
    dataset.dataset.delete("schema").version(dataset_version="1")
    events = [run.start(), run.fail(ValueError("x")), job.build(), dataset.build()]
    found = [list(producers(event.to_dict())) for event in events]
    assert [len(one) for one in found] == [9, 2, 2, 3]
    return {name for one in found for name in one}


def test_without_any_word_the_producer_is_this_package() -> None:
    assert said_by() == {OWN}


def test_the_environment_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENLINEAGE_PRODUCER", VARIABLE)
    assert said_by() == {VARIABLE}


def test_the_context_comes_before_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENLINEAGE_PRODUCER", VARIABLE)
    with producer(CONTEXT):
        assert said_by() == {CONTEXT}


def test_the_argument_comes_before_the_context(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENLINEAGE_PRODUCER", VARIABLE)
    with producer(CONTEXT):
        assert said_by(producer=ARGUMENT) == {ARGUMENT}


def test_each_facet_names_who_was_speaking_when_it_was_made() -> None:
    build = RunEventBuilder("etl", "orders")
    with producer(CONTEXT):
        build.job.sql(query="select 1")
    wire = build.start().to_dict()
    assert wire["job"]["facets"]["sql"]["_producer"] == CONTEXT
    assert wire["producer"] == OWN


def test_a_facet_made_elsewhere_keeps_its_producer() -> None:
    build = run_builder()
    build.job.facet(SQLJobFacet(query="select 1", producer=CONTEXT))
    assert build.start().to_dict()["job"]["facets"]["sql"]["_producer"] == CONTEXT


@pytest.mark.parametrize("builder", [RunEventBuilder, JobEventBuilder, DatasetEventBuilder])
@pytest.mark.parametrize("uri", ["etl/v7", "", "C:\\jobs\\etl.py", "https://example.com/a b", 7])
def test_a_producer_that_is_no_absolute_uri_is_refused(builder: Any, uri: object) -> None:
    with pytest.raises(EventError, match="/producer: expected an absolute URI such as https://"):
        builder("etl", "orders", producer=uri)


def test_a_wrong_variable_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENLINEAGE_PRODUCER", "etl/v7")
    build = RunEventBuilder("etl", "orders")
    with pytest.raises(EventError, match="OPENLINEAGE_PRODUCER"):
        build.job.sql(query="select 1")


def test_a_wrong_variable_costs_no_metadata(monkeypatch: pytest.MonkeyPatch) -> None:
    build = RunEventBuilder("etl", "orders")
    build.job.sql(query="select 1")
    monkeypatch.setenv("OPENLINEAGE_PRODUCER", "etl/v7")
    with pytest.raises(EventError, match="OPENLINEAGE_PRODUCER"):
        build.start()
    monkeypatch.delenv("OPENLINEAGE_PRODUCER")
    assert "sql" in build.start().to_dict()["job"]["facets"]
