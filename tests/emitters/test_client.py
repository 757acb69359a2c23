"""Events arrive without loss through every transport of openlineage-python."""

from __future__ import annotations

import json
import logging
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from openlineage.client import OpenLineageClient, event_v2
from openlineage.client.generated.parent_run import ParentRunFacet
from openlineage.client.transport import Config, Transport
from openlineage.client.transport.kafka import KafkaTransport

from openlineage_facets import parse_event
from openlineage_facets.emitters import ClientEmitter, EmissionError, EventRejected, as_emitter
from openlineage_facets.version import install_command
from tests.emitters.misbehaving_receiver import Receiver, Request, first, respond
from tests.emitters.samples import RUN_ID, event, numbers, wait_until

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
    with pytest.raises(
        TypeError, match=r"OpenLineageClient of openlineage-python; pass ClientEmitter\(client\)"
    ):
        as_emitter(client)
    expected = r"ConsoleTransport .*; pass ClientEmitter\(OpenLineageClient\(transport=transport\)\)"
    with pytest.raises(TypeError, match=expected):
        as_emitter(client.transport)
    with pytest.raises(TypeError, match=r"pass ClientEmitter\(client\)"):
        as_emitter(type("OwnClient", (OpenLineageClient,), {})(config=KEEPING))


def emit(config: dict[str, Any], *events: Any) -> None:
    with ClientEmitter(config=config, on_error="raise", timeout=20) as emitter:
        for one in events:
            emitter.emit(one)


def http(receiver: Receiver, kind: str = "http", **more: Any) -> dict[str, Any]:
    return {"type": kind, "url": receiver.url, "retry": {"total": 0}, **more}


def through_http(folder: Path, receiver: Receiver) -> Any:
    emit({"transport": http(receiver)}, WHOLE)
    return receiver.events


def through_compressed_http(folder: Path, receiver: Receiver) -> Any:
    emit({"transport": http(receiver, compression="gzip")}, WHOLE)
    return receiver.events


def through_async_http(folder: Path, receiver: Receiver) -> Any:
    emit({"transport": http(receiver, "async_http")}, WHOLE)
    wait_until(lambda: receiver.received)
    return receiver.events


def through_a_file(folder: Path, receiver: Receiver) -> Any:
    emit({"transport": {"type": "file", "log_file_path": str(folder / "events"), "append": True}}, WHOLE)
    return [json.loads(line) for line in (folder / "events").read_text().splitlines()]


def through_a_debugging_file(folder: Path, receiver: Receiver) -> Any:
    emit({"transport": {"type": "file", "log_file_path": str(folder / "x"), "debug_mode": True}}, WHOLE)
    [file] = folder.iterdir()
    assert file.name.endswith("-orders.1-START.json")
    return [json.loads(file.read_text())]


def through_several(folder: Path, receiver: Receiver) -> Any:
    file = {"type": "file", "log_file_path": str(folder / "events"), "append": True}
    emit({"transport": {"type": "composite", "transports": [file, http(receiver)]}}, WHOLE)
    return [json.loads((folder / "events").read_text())]


def through_one_of_their_own(folder: Path, receiver: Receiver) -> Any:
    from openlineage.client.serde import Serde

    emit(KEEPING, WHOLE)
    return [json.loads(Serde.to_json(Keeping.kept[0]))]


@pytest.mark.parametrize(
    "through",
    [
        through_http,
        through_compressed_http,
        through_async_http,
        through_a_file,
        through_a_debugging_file,
        through_several,
        through_one_of_their_own,
    ],
)
def test_events_are_sent_without_loss(
    through: Callable[[Path, Receiver], Any], tmp_path: Path, receiver: Receiver
) -> None:
    assert through(tmp_path, receiver) == [WHOLE]


def test_events_are_printed_without_loss(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "openlineage"):
        emit({"transport": {"type": "console"}}, WHOLE)
    assert WHOLE in [json.loads(message) for message in caplog.messages if message.startswith("{")]


def test_typed_events_are_sent_unchanged(receiver: Receiver) -> None:
    emit({"transport": http(receiver)}, event(1), parse_event(WHOLE))
    assert receiver.events == [event(1).to_dict(), WHOLE]


