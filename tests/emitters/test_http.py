"""Events reach a receiver, or it is known why not, and nobody waits longer than was said."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable

import pytest

from openlineage_facets.emitters import EmissionError, EventRejected, HttpEmitter
from tests.emitters.receiver import (
    Receiver,
    Request,
    answers,
    first,
    hangs_amid_its_answer,
    hangs_up,
    says_rubbish,
    slowly,
    takes,
    unused_port,
)
from tests.emitters.samples import event, numbers, wait_until

StartReceiver = Callable[..., Receiver]


def emitter(receiver: Receiver, **settings: object) -> HttpEmitter:
    return HttpEmitter(receiver.url, **{"on_error": "raise", "retries": 0, **settings})  # type: ignore[arg-type]


def test_an_event_is_posted_as_it_is(receiver: Receiver) -> None:
    emitter(receiver, headers={"X-Team": "dataos"}).emit(event())
    [request] = receiver.requests
    assert request.path == "/api/v1/lineage"
    assert request.body == event().to_json()
    assert request.headers["Content-Type"] == "application/json"
    assert request.headers["X-Team"] == "dataos"


@pytest.mark.parametrize("api_key", ["s3cret", " s3cret\n"])
def test_an_api_key_is_a_bearer_token(receiver: Receiver, api_key: str) -> None:
    emitter(receiver, api_key=api_key).emit(event())
    assert receiver.requests[0].headers["Authorization"] == "Bearer s3cret"


def test_an_event_may_be_compressed(receiver: Receiver) -> None:
    emitter(receiver, compress=True).emit(event(size=10_000))
    assert len(receiver.requests[0].body) < 1000
    assert receiver.events == [event(size=10_000).to_dict()]


@pytest.mark.parametrize(
    ("url", "endpoint", "path"),
    [
        ("http://{}", "api/v1/lineage", "/api/v1/lineage"),
        ("http://{}/", "/take/", "/take"),
        ("http://{}/behind/a/proxy/", "api/v1/lineage", "/behind/a/proxy/api/v1/lineage"),
        ("http://{}/x?token=1", "", "/x?token=1"),
    ],
)
def test_the_endpoint_is_below_the_url(receiver: Receiver, url: str, endpoint: str, path: str) -> None:
    place = url.format(f"127.0.0.1:{receiver.port}")
    HttpEmitter(place, endpoint=endpoint, on_error="raise").emit(event())
    assert receiver.requests[0].path == path


def test_a_password_in_the_url_is_sent_and_never_shown(start_receiver: StartReceiver) -> None:
    receiver = start_receiver(answers(500))
    sender = HttpEmitter(receiver.url.replace("//", "//ana:pa%40ss@"), retries=0, on_error="raise")
    with pytest.raises(EmissionError) as raised:
        sender.emit(event())
    assert receiver.requests[0].headers["Authorization"] == "Basic YW5hOnBhQHNz"
    assert "pa" not in str(raised.value).replace("api", "")


@pytest.mark.parametrize(
    "url", ["localhost:5000", "ftp://x", "http://", "http://x:port", "http://[", "", "http://u:s3cret@x:y"]
)
def test_what_is_no_http_url_is_refused_where_it_is_written(url: str) -> None:
    with pytest.raises(ValueError, match="url: expected an HTTP URL") as raised:
        HttpEmitter(url)
    assert "s3cret" not in str(raised.value)


@pytest.mark.parametrize("name", ["", "X Team", "X-Team:", "X-Téam", "X\nTeam"])
def test_a_name_that_no_header_has_is_refused_where_it_is_written(name: str) -> None:
    with pytest.raises(ValueError, match="headers: expected a name of letters, digits and hyphens, found"):
        HttpEmitter("http://localhost", headers={name: "x"})


@pytest.mark.parametrize("value", ["s3\ncret", "s3cret\r\nX: y", "s3cret 注", "\0s3cret"])
def test_a_value_that_no_header_has_is_refused_and_not_shown(value: str) -> None:
    with pytest.raises(ValueError, match="headers: expected for .* printable Latin-1") as of_key:
        HttpEmitter("http://localhost", api_key=value)
    with pytest.raises(ValueError, match="headers: expected for X-Key text") as of_header:
        HttpEmitter("http://localhost", headers={"X-Key": value})
    assert "cret" not in f"{of_key.value} {of_header.value}"


@pytest.mark.parametrize("status", [400, 404, 409, 413, 422])
def test_an_answer_4xx_rejects_the_event_and_is_not_tried_again(
    start_receiver: StartReceiver, status: int
) -> None:
    receiver = start_receiver(answers(status, b"no such   job\n"))
    with pytest.raises(EventRejected, match=f"answered {status} .*: no such job") as raised:
        emitter(receiver, retries=3).emit(event())
    assert raised.value.answer == f"{status} no such job"
    assert len(receiver.requests) == 1


@pytest.mark.parametrize("status", [401, 408, 429, 500, 502, 503, 504])
def test_other_failures_are_passing_ones(start_receiver: StartReceiver, status: int) -> None:
    receiver = start_receiver(first(2, answers(status)))
    emitter(receiver, retries=2).emit(event())
    assert receiver.events == [event().to_dict()]


def test_retry_after_is_told(start_receiver: StartReceiver) -> None:
    receiver = start_receiver(answers(429, Retry_After="7"))
    with pytest.raises(EmissionError) as raised:
        emitter(receiver).send(event().to_json())
    assert raised.value.retry_after == 7


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirection_is_no_delivery(start_receiver: StartReceiver, status: int) -> None:
    elsewhere = start_receiver()
    receiver = start_receiver(answers(status, Location=f"{elsewhere.url}/login"))
    with pytest.raises(EmissionError, match=f"answered {status} .*to {elsewhere.url}/login"):
        emitter(receiver).emit(event())
    assert elsewhere.requests == []


def test_a_password_in_a_redirection_is_not_shown(start_receiver: StartReceiver) -> None:
    receiver = start_receiver(answers(302, Location="http://ana:s3cret@elsewhere/login"))
    with pytest.raises(EmissionError, match="to http://elsewhere/login"):
        emitter(receiver).emit(event())


@pytest.mark.parametrize("behaviour", [hangs_up, says_rubbish, hangs_amid_its_answer(500, 0.5)])
def test_a_broken_answer_is_a_passing_failure(start_receiver: StartReceiver, behaviour: object) -> None:
    receiver = start_receiver(first(1, behaviour))  # type: ignore[arg-type]
    emitter(receiver, retries=1).emit(event())
    assert numbers(receiver.events) == [0]


def test_an_event_that_was_taken_is_delivered_though_the_answer_hangs(start_receiver: StartReceiver) -> None:
    receiver = start_receiver(hangs_amid_its_answer(200, 30))
    begin = time.monotonic()
    emitter(receiver, timeout=60).emit(event())
    assert time.monotonic() - begin < 15
    assert numbers(receiver.events) == [0]


def test_nobody_there_costs_no_job_and_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    url = f"http://127.0.0.1:{unused_port()}"
    with HttpEmitter(url, retries=0) as sender:
        for number in range(3):
            sender.emit(event(number))
    assert [record.getMessage() for record in caplog.records] == [
        f"HttpEmitter({url}/api/v1/lineage): no answer from {url}/api/v1/lineage: Connection refused;"
        " the job goes on, and this is said once",
        f"HttpEmitter({url}/api/v1/lineage): 3 events were not delivered",
    ]


def test_a_slow_receiver_costs_one_timeout_and_gets_all_in_order(
    start_receiver: StartReceiver, caplog: pytest.LogCaptureFixture
) -> None:
    answering = threading.Event()

    def takes_when_told(request: Request) -> None:
        answering.wait(60)
        takes(request)

    receiver = start_receiver(takes_when_told)
    with HttpEmitter(receiver.url, timeout=0.1, attempt_timeout=60) as sender:
        for number in range(4):
            sender.emit(event(number))
        assert receiver.taken == []
        assert "no answer within 0.1 s; it is tried in the background" in caplog.text
        answering.set()
        wait_until(lambda: len(receiver.taken) == 4)
    assert numbers(receiver.events) == [0, 1, 2, 3]


def test_a_hanging_receiver_keeps_neither_the_job_nor_the_end_of_the_process(
    start_receiver: StartReceiver,
) -> None:
    receiver = start_receiver(slowly(30))
    code = """
