"""A receiver that hangs, trickles or asks for time delays a job once, and no attempt lasts forever."""

from __future__ import annotations

import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from openlineage_facets.emitters import (
    ClientEmitter,
    EmissionError,
    EventRejected,
    HttpEmitter,
    MultiEmitter,
    SpoolEmitter,
    retries,
)
from openlineage_facets.emitters.base_emitter import BaseEmitter, WaitBudget
from openlineage_facets.emitters.errors import http_error
from openlineage_facets.emitters.retries import retry_after_seconds
from tests.cases import each
from tests.emitters.misbehaving_receiver import (
    Behaviour,
    Receiver,
    accept,
    accept_after,
    first,
    respond,
    trickle,
)
from tests.emitters.samples import emit_all, event, numbers, wait_until

StartReceiver = Callable[..., Receiver]


def http(url: str, timeout: float = 20, **settings: Any) -> HttpEmitter:
    return HttpEmitter(url, timeout=timeout, **settings)


def client(url: str, timeout: float = 20, **settings: Any) -> ClientEmitter:
    return ClientEmitter(config={"transport": {"type": "http", "url": url}}, timeout=timeout, **settings)


def composite(url: str, timeout: float = 20, **settings: Any) -> ClientEmitter:
    both = {"type": "composite", "continue_on_failure": False, "transports": [{"type": "http", "url": url}]}
    return ClientEmitter(config={"transport": both}, timeout=timeout, **settings)


MAKERS = (http, client, composite)


@pytest.mark.check
@pytest.mark.parametrize("behaviour", [accept_after(30), trickle], ids=["hangs", "trickles"])
def test_an_unresponsive_receiver_delays_a_job_once(
    behaviour: Behaviour, tmp_path: Path, start_receiver: StartReceiver
) -> None:
    url = start_receiver(behaviour).url
    emitters = [
        http(url, 1),
        client(url, 1),
        SpoolEmitter(http(url, 1), tmp_path, timeout=1),
        MultiEmitter(http(url, 1), http(url, 1)),
    ]

    def delay(emitter: BaseEmitter) -> float:
        begin = time.monotonic()
        for number in range(5):
            emitter.emit(event(number))
        for _ in range(2):
            emitter.close()
        return time.monotonic() - begin

    with ThreadPoolExecutor() as pool:
        for seconds in pool.map(delay, emitters):
            assert 0.9 < seconds < 4.5  # An event that waits again takes another second, of five.


def test_a_slowly_sending_receiver_is_bounded_by_the_attempt_timeout(start_receiver: StartReceiver) -> None:
    receiver = start_receiver(trickle)
    with pytest.raises(EmissionError, match="no response from .*: timed out"):
        HttpEmitter(receiver.url, attempt_timeout=0.4).send(event().to_json())


def test_the_connection_of_a_slow_client_is_closed(start_receiver: StartReceiver) -> None:
    receiver = start_receiver(first(1, trickle))
    emitter = client(receiver.url, attempt_timeout=0.4)
    with pytest.raises(EmissionError, match=r"http transport: not done within 0\.4 s"):
        emitter.send(event(0).to_json())
    wait_until(lambda: not emitter._attempts.waiting, 5)
    emitter.send(event(1).to_json())
    assert numbers(receiver.events) == [1]
    emitter.close()


@each("make", MAKERS)
def test_a_redeploy_loses_no_event(
    make: Callable[[str], BaseEmitter], start_receiver: StartReceiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retries, "_PAUSE", 0.01)
    behaviour: Behaviour = accept
    for status in (403, 404, 429, 503):
        behaviour = first(1, respond(status), behaviour)
    receiver = start_receiver(behaviour)
    emit_all(make(receiver.url), [3])
    assert numbers(receiver.events) == [3]


def test_events_lost_in_a_long_redeploy_are_logged_with_the_reason(
    start_receiver: StartReceiver, caplog: pytest.LogCaptureFixture
) -> None:
    with http(start_receiver(respond(404)).url, 0.3) as emitter:
        emitter.emit(event())
        wait_until(lambda: not emitter._worker.waiting)
    assert "responded with 404 Not Found" in caplog.text
    assert caplog.messages[-1].endswith("1 event was not delivered")


@pytest.mark.check
def test_retry_after_is_honored(start_receiver: StartReceiver) -> None:
    receivers = [start_receiver(first(1, respond(429, Retry_After="1"))) for _ in MAKERS]
    emitters = [make(receiver.url) for make, receiver in zip(MAKERS, receivers, strict=True)]
    begin = time.monotonic()
    for wait in [emitter.start(event(3)) for emitter in emitters]:
        wait()
    assert time.monotonic() - begin > 1
    assert [numbers(receiver.events) for receiver in receivers] == [[3]] * 3
    for emitter in emitters:
        emitter.close()


