"""Events are delivered or the reason is logged, within the timeout."""

from __future__ import annotations

import re
import subprocess
import threading
from collections.abc import Callable
from contextlib import nullcontext

import pytest

from openlineage_facets.emitters import EmissionError, EventRejected, HttpEmitter
from tests.cases import each
from tests.emitters.misbehaving_receiver import (
    Behaviour,
    Receiver,
    Request,
    accept_after,
    accept_when,
    close_connection,
    first,
    hang_within_response,
    respond,
    respond_with_garbage,
    unused_port,
)
from tests.emitters.samples import emit_all, event, numbers, program, run_program, wait_until

StartReceiver = Callable[..., Receiver]


def emitter(receiver: Receiver, **settings: object) -> HttpEmitter:
    return HttpEmitter(receiver.url, **{"on_error": "raise", "retries": 0, **settings})  # type: ignore[arg-type]


def test_an_event_is_posted_unchanged(receiver: Receiver) -> None:
    emitter(receiver, headers={"X-Team": "dataos"}).emit(event())
    [request] = receiver.requests
    assert request.path == "/api/v1/lineage"
    assert request.body == event().to_json()
    assert request.headers["Content-Type"] == "application/json"
    assert request.headers["X-Team"] == "dataos"


@each("api_key", ["s3cret", " s3cret\n"])
def test_an_api_key_is_a_bearer_token(receiver: Receiver, api_key: str) -> None:
    emitter(receiver, api_key=api_key).emit(event())
    assert receiver.requests[-1].headers["Authorization"] == "Bearer s3cret"


def test_an_event_may_be_compressed(receiver: Receiver) -> None:
    emitter(receiver, compress=True).emit(event(size=10_000))
    assert len(receiver.requests[0].body) < 1000
    assert receiver.events == [event(size=10_000).to_dict()]


@each(
    ("url", "endpoint", "path"),
    [
        ("http://{}", "api/v1/lineage", "/api/v1/lineage"),
        ("http://{}/", "/take/", "/take"),
        ("http://{}/behind/a/proxy/", "api/v1/lineage", "/behind/a/proxy/api/v1/lineage"),
        ("http://{}/x?token=1", "", "/x?token=1"),
        ("http://{}/x?token=1", "api/ol?code=s3cret", "/x/api/ol?token=1&code=s3cret"),
        ("http://{}/a b%20c/ü?x=1 2", "é", "/a%20b%20c/%C3%BC/%C3%A9?x=1%202"),
    ],
)
def test_the_endpoints_are_below_the_url(receiver: Receiver, url: str, endpoint: str, path: str) -> None:
    place = url.format(f"127.0.0.1:{receiver.port}")
    sender = HttpEmitter(place, endpoint=endpoint, batch=True, on_error="raise")
    sender.emit(event())
    assert sender._batches is not None
    sender._batches._post(b"[]")
    below, mark, query = path.partition("?")
    assert [request.path for request in receiver.requests[-2:]] == [path, f"{below}/batch{mark}{query}"]
    assert str(sender) == f"HttpEmitter({receiver.url}{below})"


@each("name", ["timeout", "attempt_timeout"])
def test_time_limits_are_positive_and_may_be_infinite(receiver: Receiver, name: str) -> None:
    for value in (0, -1, float("nan")):
        with pytest.raises(ValueError, match=f"^{name}: expected a number of seconds greater than 0, found "):
            emitter(receiver, **{name: value})
    emitter(receiver, **{name: float("inf")}).emit(event())


def test_a_password_in_the_url_is_sent_but_not_shown(start_receiver: StartReceiver) -> None:
    receiver = start_receiver(respond(500))
    sender = HttpEmitter(receiver.url.replace("//", "//ana:pa%40ss@"), retries=0, on_error="raise")
    with pytest.raises(EmissionError) as raised:
        sender.emit(event())
    assert receiver.requests[0].headers["Authorization"] == "Basic YW5hOnBhQHNz"
    assert "pa" not in str(raised.value).replace("api", "")


@each(
    "url",
    [
        *("localhost:5000", "ftp://x", "http://", "http://x:port", "http://[", "", "http://u:s3cret@x:y"),
        *("http://a b", "http://a\0b"),
    ],
)
def test_invalid_urls_are_rejected(url: str) -> None:
    with pytest.raises(ValueError, match="url: expected an HTTP URL") as raised:
        HttpEmitter(url)
    assert "s3cret" not in str(raised.value)


