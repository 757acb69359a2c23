"""The listener tells what happens to a task instance as the events of one run, child of its DAG run."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from openlineage_facets import EventType, RunEvent, parse_event, producer
from openlineage_facets.emitters import FileEmitter
from openlineage_facets.facets import TagRunFacet
from openlineage_facets.operators import TaskInstanceListener, dag_run_id, task_run_id
from tests.operators.scheduler import (
    END,
    MIDNIGHT,
    NAMESPACE,
    START,
    DailyRun,
    DatedTry,
    Heard,
    SilentOperator,
    Try,
    operator,
)

UPSTREAM = {
    "rootParentRunId": "0195793b-2c4e-7f18-a3d6-5be0917c42fd",
    "rootParentJobNamespace": "cron",
    "rootParentJobName": "nightly",
}


def run_facets(event: RunEvent) -> Any:
    assert event.run.facets is not None
    return event.run.facets


def test_a_task_that_ends_well_starts_and_completes() -> None:
    assert [event.event_type for event in Heard().life(SilentOperator())] == [
        EventType.START,
        EventType.COMPLETE,
    ]


def test_a_task_that_fails_starts_and_fails() -> None:
    assert [event.event_type for event in Heard().life(SilentOperator(), "broken")] == [
        EventType.START,
        EventType.FAIL,
    ]


def test_the_job_is_named_after_dag_and_task() -> None:
    for event in Heard().life(SilentOperator(), "broken"):
        assert (event.job.namespace, event.job.name) == (NAMESPACE, "shop.load_orders")


def test_every_event_of_a_try_has_the_same_run_id() -> None:
    ids = {event.run.run_id for event in Heard().life(SilentOperator())}
    assert ids == {str(task_run_id(DatedTry(), NAMESPACE))}


def test_events_of_two_listeners_in_two_processes_agree() -> None:
    assert Heard().life(SilentOperator())[1].run == Heard().life(SilentOperator())[1].run


def test_the_dag_run_is_the_parent_and_the_root() -> None:
    for event in Heard().life(SilentOperator(), "broken"):
        parent = run_facets(event).parent
        assert parent.run.run_id == parent.root.run.run_id == str(dag_run_id(DatedTry(), NAMESPACE))
        assert (parent.job.namespace, parent.job.name) == (NAMESPACE, "shop")
        assert (parent.root.job.namespace, parent.root.job.name) == (NAMESPACE, "shop")


@pytest.mark.parametrize("role", ["root", "parent"])
def test_the_root_is_what_started_the_dag_run(role: str) -> None:
    told = {
        name.replace("rootParent", "parent") if role == "parent" else name: v for name, v in UPSTREAM.items()
    }
    heard = Heard()
    heard.listener.on_start(DatedTry(dag_run=DailyRun(conf={"openlineage": told})))
    parent = run_facets(heard.events[0]).parent
    assert parent.root.run.run_id == UPSTREAM["rootParentRunId"]
    assert (parent.root.job.namespace, parent.root.job.name) == ("cron", "nightly")
    assert parent.job.name == "shop"


@pytest.mark.parametrize("change", [{"rootParentRunId": "seven"}, {"rootParentJobName": None}])
def test_a_root_that_is_none_is_left_out_and_logged(
    change: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    heard = Heard()
    heard.listener.on_start(DatedTry(dag_run=DailyRun(conf={"openlineage": {**UPSTREAM, **change}})))
    assert run_facets(heard.events[0]).parent.root.job.name == "shop"
    assert "the DAG run's conf names no root" in caplog.text


@pytest.mark.parametrize("conf", ["text", {"openlineage": "text"}, {"openlineage": None}, {}])
def test_a_conf_that_speaks_of_something_else_is_none_of_ours(
    conf: Any, caplog: pytest.LogCaptureFixture
) -> None:
    heard = Heard()
    heard.listener.on_start(DatedTry(dag_run=DailyRun(conf=conf)))
    assert run_facets(heard.events[0]).parent.root.job.name == "shop"
    assert caplog.records == []


def test_the_data_interval_is_the_nominal_time() -> None:
    nominal = run_facets(Heard().life(SilentOperator())[0]).nominal_time
    assert (nominal.nominal_start_time, nominal.nominal_end_time) == (MIDNIGHT, MIDNIGHT + timedelta(days=1))


def test_a_task_instance_without_a_dag_run_has_a_parent_all_the_same() -> None:
    heard = Heard()
    heard.listener.on_start(Try())
    facets = run_facets(heard.events[0])
    assert list(facets) == ["parent"]
    assert facets.parent.run.run_id == str(dag_run_id(Try(), NAMESPACE))


def test_the_events_are_of_the_moments_the_scheduler_says() -> None:
    assert [event.event_time for event in Heard().life(SilentOperator())] == [START, END]


@pytest.mark.parametrize(
    "end_date",
    [None, START - timedelta(days=1), END.replace(tzinfo=None), "yesterday"],
    ids=["not told", "of an earlier try", "without an offset", "no date"],
)
def test_an_end_nobody_can_believe_is_now(end_date: Any) -> None:
    heard = Heard()
    before = datetime.now(tz=START.tzinfo)
    heard.listener.on_complete(DatedTry(end_date=end_date))
    assert before <= heard.events[0].event_time <= datetime.now(tz=START.tzinfo)


def test_a_date_without_an_offset_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    Heard().listener.on_start(DatedTry(start_date=START.replace(tzinfo=None)))
    assert "shop.load_orders: 2026-11-22 01:00:00.000250 is no moment, for want of an offset" in caplog.text


def test_a_failure_says_what_was_raised_and_where() -> None:
    def load() -> None:
        raise ValueError("no column 'amount'")

    with pytest.raises(ValueError, match="amount") as caught:
        load()
    message = run_facets(Heard().life(SilentOperator(), caught.value)[1]).error_message
    assert (message.message, message.programming_language) == ("no column 'amount'", "python")
    assert message.stack_trace.splitlines()[-1] == "ValueError: no column 'amount'"
    assert "in load" in message.stack_trace


def test_a_failure_may_be_told_in_words_or_not_at_all() -> None:
    assert (
        run_facets(Heard().life(SilentOperator(), "killed")[1]).error_message.to_dict()["message"] == "killed"
    )
    heard = Heard()
    heard.listener.on_failure(DatedTry())
    assert run_facets(heard.events[0]).error_message is None


class _Silent(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no words")


@pytest.mark.parametrize(
    ("error", "message"),
    [(_Silent(), "_Silent"), (KeyError(), "KeyError"), (ValueError("\ud800"), "\\ud800")],
    ids=["raises", "empty", "lone surrogate"],
)
def test_an_error_that_cannot_be_spelled_is_told_all_the_same(error: Exception, message: str) -> None:
    assert run_facets(Heard().life(SilentOperator(), error)[1]).error_message.message == message


def test_the_listeners_parent_and_error_hold_over_the_operators_and_the_operators_nominal_time() -> None:
    told = {
        "parent": {"run": {"runId": UPSTREAM["rootParentRunId"]}, "job": {"namespace": "a", "name": "b"}},
        "errorMessage": {"message": "mine", "programmingLanguage": "SQL"},
        "nominalTime": {"nominalStartTime": "2020-01-01T00:00:00Z"},
    }
    facets = run_facets(Heard().life(operator(on_start=lambda ti: {"runFacets": told}), "theirs")[1])
    assert facets.parent.job.name == "shop"
    assert facets.error_message.message == "theirs"
    assert str(facets.nominal_time.nominal_start_time) == "2020-01-01T00:00:00Z"


def test_the_operators_error_stands_where_the_scheduler_tells_none() -> None:
    told = {"errorMessage": {"message": "mine", "programmingLanguage": "SQL"}}
    heard = Heard()
    heard.listener.on_failure(DatedTry(task=operator(on_start=lambda ti: {"runFacets": told})))
    assert run_facets(heard.events[0]).error_message.message == "mine"


def test_the_producer_signs_the_event_and_what_the_operator_told() -> None:
    task = operator(on_start=lambda ti: {"jobFacets": {"sql": {"query": "select 1"}}})
    for event in Heard(producer="https://example.com/airflow/v3").life(task):
        assert event.producer == "https://example.com/airflow/v3"
        assert event.job.facets is not None
        assert event.job.facets["sql"].producer == "https://example.com/airflow/v3"
        assert run_facets(event).parent.producer == "https://example.com/airflow/v3"


def test_without_a_producer_the_one_in_force_signs() -> None:
    with producer("https://example.com/scheduler/v9"):
        assert Heard().life(SilentOperator())[0].producer == "https://example.com/scheduler/v9"


def test_the_namespace_comes_from_the_environment_if_not_given(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Heard(namespace=None).life(SilentOperator())[0].job.namespace == "default"
    monkeypatch.setenv("OPENLINEAGE_NAMESPACE", "airflow-test")
    assert Heard(namespace=None).life(SilentOperator())[0].job.namespace == "airflow-test"


def test_the_users_tags_go_on_job_and_run_over_the_operators(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENLINEAGE_TAG_TEAM", "dataos")
    tags = {"tags": [{"key": "Team", "value": "?"}, {"key": "pii", "value": "true"}]}
    told = {
        "runFacets": {"tags": tags},
        "outputs": [{"namespace": "a", "name": "b", "facets": {"tags": tags}}],
    }
    event = Heard().life(operator(on_start=lambda ti: told))[0].to_dict()
    users = {"key": "team", "value": "dataos", "source": "USER"}
    assert event["run"]["facets"]["tags"]["tags"] == [{"key": "pii", "value": "true"}, users]
    assert event["job"]["facets"]["tags"]["tags"] == [users]
    assert event["outputs"][0]["facets"]["tags"]["tags"] == tags["tags"]


def test_the_users_tags_take_the_operators_spelling(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENLINEAGE_TAG_TEAM", "dataos")
    tags = {"_schemaURL": TagRunFacet.__schema_url__, "tags": [{"key": "pii", "value": True}]}
    event = Heard().life(operator(on_start=lambda ti: {"runFacets": {"tags": tags}}))[0]
    assert isinstance(run_facets(event).tags, TagRunFacet)
    assert [tag.value for tag in run_facets(event).tags.tags] == [True, "dataos"]


def test_what_emit_raises_costs_a_log_line(caplog: pytest.LogCaptureFixture) -> None:
    def emit(event: RunEvent) -> None:
        raise ConnectionError("no backend")

    listener = TaskInstanceListener(emit)
    listener.on_start(DatedTry())
    listener.on_complete(DatedTry())
    listener.on_failure(DatedTry(), ValueError("broken"))
    assert [record.getMessage() for record in caplog.records] == [
        f"no {kind} event of shop.load_orders was emitted" for kind in ("START", "COMPLETE", "FAIL")
    ]
    assert "no backend" in caplog.text


def test_an_emitter_takes_the_events(tmp_path: Path) -> None:
    with FileEmitter(tmp_path / "lineage.ndjson") as emitter:
        TaskInstanceListener(emitter).on_start(DatedTry())
    assert parse_event((tmp_path / "lineage.ndjson").read_bytes()).job.name == "shop.load_orders"


def test_what_takes_no_events_is_refused_when_the_listener_is_made() -> None:
    with pytest.raises(TypeError, match="expected an emitter, or a function that takes an event, found 'lin"):
        TaskInstanceListener("lineage.ndjson")  # type: ignore[arg-type]


@pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit])
def test_what_stops_the_task_is_not_held_up(stop: type[BaseException]) -> None:
    def interrupted(ti: Any) -> None:
        raise stop

    with pytest.raises(stop):
        Heard().listener.on_start(DatedTry(task=operator(on_start=interrupted)))


@pytest.mark.parametrize("settings", [{"producer": "me"}, {"namespace": ""}])
def test_a_wrong_setting_is_refused_when_the_listener_is_made(settings: dict[str, Any]) -> None:
    (name,) = settings
    with pytest.raises(ValueError, match=f"{name}: expected"):
        TaskInstanceListener(print, **settings)


def test_nothing_is_logged_where_nothing_is_wrong(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    Heard().life(operator(on_start=lambda ti: {"inputs": [{"namespace": "a", "name": "b"}]}), "broken")
    assert caplog.records == []