def test_a_transport_gets_an_instance_of_the_clients_event_class() -> None:
    other = {name: WHOLE[name] for name in ("eventTime", "producer", "schemaURL")}
    dataset = {**other, "dataset": {"namespace": "s3://lake", "name": "raw"}}
    job = {**other, "job": WHOLE["job"]}
    emit(KEEPING, WHOLE, job, dataset)
    seen = Keeping.kept
    assert isinstance(seen[0], event_v2.RunEvent)
    assert isinstance(seen[1], event_v2.JobEvent)
    assert isinstance(seen[2], event_v2.DatasetEvent)
    assert (seen[0].run.runId, seen[0].eventType, seen[0].job.name) == (
        RUN_ID, event_v2.RunState.START, "orders.1",
    )  # fmt: skip
    assert isinstance(seen[0].run.facets["parent"], ParentRunFacet)
    assert (seen[2].dataset.name, seen[2].dataset.facets) == ("raw", None)


def test_kafka_uses_one_key_for_related_runs() -> None:
    emit(KEEPING, WHOLE)
    transport = KafkaTransport.__new__(KafkaTransport)
    assert transport._get_message_key(Keeping.kept[0]) == "run:etl/root"


def test_a_transforming_transport_changes_only_what_is_configured(receiver: Receiver) -> None:
    replacing = "openlineage.client.transport.transform.transformers.job_namespace_replace_transformer"
    transform = {
        "type": "transform",
        "transformer_class": f"{replacing}.JobNamespaceReplaceTransformer",
        "transformer_properties": {"new_job_namespace": "prod", "include_parent_facet": False},
        "transport": http(receiver),
    }
    emit({"transport": transform}, WHOLE)
    assert receiver.events == [WHOLE | {"job": WHOLE["job"] | {"namespace": "prod"}}]


def test_filters_are_applied(receiver: Receiver) -> None:
    filters = [{"type": "regex", "match": None, "regex": r"orders\.[02]"}]
    emit({"transport": http(receiver), "filters": filters}, *map(event, range(4)))
    assert numbers(receiver.events) == [1, 3]