@each("name", ["", "X Team", "X-Team:", "X-Téam", "X\nTeam"])
def test_invalid_header_names_are_rejected(name: str) -> None:
    with pytest.raises(ValueError, match="headers: expected a name of letters, digits and hyphens, found"):
        HttpEmitter("http://localhost", headers={name: "x"})


@each("value", ["s3\ncret", "s3cret\r\nX: y", "s3cret 注", "\0s3cret"])
def test_invalid_header_values_are_rejected_and_not_shown(value: str) -> None:
    for settings in ({"api_key": value}, {"headers": {"Authorization": value}}):
        with pytest.raises(ValueError, match="expected printable Latin-1 characters in Authorization") as of:
            HttpEmitter("http://localhost", **settings)  # type: ignore[arg-type]
        assert "cret" not in str(of.value)


@each("status", [400, 409, 413, 422])
def test_statuses_about_the_event_reject_it_without_a_retry(
    start_receiver: StartReceiver, status: int
) -> None:
    receiver = start_receiver(respond(status, b"no such   job\n"))
    with pytest.raises(EventRejected, match=f"responded with {status} .*: no such job") as raised:
        emitter(receiver, retries=3).emit(event())
    assert raised.value.answer == f"{status} no such job"
    assert len(receiver.requests) == 1


def test_retry_after_is_part_of_the_error(start_receiver: StartReceiver) -> None:
    receiver = start_receiver(respond(429, Retry_After="7"))
    with pytest.raises(EmissionError) as raised:
        emitter(receiver).send(event().to_json())
    assert raised.value.retry_after == 7


