"""The listener emits the events of a task instance as one run, a child of its DAG run."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from openlineage_facets import RunEvent, parse_event, producer
from openlineage_facets.emitters import FileEmitter
from openlineage_facets.facets import TagRunFacet
from openlineage_facets.operators import TaskInstanceListener, dag_run_id, task_run_id
from tests.cases import each
from tests.events import RUN_ID
from tests.operators.scheduler import (
    END,
    NAMESPACE,
    START,
    Recorder,
    SilentOperator,
    Try,
    operator,
)


def run_facets(event: RunEvent) -> Any:
    assert event.run.facets is not None
    return event.run.facets


@each(("error", "types"), [(None, ["START", "COMPLETE"]), ("broken", ["START", "FAIL"])])
def test_the_events_of_a_try_are_one_run_of_a_task_in_its_dag_run(
    error: str | None, types: list[str]
) -> None:
    events = Recorder().life(SilentOperator(), error)
    assert [event.event_type for event in events] == types
    assert [event.event_time for event in events] == [START, END]
    assert events[1].run.run_id == Recorder().life(SilentOperator(), error)[1].run.run_id
    for event in events:
        assert event.run.run_id == str(task_run_id(Try(), NAMESPACE))
        assert (event.job.namespace, event.job.name) == (NAMESPACE, "shop.load_orders")
        parent = run_facets(event).parent
        assert parent.run.run_id == parent.root.run.run_id == str(dag_run_id(Try(), NAMESPACE))
        for job in (parent.job, parent.root.job):
            assert (job.namespace, job.name) == (NAMESPACE, "shop")


@each(
    "end_date",
    [None, START - timedelta(days=1), END.replace(tzinfo=None), "yesterday"],
    ids=["not told", "of an earlier try", "without an offset", "no date"],
)
def test_an_implausible_end_date_is_replaced_by_the_current_time(
    end_date: Any, caplog: pytest.LogCaptureFixture
) -> None:
    recorded = Recorder()
    before = datetime.now(tz=START.tzinfo)
    recorded.listener.on_complete(Try(end_date=end_date))
    assert before <= recorded.events[0].event_time <= datetime.now(tz=START.tzinfo)
    lacks_offset = isinstance(end_date, datetime) and end_date.tzinfo is None
    problem = "shop.load_orders: expected a date with an offset, found 2026-11-22 01:03:00.000250"
    assert (problem in caplog.text) is lacks_offset


def test_a_failure_has_the_exception_and_its_traceback() -> None:
    def load() -> None:
        raise ValueError("no column 'amount'")

    with pytest.raises(ValueError, match="amount") as caught:
        load()
    message = run_facets(Recorder().life(SilentOperator(), caught.value)[1]).error_message
    assert (message.message, message.programming_language) == ("no column 'amount'", "python")
    assert "in load" in message.stack_trace


def test_the_listeners_facets_replace_the_operators() -> None:
    reported = {
        "parent": {"run": {"runId": RUN_ID}, "job": {"namespace": "a", "name": "b"}},
        "errorMessage": {"message": "mine", "programmingLanguage": "SQL"},
        "nominalTime": {"nominalStartTime": "2020-01-01T00:00:00Z"},
    }
    task = operator(on_start=lambda ti: {"runFacets": reported})
    recorded = Recorder()
    recorded.listener.on_failure(Try(task), "theirs")
    recorded.listener.on_failure(Try(task))
    for event, message in zip(recorded.events, ("theirs", "mine"), strict=True):
        facets = run_facets(event)
        assert facets.parent.job.name == "shop"
        assert facets.error_message.message == message
        assert str(facets.nominal_time.nominal_start_time) == "2020-01-01T00:00:00Z"
    recorded.listener.on_failure(Try())
    assert run_facets(recorded.events[2]).error_message is None


def test_the_producer_applies_to_the_event_and_the_operators_facets() -> None:
    own = "https://example.com/v3/airflow"
    event: Any = Recorder(producer=own).start({"jobFacets": {"sql": {"query": "select 1"}}})
    for part in (event, event.job.facets["sql"], run_facets(event).parent):
        assert part.producer == own
    with producer("https://example.com/scheduler/v9"):
        assert Recorder().start(None).producer == "https://example.com/scheduler/v9"


def test_the_namespace_defaults_to_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Recorder(namespace=None).start(None).job.namespace == "default"
    monkeypatch.setenv("OPENLINEAGE_NAMESPACE", "airflow-test")
    assert Recorder(namespace=None).start(None).job.namespace == "airflow-test"


USERS = {"key": "team", "value": "dataos", "source": "USER"}


def test_the_users_tags_override_the_operators(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENLINEAGE_TAG_TEAM", "dataos")
    tags = {"tags": [{"key": "Team", "value": "?"}, {"key": "pii", "value": "true"}]}
    dataset = {"namespace": "a", "name": "b", "facets": {"tags": tags}}
    event = Recorder().start({"runFacets": {"tags": tags}, "outputs": [dataset]}).to_dict()
    assert event["run"]["facets"]["tags"]["tags"] == [{"key": "pii", "value": "true"}, USERS]
    assert event["job"]["facets"]["tags"]["tags"] == [USERS]
    assert event["outputs"][0]["facets"]["tags"]["tags"] == tags["tags"]


@each(
    ("entity", "url", "value"),
    [
        ("run", "https://example.com/Tags.json", "true"),
        ("job", "https://example.com/Tags.json", "true"),
        ("run", TagRunFacet.__schema_url__, True),
    ],
)
def test_the_users_tags_leave_the_wire_format_and_other_content_of_the_operators_tags_facet(
    entity: str, url: str, value: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENLINEAGE_TAG_TEAM", "dataos")
    tag = {"key": "pii", "value": value, "reason": "email"}
    facet = {"_producer": "https://example.com/loader", "version": 3, "_schemaURL": url, "tags": [tag]}
    event = Recorder().start({f"{entity}Facets": {"tags": facet}})
    assert event.to_dict()[entity]["facets"]["tags"] == {**facet, "tags": [tag, USERS]}
    assert isinstance(run_facets(event).tags, TagRunFacet) is (value is True)


@each(
    ("change", "message"),
    [
        ({"run_id": None}, "shop.load_orders: run_id: expected a name, found null; pass"),
        ({"task_id": 5}, "shop.5: task_id: expected a name, found 5; pass"),
        ({"dag_id": ""}, '.load_orders: dag_id: expected a name, found ""; pass'),
    ],
)
def test_a_task_instance_without_identity_is_logged_in_one_line(
    change: dict[str, Any], message: str, caplog: pytest.LogCaptureFixture
) -> None:
    recorded = Recorder()
    recorded.listener.on_start(Try(**change))
    assert recorded.events == []
    (record,) = caplog.records
    assert record.getMessage().startswith(f"no START event of {message}")
    assert record.exc_info is None


def test_names_that_utf8_cannot_encode_are_escaped(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("OPENLINEAGE_NAMESPACE", "prod\udcff")
    recorded = Recorder(namespace=None)
    recorded.listener.on_start(Try(dag_id="shop\ud800", task_id="load\ud800"))
    (event,) = recorded.events
    assert (event.job.namespace, event.job.name) == (r"prod\udcff", r"shop\ud800.load\ud800")
    assert run_facets(event).parent.job.name == r"shop\ud800"
    assert caplog.records == []


def test_exceptions_of_emit_are_logged(caplog: pytest.LogCaptureFixture) -> None:
    def emit(event: RunEvent) -> None:
        raise ConnectionError("no backend")

    listener = TaskInstanceListener(emit)
    listener.on_start(Try())
    listener.on_complete(Try())
    listener.on_failure(Try(), ValueError("broken"))
    assert caplog.messages == [
        f"could not emit the {kind} event of shop.load_orders" for kind in ("START", "COMPLETE", "FAIL")
    ]
    assert "no backend" in caplog.text


def test_events_may_go_to_an_emitter(tmp_path: Path) -> None:
    with FileEmitter(tmp_path / "lineage.ndjson") as emitter:
        TaskInstanceListener(emitter).on_start(Try())
    assert parse_event((tmp_path / "lineage.ndjson").read_bytes()).job.name == "shop.load_orders"


@each("stop", [KeyboardInterrupt, SystemExit])
def test_interrupts_of_the_task_are_not_caught(stop: type[BaseException]) -> None:
    def interrupted(ti: Any) -> None:
        raise stop

    with pytest.raises(stop):
        Recorder().listener.on_start(Try(task=operator(on_start=interrupted)))


@each(
    ("settings", "error", "message"),
    [
        ({"producer": "me"}, ValueError, "producer: expected"),
        ({"namespace": ""}, ValueError, "namespace: expected"),
        (
            {"emit": 7},
            TypeError,
            "expected an emitter, a function that accepts an event, a URL or a path, found 7",
        ),
    ],
)
def test_invalid_settings_are_rejected(
    settings: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        TaskInstanceListener(**{"emit": print, **settings})