@pytest.mark.check
def test_a_spool_honors_retry_after_and_does_not_wait_for_it_on_close(
    tmp_path: Path, start_receiver: StartReceiver
) -> None:
    receiver = start_receiver(respond(503, Retry_After="3600"))
    emitter = SpoolEmitter(HttpEmitter(receiver.url), tmp_path, timeout=20)
    emitter.emit(event(0))
    wait_until(lambda: emitter._delivery._retry_after_until)
    begin = time.monotonic()
    emitter.close()
    assert time.monotonic() - begin < 5
    assert len(receiver.requests) == 1


@each(
    ("value", "seconds"),
    [
        ("0", 0), ("7", 7), (" 120 ", 120), ("9" * 400, float("inf")),
        ("Sun, 22 Nov 2026 08:00:30 GMT", 30), ("Sunday, 22-Nov-26 08:00:30 GMT", 30),
        ("Sun Nov 22 08:00:30 2026", 30), ("Sun, 22 Nov 2026 07:00:00 GMT", 0),
        ("", None), (None, None), ("soon", None), ("-1", None), ("1.5", None), ("Sun, 99 Nov 2026", None),
    ],
)  # fmt: skip
def test_retry_after_is_parsed_as_seconds_or_date(value: str | None, seconds: float | None) -> None:
    assert retry_after_seconds(value, "Sun, 22 Nov 2026 08:00:00 GMT") == seconds


@each("status", [401, 403, 404, 405, 407, 408, 410, 421, 423, 425, 429, 500, 502, 503, 504, 302])
def test_only_statuses_about_the_event_reject_it(status: int) -> None:
    assert not isinstance(http_error(status, "no"), EventRejected)


def test_the_wait_budget_is_spent_by_failures_and_restored_by_deliveries(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 100.0
    monkeypatch.setattr("openlineage_facets.emitters.base_emitter.monotonic", lambda: now)
    patience = WaitBudget(5)
    patience.spend(3)
    patience.spend(3)
    assert patience.left == 0
    now += 10
    patience.delivered()
    patience.delivered()
    assert patience.left == pytest.approx(1)
    now += 1000
    patience.delivered()
    assert patience.left == 5


def test_pending_events_in_memory_are_bounded(
    start_receiver: StartReceiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(HttpEmitter, "_PENDING_BYTES", 4000)
    receiver = start_receiver(accept_after(30))
    emitter = MultiEmitter(HttpEmitter(receiver.url, timeout=0.1, attempt_timeout=60), on_error="raise")
    inner = emitter._emitters[0]
    inner._on_error = "raise"
    for number in range(2):
        with pytest.raises(EmissionError, match="not delivered within"):
            emitter.emit(event(number, size=1000))
    with pytest.raises(EmissionError, match="the queue is full: 2 events of .* bytes are pending"):
        emitter.emit(event(2, size=1000))


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """A certificate of 127.0.0.1, signed by itself."""
    if shutil.which("openssl") is None:
        pytest.skip("needs openssl")
    file = tmp_path / "both.pem"
    subject = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
    files = ["-keyout", str(tmp_path / "key.pem"), "-out", str(tmp_path / "cert.pem")]
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *files, *subject]
    subprocess.run(command, check=True, capture_output=True)
    file.write_bytes((tmp_path / "key.pem").read_bytes() + (tmp_path / "cert.pem").read_bytes())
    return file


def with_tls(receiver: Receiver, certificate: Path) -> str:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    server = receiver._server
    server.socket = context.wrap_socket(server.socket, server_side=True)
    return receiver.url.replace("http:", "https:")


def test_tls_is_verified_and_has_the_same_deadline(
    certificate: Path, start_receiver: StartReceiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    receiver = start_receiver(first(1, trickle))
    url = with_tls(receiver, certificate)
    with pytest.raises(EmissionError, match="CERTIFICATE_VERIFY_FAILED"):
        HttpEmitter(url).send(event().to_json())
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    emitter = HttpEmitter(url, attempt_timeout=0.5)
    with pytest.raises(EmissionError, match="timed out"):
        emitter.send(event(0).to_json())
    emitter.send(event(1, size=3_000_000).to_json())
    assert numbers(receiver.events) == [1]


@pytest.mark.check
def test_a_hanging_handshake_has_the_same_deadline() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        begin = time.monotonic()
        with pytest.raises(EmissionError, match="timed out"):
            HttpEmitter(f"https://127.0.0.1:{silent.getsockname()[1]}", attempt_timeout=0.4).send(b"{}")
        assert time.monotonic() - begin < 3