import sys, time
from openlineage_facets.emitters import HttpEmitter
from tests.emitters.samples import event
events = [event(number) for number in range(100)]
begin = time.monotonic()
emitter = HttpEmitter(sys.argv[1], timeout=0.5)
for one in events:
    emitter.emit(one)
print(time.monotonic() - begin)
"""
    begin = time.monotonic()
    ran = subprocess.run(
        [sys.executable, "-c", code, receiver.url], capture_output=True, text=True, check=True, timeout=60
    )
    assert float(ran.stdout) < 20  # Each for itself would take 50 seconds.
    assert time.monotonic() - begin < 20
    assert "events were not delivered" in ran.stderr


def test_what_is_on_its_way_when_the_interpreter_ends_is_delivered(start_receiver: StartReceiver) -> None:
    receiver = start_receiver(slowly(1.0))
    code = """
import sys
from openlineage_facets.emitters import HttpEmitter
from tests.emitters.samples import event
HttpEmitter(sys.argv[1], timeout=0.8, attempt_timeout=5).emit(event())
"""
    subprocess.run([sys.executable, "-c", code, receiver.url], check=True, timeout=60, capture_output=True)
    assert numbers(receiver.events) == [0]


def test_the_caller_may_ask_to_be_told_that_it_is_late(start_receiver: StartReceiver) -> None:
    receiver = start_receiver(slowly(0.5))
    with emitter(receiver, timeout=0.1, attempt_timeout=5) as sender:
        with pytest.raises(EmissionError, match=r"not delivered within 0\.1 s; it is tried still"):
            sender.emit(event())
        wait_until(lambda: receiver.taken != [])
