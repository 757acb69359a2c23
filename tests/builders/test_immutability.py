"""Built events are immutable."""

from __future__ import annotations

from hypothesis import given

from openlineage_facets import EventError, RunEvent
from tests.builders.sample_builders import DAILY, LAKE, NOON, RAW, dataset_builder, job_builder, run_builder
from tests.builders.test_run_lifecycle import STEPS, Step


@given(STEPS)
def test_later_calls_do_not_change_events(steps: list[Step]) -> None:
    build = run_builder()
    built: list[tuple[RunEvent, bytes]] = []
    for _, call in steps:
        try:
            made = call(build)
        except EventError:
            continue
        if isinstance(made, RunEvent):
            built.append((made, made.to_json()))
        assert [event.to_json() for event, _ in built] == [before for _, before in built]


def test_later_calls_do_not_change_static_events() -> None:
    jobs, datasets = job_builder(), dataset_builder()
    jobs.job.sql(query="select 1")
    jobs.input(LAKE, RAW).schema(fields=[{"name": "id"}])
    datasets.dataset.schema(fields=[{"name": "id"}]).tag("pii")
    events = jobs.build(NOON), datasets.build(NOON)
    before = [event.to_json() for event in events]
    jobs.job.sql(query="select 2").documentation(description="Orders by day.").tag("pii")
    jobs.input(LAKE, RAW).delete("schema")
    jobs.output(LAKE, DAILY)
    datasets.dataset.delete("schema").tag("pii", value=False).version(dataset_version="2")
    assert [event.to_json() for event in events] == before
    assert jobs.build(NOON).to_json() != before[0]
