"""Events arrive without loss through every transport of openlineage-python."""

from __future__ import annotations

import json
import logging
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from openlineage.client import OpenLineageClient, event_v2
from openlineage.client.generated.parent_run import ParentRunFacet
from openlineage.client.serde import Serde
from openlineage.client.transport import Config, Transport
from openlineage.client.transport.kafka import KafkaTransport

from openlineage_facets import parse_event
from openlineage_facets.emitters import ClientEmitter, EmissionError, EventRejected, as_emitter
from openlineage_facets.version import install_command
from tests.cases import each
from tests.emitters.misbehaving_receiver import Receiver, accept_after, first, respond
from tests.emitters.samples import RUN_ID, event, numbers, run_program, wait_until

WHOLE: dict[str, Any] = {
    "eventTime": "2026-11-21T08:30:00.123456789+02:00",
    "eventType": "START",
    "producer": "https://example.com/v7/etl",
    "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
    "acmeNothing": None,
    "run": {
        "runId": RUN_ID,
        "facets": {
            "parent": {
                "_producer": "https://example.com/v7/etl",
                "_schemaURL": "https://openlineage.io/spec/facets/1-1-0/ParentRunFacet.json",
                "run": {"runId": RUN_ID},
                "job": {"namespace": "etl", "name": "parent"},
                "root": {"run": {"runId": RUN_ID}, "job": {"namespace": "etl", "name": "root"}},
            },
            "acme_cost": {
                "_producer": "https://example.com/v7/etl",
                "_schemaURL": "https://acme.example.com/1.json",
                "nothing": None,
                "empty": [{}, [], "", None],
                "exact": 1234567890123456789012345678901234567890,
                "ä🦆": [1.5, -0.1, 1e300],
            },
        },
    },
    "job": {"namespace": "etl", "name": "orders.1", "facets": {}},
    "inputs": [],
}


class KeepingConfig(Config):
    """Nothing to configure."""


class Keeping(Transport):
    """A transport of a user's own."""

    kind = "keeping"
    config_class = KeepingConfig
    kept: list[Any] = []  # noqa: RUF012 - the client makes the instance

    def __init__(self, config: Config) -> None:
        self.kept.clear()

    def emit(self, event: Any) -> None:
        self.kept.append(event)


KEEPING = {"transport": {"type": f"{__name__}.Keeping"}}


def test_the_client_and_its_transports_are_refused_because_they_accept_no_events_of_ours() -> None:
    client = OpenLineageClient(config={"transport": {"type": "console"}})
    own = type("OwnClient", (OpenLineageClient,), {})(config=KEEPING)
    for refused, message in (
        (client, "OpenLineageClient of openlineage-python; pass ClientEmitter(client)"),
        (client.transport, "pass ClientEmitter(OpenLineageClient(transport=transport))"),
        (own, "pass ClientEmitter(client)"),
    ):
        with pytest.raises(TypeError, match=re.escape(message)):
            as_emitter(refused)


def emit(transport: dict[str, Any], *events: Any, **config: Any) -> None:
    with ClientEmitter(config={"transport": transport, **config}, on_error="raise", timeout=20) as emitter:
        for one in events:
            emitter.emit(one)


def http(receiver: Receiver, kind: str = "http", **more: Any) -> dict[str, Any]:
    return {"type": kind, "url": receiver.url, "retry": {"total": 0}, **more}