def test_the_client_is_configured_by_variables(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENLINEAGE__TRANSPORT__TYPE", "http")
    monkeypatch.setenv("OPENLINEAGE__TRANSPORT__URL", receiver.url)
    monkeypatch.setenv("OPENLINEAGE__TRANSPORT__ENDPOINT", "take")
    ClientEmitter(on_error="raise").emit(event(7))
    assert [request.path for request in receiver.requests] == ["/take"]


def test_a_disabled_client_sends_nothing(monkeypatch: pytest.MonkeyPatch, receiver: Receiver) -> None:
    monkeypatch.setenv("OPENLINEAGE_DISABLED", "true")
    emit({"transport": http(receiver)}, WHOLE)
    assert receiver.requests == []


def test_an_existing_client_can_be_passed(receiver: Receiver) -> None:
    client = OpenLineageClient(config={"transport": http(receiver)})
    ClientEmitter(client, on_error="raise").emit(event(7))
    assert numbers(receiver.events) == [7]


def test_exceptions_of_the_transport_are_reported(start_receiver: Callable[..., Receiver]) -> None:
    receiver = start_receiver(respond(500))
    with pytest.raises(
        EmissionError, match="could not emit through the http transport: .*500 error responses"
    ):
        emit({"transport": http(receiver)}, WHOLE)


def test_a_rejected_event_is_recognized(start_receiver: Callable[..., Receiver]) -> None:
    receiver = start_receiver(respond(422))
    with pytest.raises(EventRejected, match="422 Client Error"):
        emit({"transport": http(receiver)}, WHOLE)


def test_a_closed_asynchronous_transport_is_opened_again(receiver: Receiver) -> None:
    emitter = ClientEmitter(config={"transport": http(receiver, "async_http")}, on_error="raise")
    for number in (1, 2):
        emitter.emit(event(number))
        emitter.close()
    assert numbers(receiver.events) == [1, 2]


@pytest.mark.parametrize("kind", ["http", "async_http"])
def test_a_forked_process_does_not_share_a_connection(kind: str, receiver: Receiver) -> None:
    code = """
import os, sys
from openlineage_facets.emitters import ClientEmitter
from tests.emitters.samples import event
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
    subprocess.run([sys.executable, "-W", "ignore", "-c", code, kind, receiver.url], check=True, timeout=60)
    assert sorted(numbers(receiver.events)) == [0, 1, 2]
    ports = {
        one["job"]["name"]: request.client_address[1]
        for one, request in zip(receiver.events, receiver.requests, strict=True)
    }
    assert ports[event(1).job.name] not in (ports[event(0).job.name], ports[event(2).job.name])


KAFKA = """
import os, sys, types
from openlineage_facets.emitters import ClientEmitter
from tests.emitters.samples import event

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
    command = [sys.executable, "-W", "ignore", "-c", KAFKA]
    ran = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert (ran.stdout, ran.stderr) == ("own\nown\n", "")


def test_an_attempt_may_take_forever_but_not_no_time() -> None:
    with ClientEmitter(config=KEEPING, attempt_timeout=float("inf"), on_error="raise") as emitter:
        emitter.emit(WHOLE)
    with pytest.raises(ValueError, match="attempt_timeout: expected a number of seconds greater than 0"):
        ClientEmitter(config=KEEPING, attempt_timeout=0)


def test_a_number_that_the_client_cannot_write_is_rejected() -> None:
    with pytest.raises(EventRejected, match=r"expected numbers up to 1\.8e308, .* found 1e400"):
        emit(KEEPING, json.dumps(WHOLE).replace("1e+300", "1e400"))
    assert Keeping.kept == []


def test_a_spool_waits_for_an_asynchronous_transport_when_the_process_exits(
    start_receiver: Callable[..., Receiver], tmp_path: Path
) -> None:
    def late(request: Request) -> None:
        time.sleep(0.3)
        request.answer(201)

    receiver = start_receiver(late)
    code = """
import sys
from openlineage_facets.emitters import ClientEmitter, SpoolEmitter
from tests.emitters.samples import event
client = ClientEmitter(config={"transport": {"type": "async_http", "url": sys.argv[1]}})
SpoolEmitter(client, sys.argv[2], timeout=30).emit(event(1))
"""
    subprocess.run([sys.executable, "-c", code, receiver.url, tmp_path / "spool"], check=True, timeout=60)
    assert numbers(receiver.events) == [1]


def send_once(config: dict[str, Any]) -> None:
    """Send an event in a single attempt."""
    with ClientEmitter(config=config) as emitter:
        emitter.send(json.dumps(WHOLE).encode())


class TestRedirects:
    """The client follows redirects and takes every status below 400 for a delivery."""

    @pytest.mark.parametrize("status", [301, 302, 303])
    def test_a_redirect_that_drops_the_event_is_no_delivery(
        self, status: int, start_receiver: Callable[..., Receiver]
    ) -> None:
        receiver = start_receiver(respond(status, Location="/login?token=s3cret"))
        with pytest.raises(EmissionError, match=rf"responded with {status} .* to /login\?token=\*\*\*"):
            send_once({"transport": http(receiver)})
        assert {request.command for request in receiver.requests} == {"POST"}

    @pytest.mark.parametrize("status", [304, 600])
    def test_a_status_that_is_neither_success_nor_error_is_no_delivery(
        self, status: int, start_receiver: Callable[..., Receiver]
    ) -> None:
        with pytest.raises(EmissionError, match=f"responded with {status}"):
            send_once({"transport": http(start_receiver(respond(status)))})

    @pytest.mark.parametrize("status", [307, 308])
    def test_a_redirect_of_the_post_is_followed(
        self, status: int, start_receiver: Callable[..., Receiver]
    ) -> None:
        receiver = start_receiver(first(1, respond(status, Location="/elsewhere")))
        emit({"transport": http(receiver)}, WHOLE)
        assert receiver.events == [WHOLE]
        assert receiver.requests[-1].path == "/elsewhere"

    @pytest.mark.parametrize("status", [307, 308])
    def test_a_redirect_to_another_origin_is_not_followed(
        self, status: int, start_receiver: Callable[..., Receiver]
    ) -> None:
        other = start_receiver()
        receiver = start_receiver(respond(status, Location=f"{other.url}/elsewhere"))
        transport = {**http(receiver), "custom_headers": {"X-Api-Key": "xyzzy"}}
        with pytest.raises(EmissionError, match=rf"responded with {status} .* to {other.url}/elsewhere"):
            send_once({"transport": transport})
        assert (len(receiver.requests), other.requests) == (1, [])

    @pytest.mark.parametrize("status", [301, 307, 308])
    def test_an_asynchronous_redirect_to_another_origin_is_not_followed(
        self, status: int, start_receiver: Callable[..., Receiver]
    ) -> None:
        other = start_receiver()
        receiver = start_receiver(respond(status, Location=f"{other.url}/elsewhere"))
        transport = {**http(receiver), "type": "async_http", "custom_headers": {"X-Api-Key": "xyzzy"}}
        transport["retry"] = {"total": 0}
        with ClientEmitter(config={"transport": transport}) as emitter:
            emitter.emit(event(1))
        wait_until(lambda: receiver.requests)
        assert (len(receiver.requests), other.requests) == (1, [])

    def test_an_asynchronous_redirect_of_the_post_is_followed(
        self, start_receiver: Callable[..., Receiver]
    ) -> None:
        receiver = start_receiver(first(1, respond(307, Location="/elsewhere")))
        emit({"transport": {**http(receiver), "type": "async_http"}}, WHOLE)
        assert receiver.events == [WHOLE]

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
