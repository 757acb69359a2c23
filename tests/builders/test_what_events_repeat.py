"""What a run's events say again: id, job and parent always, other facets once, every dataset at the end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from openlineage_facets import RunEvent, RunEventBuilder
from openlineage_facets.facets import RunFacet
from tests.builders.orders import DAILY, LAKE, NOON, RAW, RUN_ID, bare, run_builder

PARENT = {"run": {"runId": RUN_ID}, "job": {"namespace": "airflow", "name": "orders"}}
RAW_SCHEMA = {"fields": [{"name": "id"}]}


def told(event: RunEvent) -> dict[str, Any]:
    """Return an event as it reads without the parts that are the same in each."""
    wire: dict[str, Any] = bare(event.to_dict())
    for name in ("eventTime", "producer", "schemaURL"):
        del wire[name]
    assert wire["run"].pop("runId") == RUN_ID
    assert (wire["job"].pop("namespace"), wire["job"].pop("name")) == ("etl", "orders.daily")
    for dataset in [*wire.get("inputs", []), *wire.get("outputs", [])]:
        assert dataset.pop("namespace") == LAKE
    return wire


def nothing_but(kind: str, **said: Any) -> dict[str, Any]:
    return {"eventType": kind, "run": {}, "job": {}, **said}


def test_a_facet_is_told_once() -> None:
    build = run_builder()
    build.run.nominal_time(nominal_start_time=NOON)
    build.job.sql(query="select 1")
    assert told(build.start()) == nothing_but(
        "START",
        run={"facets": {"nominalTime": {"nominalStartTime": NOON}}},
        job={"facets": {"sql": {"query": "select 1"}}},
    )
    assert told(build.running()) == nothing_but("RUNNING")
    assert told(build.complete()) == nothing_but("COMPLETE")


def test_a_facet_that_was_replaced_is_told_again() -> None:
    build = run_builder()
    build.job.sql(query="select 1")
    build.start()
    build.job.sql(query="select 2")
    assert told(build.running())["job"] == {"facets": {"sql": {"query": "select 2"}}}
    assert told(build.complete())["job"] == {}


def test_a_facet_replaced_by_its_equal_is_told_again() -> None:
    """What was said once more is told once more, so that an engine can repeat what it must."""
    build = run_builder()
    build.job.sql(query="select 1")
    build.start()
    build.job.sql(query="select 1")
    assert told(build.complete())["job"] == {"facets": {"sql": {"query": "select 1"}}}


def test_a_deleted_facet_is_told_once() -> None:
    build = run_builder()
    build.job.sql(query="select 1")
    build.start()
    build.job.delete("sql")
    assert told(build.running())["job"] == {"facets": {"sql": {"_deleted": True}}}
    assert told(build.complete())["job"] == {}


def test_the_parent_is_told_every_time() -> None:
    build = run_builder()
    build.run.parent(**PARENT)
    events = [build.start(), build.running(), build.other(), build.fail(), build.other()]
    assert [told(event)["run"] for event in events] == [{"facets": {"parent": PARENT}}] * 5


def test_a_dataset_is_named_when_it_is_new_and_at_the_end() -> None:
    build = run_builder()
    build.input(LAKE, RAW).schema(**RAW_SCHEMA)
    named = {"name": RAW}
    assert told(build.start())["inputs"] == [{**named, "facets": {"schema": RAW_SCHEMA}}]
    assert told(build.running()) == nothing_but("RUNNING")
    assert told(build.complete())["inputs"] == [named]
    assert told(build.other()) == nothing_but("OTHER")


def test_a_dataset_that_was_named_is_told_with_its_new_facets_alone() -> None:
    build = run_builder()
    build.output(LAKE, DAILY).schema(**RAW_SCHEMA)
    build.start()
    build.output(LAKE, DAILY).output_statistics(row_count=10)
    assert told(build.running()) == nothing_but(
        "RUNNING", outputs=[{"name": DAILY, "outputFacets": {"outputStatistics": {"rowCount": 10}}}]
    )


def test_a_dataset_that_has_no_facets_is_named_once_before_the_end() -> None:
    build = run_builder()
    build.input(LAKE, RAW)
    build.output(LAKE, DAILY)
    assert told(build.start()) == nothing_but("START", inputs=[{"name": RAW}], outputs=[{"name": DAILY}])
    assert told(build.running()) == nothing_but("RUNNING")


@pytest.mark.parametrize("end", [RunEventBuilder.complete, RunEventBuilder.fail, RunEventBuilder.abort])
def test_every_end_names_every_dataset(end: Any) -> None:
    build = run_builder()
    build.input(LAKE, RAW)
    build.start()
    build.output(LAKE, DAILY).output_statistics(row_count=10)
    build.running()
    assert told(end(build))["inputs"] == [{"name": RAW}]
    assert told(build.other()) == nothing_but("OTHER")


def test_a_dataset_found_after_the_end_is_told_by_other() -> None:
    build = run_builder()
    build.start()
    build.complete()
    build.output(LAKE, DAILY)
    assert told(build.other()) == nothing_but("OTHER", outputs=[{"name": DAILY}])


def test_datasets_come_in_the_order_they_were_named() -> None:
    build = run_builder()
    for name in ("b", "a", "c", "a", "b"):
        build.input(LAKE, name)
    assert [one["name"] for one in told(build.start())["inputs"]] == ["b", "a", "c"]


# The same, from the rules alone: what a notebook would have to keep to know the next event.


@dataclass
class Notebook:
    """A run as the rules have it: what is known, and what was told of it."""

    facets: dict[tuple[str, ...], Any] = field(default_factory=dict)
    datasets: dict[tuple[str, str], None] = field(default_factory=dict)
    untold: set[tuple[str, ...]] = field(default_factory=set)
    unnamed: set[tuple[str, str]] = field(default_factory=set)

    def name(self, role: str, name: str) -> None:
        if (role, name) not in self.datasets:
            self.datasets[role, name] = None
            self.unnamed.add((role, name))

    def say(self, *place: str, **facet: Any) -> None:
        self.facets[place] = facet
        self.untold.add(place)

    def event(self, kind: str, *, ends: bool) -> dict[str, Any]:
        told: dict[str, Any] = {"eventType": kind, "run": {}, "job": {}}
        for role, name in self.datasets:
            news = {place for place in self.untold if place[:2] == (role, name)}
            if ends or news or (role, name) in self.unnamed:
                told.setdefault(role, []).append({"name": name})
        for place, facet in self.facets.items():
            if place in self.untold or place == ("run", "facets", "parent"):
                *entity, container, key = place
                if len(entity) == 1:
                    holder = told[entity[0]]
                else:
                    holder = next(one for one in told[entity[0]] if one["name"] == entity[1])
                holder.setdefault(container, {})[key] = facet
        self.untold.clear()
        self.unnamed.clear()
        return told


def _parent(build: RunEventBuilder, notes: Notebook, _: int) -> None:
    build.run.parent(**PARENT)
    notes.say("run", "facets", "parent", **PARENT)


def _custom(build: RunEventBuilder, notes: Notebook, number: int) -> None:
    build.run.facet(RunFacet(number=number), key="acme_number")
    notes.say("run", "facets", "acme_number", number=number)


def _sql(build: RunEventBuilder, notes: Notebook, number: int) -> None:
    build.job.sql(query=f"select {number}")
    notes.say("job", "facets", "sql", query=f"select {number}")


def _no_sql(build: RunEventBuilder, notes: Notebook, _: int) -> None:
    build.job.delete("sql")
    notes.say("job", "facets", "sql", _deleted=True)


def _input(build: RunEventBuilder, notes: Notebook, number: int) -> None:
    build.input(LAKE, f"raw/{number}")
    notes.name("inputs", f"raw/{number}")


def _read(build: RunEventBuilder, notes: Notebook, number: int) -> None:
    _input(build, notes, number)
    build.input(LAKE, f"raw/{number}").input_statistics(row_count=number)
    notes.say("inputs", f"raw/{number}", "inputFacets", "inputStatistics", rowCount=number)


def _written(build: RunEventBuilder, notes: Notebook, number: int) -> None:
    build.output(LAKE, f"raw/{number}").version(dataset_version=str(number))
    notes.name("outputs", f"raw/{number}")
    notes.say("outputs", f"raw/{number}", "facets", "version", datasetVersion=str(number))


SAY = st.tuples(
    st.sampled_from([_parent, _custom, _sql, _no_sql, _input, _read, _written]), st.integers(0, 2)
)
SAYINGS = st.lists(SAY, max_size=5)
MIDDLE = st.lists(st.tuples(st.sampled_from(["running", "other"]), SAYINGS), max_size=3)
ENDS = ["complete", "fail", "abort"]
END = st.tuples(st.sampled_from(ENDS), SAYINGS)
AFTER = st.lists(st.tuples(st.just("other"), SAYINGS), max_size=2)


@settings(deadline=None, max_examples=300)
@given(st.builds(lambda *parts: parts, SAYINGS, MIDDLE, END, AFTER))
def test_every_event_tells_what_the_rules_say(parts: Any) -> None:
    first, middle, end, after = parts
    build, notes = run_builder(), Notebook()

    def events() -> Iterator[tuple[str, Any]]:
        yield "start", first
        yield from middle
        yield end
        yield from after

    for kind, sayings in events():
        for say, number in sayings:
            say(build, notes, number)
        event = getattr(build, kind)(event_time=NOON)
        assert told(event) == notes.event(kind.upper(), ends=kind in ENDS)