@each("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_a_delivery(start_receiver: StartReceiver, status: int) -> None:
    elsewhere = start_receiver()
    location = elsewhere.url.replace("//", "//ana:s3cret@")
    receiver = start_receiver(respond(status, Location=f"{location}/login"))
    shown = re.escape(f"to http://***@127.0.0.1:{elsewhere.port}/login")
    with pytest.raises(EmissionError, match=f"responded with {status} .*{shown}"):
        emitter(receiver).emit(event())
    assert elsewhere.requests == []


@each("behaviour", [close_connection, respond_with_garbage, hang_within_response(500, 0.1)])
def test_an_invalid_response_may_be_retried(start_receiver: StartReceiver, behaviour: Behaviour) -> None:
    receiver = start_receiver(first(1, behaviour))
    emitter(receiver, retries=1).emit(event())
    assert numbers(receiver.events) == [0]


def test_an_accepted_event_is_delivered_even_if_the_response_hangs(start_receiver: StartReceiver) -> None:
    delivered = threading.Event()
    was_delivered: list[bool] = []

    def hang(request: Request) -> None:
        request.send_response(200)
        request.send_header("Content-Length", "1000")
        request.end_headers()
        request.wfile.flush()
        was_delivered.append(delivered.wait(30))

    receiver = start_receiver(hang)
    emitter(receiver, timeout=60).emit(event())
    delivered.set()
    wait_until(lambda: was_delivered)
    assert was_delivered == [True]


def test_an_unreachable_receiver_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    url = f"http://127.0.0.1:{unused_port()}"
    emit_all(HttpEmitter(url, retries=0), range(3))
    assert [record.getMessage() for record in caplog.records] == [
        f"HttpEmitter({url}/api/v1/lineage): no response from {url}/api/v1/lineage: Connection refused;"
        " the job continues (logged once)",
        f"HttpEmitter({url}/api/v1/lineage): 3 events were not delivered",
    ]


@each("status", [400, 503])
def test_control_characters_of_the_receiver_are_escaped(
    start_receiver: StartReceiver, caplog: pytest.LogCaptureFixture, status: int
) -> None:
    receiver = start_receiver(respond(status, "\x1b[2J\u202eno".encode()))
    emit_all(HttpEmitter(receiver.url, retries=0), [0])
    assert rf"responded with {status} " in caplog.messages[0]
    assert r": \x1b[2J\u202eno; the job continues" in caplog.messages[0]


def test_a_receiver_cannot_add_lines_to_the_log(
    start_receiver: StartReceiver, caplog: pytest.LogCaptureFixture
) -> None:
    def forge(request: Request) -> None:
        request.wfile.write(b"HTTP/1.1 abc\rERROR root: all data is lost\r\n\r\n")
        request.close_connection = True

    emit_all(HttpEmitter(start_receiver(forge).url, retries=0), [0])
    assert "no response" in caplog.messages[0]
    assert [message for message in caplog.messages if not message.isprintable()] == []


def test_pending_events_are_counted_as_lost_once(start_receiver: StartReceiver) -> None:
    """Not when the emitter is closed, since they may still be delivered."""
    answering = threading.Event()
    receiver = start_receiver(accept_when(lambda: answering.wait(60)))
    code = """
import logging, time
logging.basicConfig(format="%(message)s")
emitter = HttpEmitter(sys.argv[1], timeout=0.1, attempt_timeout=60)
emit_all(emitter, range(3))
while sys.argv[2] == "waits" and emitter._worker.waiting:
    time.sleep(0.01)
"""

    def messages(end: str) -> list[str]:
        logged = []
        with subprocess.Popen(program(code, receiver.url, end), stderr=subprocess.PIPE, text=True) as job:
            for line in job.stderr or ():
                logged.append(line.rstrip().partition("lineage): ")[2])
                if end == "waits" and "are pending" in line:
                    answering.set()
        assert job.returncode == 0
        return logged

    pending = "3 events are pending; pending events are lost if the process ends"
    late, *messages_at_exit = messages("exits")
    assert late.startswith("not delivered within 0.1 s; retrying in the background")
    assert messages_at_exit == [pending, "3 events were not delivered"]
    assert messages("waits")[1:] == [pending]


def test_failures_can_be_logged_in_one_message(start_receiver: StartReceiver) -> None:
    """It includes what is pending, so nothing more is logged at exit."""
    has_ended = threading.Event()
    receiver = start_receiver(first(2, respond(500), accept_when(lambda: has_ended.wait(60))))
    code = """
import logging
logging.basicConfig(format="unexpected: %(message)s")
emitter = HttpEmitter(sys.argv[1], timeout=60, retries=0)
emitter.summarize_failures(print)
for number in range(2):
    emitter.emit(event(number))
emitter._wait_budget.spend(60)
emit_all(emitter, [2])
"""
    ran = run_program(code, receiver.url)
    has_ended.set()
    (message,) = ran.stdout.splitlines()
    start = "3 events were not delivered (1 of them may still be, "
    assert message.startswith(f"HttpEmitter({receiver.url}/api/v1/lineage): {start}")
    assert "responded with 500" in message
    assert ran.stderr == ""


@each("on_error", ["log", "raise"])
def test_a_slow_receiver_delays_by_one_timeout_and_gets_all_events_in_order(
    on_error: str, start_receiver: StartReceiver, caplog: pytest.LogCaptureFixture
) -> None:
    message = "not delivered within 0.1 s; retrying in the background"
    answering = threading.Event()
    receiver = start_receiver(accept_when(lambda: answering.wait(60)))
    with emitter(receiver, timeout=0.1, attempt_timeout=60, on_error=on_error) as sender:
        for number in range(4):
            with nullcontext() if on_error == "log" else pytest.raises(EmissionError, match=message):
                sender.emit(event(number))
        assert receiver.received == []
        assert (message in caplog.text) == (on_error == "log")
        answering.set()
        wait_until(lambda: len(receiver.received) == 4)
    assert numbers(receiver.events) == [0, 1, 2, 3]


def test_a_hanging_receiver_blocks_neither_the_job_nor_the_exit(start_receiver: StartReceiver) -> None:
    has_ended = threading.Event()
    receiver = start_receiver(accept_when(lambda: has_ended.wait(60)))
    code = """
import atexit
waits = []
atexit.register(lambda: print(sum(waits)))  # Runs after what emitters register below.
from openlineage_facets.emitters import HttpEmitter
from openlineage_facets.emitters.background_worker import Task

def wait(task, timeout, wait=Task.wait):
    waits.append(max(0, timeout))
    return wait(task, timeout)

Task.wait = wait
emitter = HttpEmitter(sys.argv[1], timeout=0.5, attempt_timeout=60)
for number in range(100):
    emitter.emit(event(number))
"""
    ran = run_program(code, receiver.url)
    assert receiver.received == []
    has_ended.set()
    assert float(ran.stdout) < 1  # Each for itself would wait for 50 seconds.
    assert "100 events were not delivered" in ran.stderr


def test_pending_events_are_delivered_at_exit(start_receiver: StartReceiver) -> None:
    receiver = start_receiver(accept_after(0.5))
    run_program("HttpEmitter(sys.argv[1]).start(event())", receiver.url)
    assert numbers(receiver.events) == [0]