@each(
    "more",
    [
        {},
        {"compression": "gzip"},
        {"type": "async_http"},
        {"type": "composite", "transports": [{"type": "file", "log_file_path": "events", "append": True}]},
    ],
    ids=["http", "compressed", "asynchronous", "several"],
)
def test_events_are_posted_without_loss(
    more: dict[str, Any], receiver: Receiver, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    receiver.received.clear()
    monkeypatch.chdir(tmp_path)
    if "transports" in more:
        emit({**more, "transports": [*more["transports"], http(receiver)]}, WHOLE)
        assert json.loads(Path("events").read_text()) == WHOLE
    else:
        emit({**http(receiver), **more}, WHOLE)
    wait_until(lambda: receiver.received)
    assert receiver.events == [WHOLE]


def test_events_are_written_to_a_debugging_file_without_loss(tmp_path: Path) -> None:
    emit({"type": "file", "log_file_path": str(tmp_path / "x"), "debug_mode": True}, WHOLE)
    [file] = tmp_path.iterdir()
    assert file.name.endswith("-orders.1-START.json")
    assert json.loads(file.read_text()) == WHOLE


def test_events_are_printed_without_loss(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "openlineage"):
        emit({"type": "console"}, WHOLE)
    assert WHOLE in [json.loads(message) for message in caplog.messages if message.startswith("{")]


def test_typed_events_are_sent_unchanged(receiver: Receiver) -> None:
    emit(http(receiver), event(1), parse_event(WHOLE))
    assert receiver.events == [event(1).to_dict(), WHOLE]


def test_a_transport_gets_an_instance_of_the_clients_event_class() -> None:
    other = {name: WHOLE[name] for name in ("eventTime", "producer", "schemaURL")}
    dataset = {**other, "dataset": {"namespace": "s3://lake", "name": "raw"}}
    job = {**other, "job": WHOLE["job"]}
    emit(KEEPING["transport"], WHOLE, job, dataset)
    seen = Keeping.kept
    assert json.loads(Serde.to_json(seen[0])) == WHOLE
    kinds = (event_v2.RunEvent, event_v2.JobEvent, event_v2.DatasetEvent)
    assert all(isinstance(one, kind) for one, kind in zip(seen, kinds, strict=True))
    first = seen[0]
    assert (first.run.runId, first.eventType, first.job.name) == (RUN_ID, event_v2.RunState.START, "orders.1")
    assert isinstance(first.run.facets["parent"], ParentRunFacet)
    assert (seen[2].dataset.name, seen[2].dataset.facets) == ("raw", None)
    kafka = KafkaTransport.__new__(KafkaTransport)
    assert kafka._get_message_key(first) == "run:etl/root"  # One key for related runs.


def test_a_transforming_transport_changes_only_what_is_configured(receiver: Receiver) -> None:
    replacing = "openlineage.client.transport.transform.transformers.job_namespace_replace_transformer"
    transform = {
        "type": "transform",
        "transformer_class": f"{replacing}.JobNamespaceReplaceTransformer",
        "transformer_properties": {"new_job_namespace": "prod", "include_parent_facet": False},
        "transport": http(receiver),
    }
    emit(transform, WHOLE)
    assert receiver.events == [WHOLE | {"job": WHOLE["job"] | {"namespace": "prod"}}]


def test_filters_are_applied(receiver: Receiver) -> None:
    filters = [{"type": "regex", "match": None, "regex": r"orders\.[02]"}]
    emit(http(receiver), *map(event, range(4)), filters=filters)
    assert numbers(receiver.events) == [1, 3]


def test_the_client_is_configured_by_variables(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENLINEAGE__TRANSPORT__TYPE", "http")
    monkeypatch.setenv("OPENLINEAGE__TRANSPORT__URL", receiver.url)
    monkeypatch.setenv("OPENLINEAGE__TRANSPORT__ENDPOINT", "take")
    ClientEmitter(on_error="raise").emit(event(7))
    assert [request.path for request in receiver.requests] == ["/take"]


def test_a_disabled_client_sends_nothing(monkeypatch: pytest.MonkeyPatch, receiver: Receiver) -> None:
    monkeypatch.setenv("OPENLINEAGE_DISABLED", "true")
    emit(http(receiver), WHOLE)
    assert receiver.requests == []


def test_an_existing_client_can_be_passed(receiver: Receiver) -> None:
    client = OpenLineageClient(config={"transport": http(receiver)})
    ClientEmitter(client, on_error="raise").emit(event(7))
    assert numbers(receiver.events) == [7]


@each(
    ("status", "kind", "message"),
    [
        (500, EmissionError, "could not emit through the http transport: .*500 error responses"),
        (422, EventRejected, "422 Client Error"),
    ],
)
def test_failures_of_the_transport_are_reported_and_rejections_recognized(
    status: int, kind: type[EmissionError], message: str, start_receiver: Callable[..., Receiver]
) -> None:
    with pytest.raises(kind, match=message):
        emit(http(start_receiver(respond(status))), WHOLE)


def test_a_closed_asynchronous_transport_is_opened_again(receiver: Receiver) -> None:
    emitter = ClientEmitter(config={"transport": http(receiver, "async_http")}, on_error="raise")
    for number in (1, 2):
        emitter.emit(event(number))
        emitter.close()
    assert numbers(receiver.events) == [1, 2]


@pytest.mark.parametrize("kind", ["http", "async_http"])
def test_a_forked_process_does_not_share_a_connection(kind: str, receiver: Receiver) -> None:
    code = """
emitter = ClientEmitter(config={"transport": {"type": sys.argv[1], "url": sys.argv[2]}}, on_error="raise")
emitter.emit(event(0))
if sys.argv[1] == "async_http":
    emitter._client.transport.wait_for_completion(20)
if os.fork() == 0:
    emitter.emit(event(1))
    emitter.close()
    os._exit(0)
os.wait()
emitter.emit(event(2))
"""
    run_program(code, kind, receiver.url)
    assert sorted(numbers(receiver.events)) == [0, 1, 2]
    ports = {
        one["job"]["name"]: request.client_address[1]
        for one, request in zip(receiver.events, receiver.requests, strict=True)
    }
    assert ports[event(1).job.name] not in (ports[event(0).job.name], ports[event(2).job.name])


KAFKA = """
import types

class Producer:
    def __init__(self, config):
        self.process = os.getpid()
    def produce(self, **message):
        print("own" if self.process == os.getpid() else "inherited", flush=True)
    def flush(self, timeout):
        return 0
    def __del__(self):  # The real one waits for its threads, which a forked process does not have.
        assert self.process == os.getpid(), "deleted"

sys.modules["confluent_kafka"] = types.SimpleNamespace(Producer=Producer)
emitter = ClientEmitter(config={"transport": {"type": "kafka", "config": {}, "topic": "lineage"}})
emitter.emit(event(0))
if os.fork() == 0:
    emitter.close()
    emitter.emit(event(1))
    os._exit(0)
os.wait()
"""


def test_a_forked_process_uses_and_deletes_only_its_own_kafka_producer() -> None:
    ran = run_program(KAFKA)
    assert (ran.stdout, ran.stderr) == ("own\nown\n", "")


def test_an_attempt_may_take_forever_but_not_no_time() -> None:
    with ClientEmitter(config=KEEPING, attempt_timeout=float("inf"), on_error="raise") as emitter:
        emitter.emit(WHOLE)
    with pytest.raises(ValueError, match="attempt_timeout: expected a number of seconds greater than 0"):
        ClientEmitter(config=KEEPING, attempt_timeout=0)


def test_a_number_that_the_client_cannot_write_is_rejected() -> None:
    with pytest.raises(EventRejected, match=r"expected numbers up to 1\.8e308, .* found 1e400"):
        emit(KEEPING["transport"], json.dumps(WHOLE).replace("1e+300", "1e400"))
    assert Keeping.kept == []


def test_a_spool_waits_for_an_asynchronous_transport_when_the_process_exits(
    start_receiver: Callable[..., Receiver], tmp_path: Path
) -> None:
    receiver = start_receiver(accept_after(0.3))
    code = """
client = ClientEmitter(config={"transport": {"type": "async_http", "url": sys.argv[1]}})
SpoolEmitter(client, sys.argv[2], timeout=30).emit(event(1))
"""
    run_program(code, receiver.url, tmp_path / "spool")
    assert numbers(receiver.events) == [1]


REFUSED = [
    (301, "/login?token=s3cret", r" .* to /login\?token=\*\*\*"),
    (302, "/login", " .* to /login"),
    (303, "/login", " .* to /login"),
    (304, "", ""),
    (600, "", ""),
    (307, "OTHER/elsewhere", " .* to http://127.0.0.1"),
    (308, "OTHER/elsewhere", " .* to http://127.0.0.1"),
]
"""What is no delivery: statuses, locations and messages."""


class TestRedirects:
    """The client follows redirects and takes every status below 400 for a delivery."""

    @each("kind", ["http", "async_http"])
    @each(("status", "location", "message"), REFUSED)
    def test_a_redirect_that_drops_the_event_or_leads_elsewhere_is_no_delivery_and_is_not_followed(
        self, status: int, location: str, message: str, kind: str, start_receiver: Callable[..., Receiver]
    ) -> None:
        other = start_receiver()
        headers = {"Location": location.replace("OTHER", other.url)} if location else {}
        receiver = start_receiver(respond(status, **headers))
        transport = http(receiver, kind, custom_headers={"X-Api-Key": "xyzzy"})
        with ClientEmitter(config={"transport": transport}) as emitter:
            if kind == "http":
                with pytest.raises(EmissionError, match=rf"responded with {status}{message}"):
                    emitter.send(event(1).to_json())
            else:
                emitter.emit(event(1))
        wait_until(lambda: receiver.requests)
        assert {request.command for request in receiver.requests} == {"POST"}
        assert (len(receiver.requests), other.requests) == (1, [])

    @each("kind", ["http", "async_http"])
    @each("status", [307, 308])
    def test_a_redirect_of_the_post_is_followed(
        self, status: int, kind: str, start_receiver: Callable[..., Receiver]
    ) -> None:
        receiver = start_receiver(first(1, respond(status, Location="/elsewhere")))
        emit(http(receiver, kind), WHOLE)
        assert receiver.events == [WHOLE]
        assert receiver.requests[-1].path == "/elsewhere"

    def test_a_redirect_is_retried_and_affects_the_transport_once(
        self, start_receiver: Callable[..., Receiver]
    ) -> None:
        receiver = start_receiver(first(1, respond(302, Location="/login")))
        client = OpenLineageClient(config={"transport": http(receiver)})
        with ClientEmitter(client, on_error="raise") as emitter:
            emitter.emit(event(1))
            emitter.emit(event(2))
            assert len(client.transport.session.hooks["response"]) == 1
        assert numbers(receiver.events) == [1, 2]


def test_without_the_client_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openlineage.client", None)
    with pytest.raises(ImportError, match=re.escape(install_command("client"))):
        ClientEmitter()
