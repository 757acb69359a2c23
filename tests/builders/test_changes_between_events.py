"""What later events of a run repeat: run id, job and parent always, everything in the terminal event."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from openlineage_facets import RunEvent, RunEventBuilder
from openlineage_facets.facets import RunFacet
from tests.builders.sample_builders import DAILY, LAKE, NOON, RAW, RUN_ID, run_builder, without_producers

PARENT = {"run": {"runId": RUN_ID}, "job": {"namespace": "airflow", "name": "orders"}}
RAW_SCHEMA = {"fields": [{"name": "id"}]}


def sent(event: RunEvent) -> dict[str, Any]:
    """Return the wire form of an event without the parts that all events have."""
    wire: dict[str, Any] = without_producers(event.to_dict())
    for name in ("eventTime", "producer", "schemaURL"):
        del wire[name]
    assert wire["run"].pop("runId") == RUN_ID
    assert (wire["job"].pop("namespace"), wire["job"].pop("name")) == ("etl", "orders.daily")
    for dataset in [*wire.get("inputs", []), *wire.get("outputs", [])]:
        assert dataset.pop("namespace") == LAKE
    return wire


def minimal(kind: str, **parts: Any) -> dict[str, Any]:
    return {"eventType": kind, "run": {}, "job": {}, **parts}


def test_facet_is_sent_once_and_in_the_terminal_event() -> None:
    build = run_builder()
    build.run.nominal_time(nominal_start_time=NOON)
    build.job.sql(query="select 1")
    facets = {
        "run": {"facets": {"nominalTime": {"nominalStartTime": NOON}}},
        "job": {"facets": {"sql": {"query": "select 1"}}},
    }
    assert sent(build.start()) == minimal("START", **facets)
    assert sent(build.running()) == minimal("RUNNING")
    assert sent(build.complete()) == minimal("COMPLETE", **facets)


def test_facet_replaced_by_equal_facet_is_sent_again() -> None:
    build = run_builder()
    build.job.sql(query="select 1")
    build.start()
    build.job.sql(query="select 1")
    assert sent(build.running())["job"] == {"facets": {"sql": {"query": "select 1"}}}


# The same rules as a model.


@dataclass
class ExpectedRun:
    """A model of the rules: known facets and datasets, and which of them were sent."""

    facets: dict[tuple[str, ...], Any] = field(default_factory=dict)
    datasets: dict[tuple[str, str], None] = field(default_factory=dict)
    unsent: set[tuple[str, ...]] = field(default_factory=set)
    new_datasets: set[tuple[str, str]] = field(default_factory=set)

    def add_dataset(self, role: str, name: str) -> None:
        if (role, name) not in self.datasets:
            self.datasets[role, name] = None
            self.new_datasets.add((role, name))

    def add_facet(self, *place: str, **facet: Any) -> None:
        self.facets[place] = facet
        self.unsent.add(place)

    def event(self, kind: str, *, ends: bool) -> dict[str, Any]:
        sent: dict[str, Any] = {"eventType": kind, "run": {}, "job": {}}
        for role, name in self.datasets:
            new_facets = {place for place in self.unsent if place[:2] == (role, name)}
            if ends or new_facets or (role, name) in self.new_datasets:
                sent.setdefault(role, []).append({"name": name})
        for place, facet in self.facets.items():
            if ends or place in self.unsent or place == ("run", "facets", "parent"):
                *entity, container, key = place
                if len(entity) == 1:
                    holder = sent[entity[0]]
                else:
                    holder = next(one for one in sent[entity[0]] if one["name"] == entity[1])
                holder.setdefault(container, {})[key] = facet
        self.unsent.clear()
        self.new_datasets.clear()
        return sent


def _parent(build: RunEventBuilder, expected: ExpectedRun, _: int) -> None:
    build.run.parent(**PARENT)
    expected.add_facet("run", "facets", "parent", **PARENT)


def _custom(build: RunEventBuilder, expected: ExpectedRun, number: int) -> None:
    build.run.facet(RunFacet(number=number), key="acme_number")
    expected.add_facet("run", "facets", "acme_number", number=number)


def _sql(build: RunEventBuilder, expected: ExpectedRun, number: int) -> None:
    build.job.sql(query=f"select {number}")
    expected.add_facet("job", "facets", "sql", query=f"select {number}")


def _no_sql(build: RunEventBuilder, expected: ExpectedRun, _: int) -> None:
    build.job.delete("sql")
    expected.add_facet("job", "facets", "sql", _deleted=True)


def _input(build: RunEventBuilder, expected: ExpectedRun, number: int) -> None:
    build.input(LAKE, f"raw/{number}")
    expected.add_dataset("inputs", f"raw/{number}")


def _read(build: RunEventBuilder, expected: ExpectedRun, number: int) -> None:
    _input(build, expected, number)
    build.input(LAKE, f"raw/{number}").input_statistics(row_count=number)
    expected.add_facet("inputs", f"raw/{number}", "inputFacets", "inputStatistics", rowCount=number)


def _written(build: RunEventBuilder, expected: ExpectedRun, number: int) -> None:
    build.output(LAKE, f"raw/{number}").version(dataset_version=str(number))
    expected.add_dataset("outputs", f"raw/{number}")
    expected.add_facet("outputs", f"raw/{number}", "facets", "version", datasetVersion=str(number))


CHANGE = st.tuples(
    st.sampled_from([_parent, _custom, _sql, _no_sql, _input, _read, _written]), st.integers(0, 2)
)
CHANGES = st.lists(CHANGE, max_size=5)
MIDDLE = st.lists(st.tuples(st.sampled_from(["running", "other"]), CHANGES), max_size=3)
ENDS = ["complete", "fail", "abort"]
END = st.tuples(st.sampled_from(ENDS), CHANGES)
AFTER = st.lists(st.tuples(st.just("other"), CHANGES), max_size=2)


@given(st.builds(lambda *parts: parts, CHANGES, MIDDLE, END, AFTER))
def test_every_event_matches_the_rules(parts: Any) -> None:
    first, middle, end, after = parts
    build, expected = run_builder(), ExpectedRun()

    def events() -> Iterator[tuple[str, Any]]:
        yield "start", first
        yield from middle
        yield end
        yield from after

    for kind, changes in events():
        for change, number in changes:
            change(build, expected, number)
        event = getattr(build, kind)(event_time=NOON)
        assert sent(event) == expected.event(kind.upper(), ends=kind in ENDS)


def test_a_discarded_output_is_left_out() -> None:
    build = run_builder()
    build.output(LAKE, RAW).schema(**RAW_SCHEMA)
    build.output(LAKE, DAILY)
    assert len(sent(build.start())["outputs"]) == 2
    build.discard_output(LAKE, RAW).discard_output(LAKE, "unknown")
    assert sent(build.complete()) == minimal("COMPLETE", outputs=[{"name": DAILY}])
