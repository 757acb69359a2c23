"""The listener emits the events of a task instance as one run, a child of its DAG run."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from openlineage_facets import RunEvent, parse_event, producer
from openlineage_facets.emitters import FileEmitter
from openlineage_facets.facets import TagRunFacet
from openlineage_facets.operators import TaskInstanceListener, dag_run_id, task_run_id
from tests.cases import each
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


@pytest.mark.parametrize(
    "end_date",
    [None, START - timedelta(days=1), END.replace(tzinfo=None), "yesterday"],
    ids=["not told", "of an earlier try", "without an offset", "no date"],
)
def test_an_implausible_end_date_is_replaced_by_the_current_time(end_date: Any) -> None:
    recorded = Recorder()
    before = datetime.now(tz=START.tzinfo)
    recorded.listener.on_complete(Try(end_date=end_date))
    assert before <= recorded.events[0].event_time <= datetime.now(tz=START.tzinfo)


def test_a_date_without_an_offset_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    Recorder().listener.on_start(Try(start_date=START.replace(tzinfo=None)))
    assert "shop.load_orders: expected a date with an offset, found 2026-11-22 01:00:00.000250" in caplog.text


def test_a_failure_has_the_exception_and_its_traceback() -> None:
    def load() -> None:
        raise ValueError("no column 'amount'")

    with pytest.raises(ValueError, match="amount") as caught:
        load()
    message = run_facets(Recorder().life(SilentOperator(), caught.value)[1]).error_message
    assert (message.message, message.programming_language) == ("no column 'amount'", "python")
    assert message.stack_trace.splitlines()[-1] == "ValueError: no column 'amount'"
    assert "in load" in message.stack_trace


def test_a_failure_may_be_text_or_none() -> None:
    assert (
        run_facets(Recorder().life(SilentOperator(), "killed")[1]).error_message.to_dict()["message"]
        == "killed"
    )
    recorded = Recorder()
    recorded.listener.on_failure(Try())
    assert run_facets(recorded.events[0]).error_message is None


class _Silent(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no words")


@pytest.mark.parametrize(
    ("error", "message"),
    [(_Silent(), "_Silent"), (KeyError(), "KeyError"), (ValueError("\ud800"), "\\ud800")],
    ids=["raises", "empty", "lone surrogate"],
)
def test_an_error_without_text_is_reported(error: Exception, message: str) -> None:
    assert run_facets(Recorder().life(SilentOperator(), error)[1]).error_message.message == message


def test_the_listeners_facets_replace_the_operators() -> None:
    reported = {
        "parent": {
            "run": {"runId": "0195793b-2c4e-7f18-a3d6-5be0917c42fd"},
            "job": {"namespace": "a", "name": "b"},
        },
        "errorMessage": {"message": "mine", "programmingLanguage": "SQL"},
        "nominalTime": {"nominalStartTime": "2020-01-01T00:00:00Z"},
    }
    facets = run_facets(Recorder().life(operator(on_start=lambda ti: {"runFacets": reported}), "theirs")[1])
    assert facets.parent.job.name == "shop"
    assert facets.error_message.message == "theirs"
    assert str(facets.nominal_time.nominal_start_time) == "2020-01-01T00:00:00Z"


def test_the_operators_error_is_kept_without_one_from_the_scheduler() -> None:
    reported = {"errorMessage": {"message": "mine", "programmingLanguage": "SQL"}}
    recorded = Recorder()
    recorded.listener.on_failure(Try(task=operator(on_start=lambda ti: {"runFacets": reported})))
    assert run_facets(recorded.events[0]).error_message.message == "mine"


def test_the_producer_applies_to_the_event_and_the_operators_facets() -> None:
    task = operator(on_start=lambda ti: {"jobFacets": {"sql": {"query": "select 1"}}})
    for event in Recorder(producer="https://example.com/v3/airflow").life(task):
        assert event.producer == "https://example.com/v3/airflow"
        assert event.job.facets is not None
        assert event.job.facets["sql"].producer == "https://example.com/v3/airflow"
        assert run_facets(event).parent.producer == "https://example.com/v3/airflow"


def test_the_current_producer_is_the_default() -> None:
    with producer("https://example.com/scheduler/v9"):
        assert Recorder().life(SilentOperator())[0].producer == "https://example.com/scheduler/v9"


def test_the_namespace_defaults_to_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Recorder(namespace=None).life(SilentOperator())[0].job.namespace == "default"
    monkeypatch.setenv("OPENLINEAGE_NAMESPACE", "airflow-test")
    assert Recorder(namespace=None).life(SilentOperator())[0].job.namespace == "airflow-test"


def test_the_users_tags_override_the_operators(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENLINEAGE_TAG_TEAM", "dataos")
    tags = {"tags": [{"key": "Team", "value": "?"}, {"key": "pii", "value": "true"}]}
    reported = {
        "runFacets": {"tags": tags},
        "outputs": [{"namespace": "a", "name": "b", "facets": {"tags": tags}}],
    }
    event = Recorder().life(operator(on_start=lambda ti: reported))[0].to_dict()
    users = {"key": "team", "value": "dataos", "source": "USER"}
    assert event["run"]["facets"]["tags"]["tags"] == [{"key": "pii", "value": "true"}, users]
    assert event["job"]["facets"]["tags"]["tags"] == [users]
    assert event["outputs"][0]["facets"]["tags"]["tags"] == tags["tags"]


def test_the_users_tags_use_the_operators_wire_format(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENLINEAGE_TAG_TEAM", "dataos")
    tags = {"_schemaURL": TagRunFacet.__schema_url__, "tags": [{"key": "pii", "value": True}]}
    event = Recorder().life(operator(on_start=lambda ti: {"runFacets": {"tags": tags}}))[0]
    assert isinstance(run_facets(event).tags, TagRunFacet)
    assert [tag.value for tag in run_facets(event).tags.tags] == [True, "dataos"]


@each("entity", ["run", "job"])
def test_the_users_tags_leave_other_content_of_the_operators_tags_facet(
    entity: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENLINEAGE_TAG_TEAM", "dataos")
    tag = {"key": "pii", "value": "true", "reason": "email"}
    facet = {"_producer": "https://example.com/loader", "version": 3, "tags": [tag]}
    facet["_schemaURL"] = "https://example.com/Tags.json"
    task = operator(on_start=lambda ti: {f"{entity}Facets": {"tags": facet}})
    event = Recorder().life(task)[0].to_dict()
    users = {"key": "team", "value": "dataos", "source": "USER"}
    assert event[entity]["facets"]["tags"] == {**facet, "tags": [tag, users]}


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
    caplog.clear()
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
    assert [record.getMessage() for record in caplog.records] == [
        f"could not emit the {kind} event of shop.load_orders" for kind in ("START", "COMPLETE", "FAIL")
    ]
    assert "no backend" in caplog.text


def test_events_may_go_to_an_emitter(tmp_path: Path) -> None:
    with FileEmitter(tmp_path / "lineage.ndjson") as emitter:
        TaskInstanceListener(emitter).on_start(Try())
    assert parse_event((tmp_path / "lineage.ndjson").read_bytes()).job.name == "shop.load_orders"


def test_an_invalid_emitter_is_rejected() -> None:
    with pytest.raises(
        TypeError, match="expected an emitter, a function that accepts an event, a URL or a path, found 7"
    ):
        TaskInstanceListener(7)  # type: ignore[arg-type]


@pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit])
def test_interrupts_of_the_task_are_not_caught(stop: type[BaseException]) -> None:
    def interrupted(ti: Any) -> None:
        raise stop

    with pytest.raises(stop):
        Recorder().listener.on_start(Try(task=operator(on_start=interrupted)))


@pytest.mark.parametrize("settings", [{"producer": "me"}, {"namespace": ""}])
def test_invalid_settings_are_rejected(settings: dict[str, Any]) -> None:
    (name,) = settings
    with pytest.raises(ValueError, match=f"{name}: expected"):
        TaskInstanceListener(print, **settings)


def test_nothing_is_logged_without_a_problem(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    Recorder().life(operator(on_start=lambda ti: {"inputs": [{"namespace": "a", "name": "b"}]}), "broken")
    assert caplog.records == []
