"""The fixture captures events from all sources and reports them."""

from __future__ import annotations

import gzip
import http.client
import json
import os
import subprocess
import sys
import threading
import zlib
from pathlib import Path
from time import process_time
from typing import Any
from urllib.parse import urlsplit

import pytest

from openlineage_facets import Job, JobEvent, RunEventBuilder
from openlineage_facets.emitters import FileEmitter, emitter_from_environment
from openlineage_facets.facets import JobTypeJobFacet
from openlineage_facets.testing import LineageEvents
from tests.cases import each
from tests.events import EVENT, JOB, RUN_ID, dataset_event, job_event, run_event

WRONG = run_event(run={"runId": "seven"})


def a_job(emit: Any, name: str = "orders.daily") -> None:
    build = RunEventBuilder("etl", name, producer="https://example.com/v7/etl")
    build.input("s3://lake", "raw/orders")
    emit(build.start())
    build.output("s3://lake", "curated/daily").output_statistics(row_count=365)
    emit(build.complete())


def types(events: list[Any]) -> list[str]:
    return [event.event_type.value for event in events]


def post(url: str, body: bytes, **headers: str) -> tuple[int, str]:
    address = urlsplit(url)
    connection = http.client.HTTPConnection(address.hostname or "", address.port)
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request("POST", "/api/v1/lineage", body, names)
    response = connection.getresponse()
    answer = response.status, response.read().decode()
    connection.close()
    return answer


# Ways in


def test_it_is_an_emitter_a_function_and_a_file(lineage_events: LineageEvents) -> None:
    a_job(lineage_events.emit)
    lineage_events.close()
    a_job(lineage_events)
    with FileEmitter(lineage_events.file) as emitter:
        a_job(emitter.emit)
    assert types(lineage_events.events) == ["START", "COMPLETE"] * 3


def test_an_incomplete_line_is_captured_later(lineage_events: LineageEvents) -> None:
    text = json.dumps(job_event())
    lineage_events.file.write_text(text[:50])
    assert lineage_events.readings == []
    with pytest.raises(AssertionError, match=r"event 1 \(no event\): OL001 error \(root\): not valid JSON"):
        lineage_events.assert_valid()
    lineage_events.file.write_text(text)
    assert len(lineage_events) == 1
    lineage_events.assert_valid()


def test_a_carriage_return_does_not_end_a_line(lineage_events: LineageEvents) -> None:
    lineage_events.file.write_bytes(json.dumps(job_event()).replace(", ", ",\r").encode() + b"\r\n")
    lineage_events.assert_valid()
    assert len(lineage_events) == 1


def test_a_file_that_has_become_shorter_is_read_again(lineage_events: LineageEvents) -> None:
    lineage_events.file.write_text(json.dumps(job_event()) + "\n" + json.dumps(dataset_event()) + "\n")
    assert len(lineage_events) == 2
    lineage_events.file.write_text(json.dumps(job_event()) + "\n")
    assert len(lineage_events) == 3


def test_emitters_configured_by_the_environment_send_to_it(
    lineage_events: LineageEvents, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENLINEAGE_DISABLED", "true")
    lineage_events.use_environment()
    with emitter_from_environment() as emitter:
        a_job(emitter.emit)
    assert types(lineage_events.wait_for(2)) == ["START", "COMPLETE"]


def test_variables_of_the_developer_do_not_change_events(
    lineage_events: LineageEvents, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENLINEAGE_BACKEND", "marquez")
    monkeypatch.setenv("OPENLINEAGE_TAG_TEAM", "dataos")
    monkeypatch.setenv("OPENLINEAGE__TAGS", '{"job": {"team": "dataos"}}')
    lineage_events.use_environment()
    # Marquez needs job types in capital letters.
    job_type = JobTypeJobFacet(processing_type="batch", integration="SQL")
    event = JobEvent(job=Job(namespace="etl", name="orders", facets=[job_type]))
    with emitter_from_environment() as emitter:
        emitter.emit(event)
    assert lineage_events.wait_for(1) == [event]


@pytest.mark.parametrize("compression", ["", "gzip"])  # The second test has another backend than the first.
def test_the_official_client_sends_to_it(
    lineage_events: LineageEvents, monkeypatch: pytest.MonkeyPatch, compression: str
) -> None:
    client = pytest.importorskip("openlineage.client")
    v2 = pytest.importorskip("openlineage.client.event_v2")
    monkeypatch.setenv("OPENLINEAGE_CONFIG", "/no/such/file.yml")
    lineage_events.use_environment()
    if compression:
        monkeypatch.delenv("OPENLINEAGE_URL")
        monkeypatch.setenv("OPENLINEAGE__TRANSPORT__TYPE", "http")
        monkeypatch.setenv("OPENLINEAGE__TRANSPORT__URL", lineage_events.url)
        monkeypatch.setenv("OPENLINEAGE__TRANSPORT__COMPRESSION", compression)
    event = v2.RunEvent(
        eventTime="2026-11-21T08:30:00Z",
        producer="https://example.com/v7/etl",
        run=v2.Run(runId=RUN_ID),
        job=v2.Job(namespace="etl", name=f"job-{compression}"),
        eventType=v2.RunState.START,
    )
    client.OpenLineageClient().emit(event)
    assert [event.job.name for event in lineage_events.wait_for(1)] == [f"job-{compression}"]
    lineage_events.assert_valid()


def test_events_of_the_official_client_are_captured(lineage_events: LineageEvents) -> None:
    v2 = pytest.importorskip("openlineage.client.event_v2")
    dataset = v2.Dataset(namespace="s3://lake", name="raw/orders")
    lineage_events.emit(
        v2.DatasetEvent(eventTime="2026-11-21T08:30:00Z", producer="https://example.com/v7", dataset=dataset)
    )
    assert lineage_events.last.dataset.name == "raw/orders"


def test_other_processes_send_to_it(lineage_events: LineageEvents) -> None:
    program = (
        "from openlineage_facets import Job, JobEvent\n"
        "from openlineage_facets.emitters import emitter_from_environment\n"
        "with emitter_from_environment() as emitter:\n"
        "    emitter.emit(JobEvent(job=Job(namespace='etl', name='elsewhere')))\n"
    )
    environment = {**os.environ, **lineage_events.environment}
    subprocess.run([sys.executable, "-c", program], env=environment, check=True)
    assert [event.job.name for event in lineage_events.wait_for(1)] == ["elsewhere"]


def test_the_environment_is_restored_after_the_test(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENLINEAGE_URL", "https://lineage.example.com")
    monkeypatch.setenv("OPENLINEAGE_API_KEY", "secret")
    monkeypatch.setenv("OPENLINEAGE_TAG_TEAM", "dataos")
    monkeypatch.delenv("OPENLINEAGE_DISABLED", raising=False)
    before = dict(os.environ)
    captured = LineageEvents(tmp_path)
    captured.use_environment()
    assert os.environ["OPENLINEAGE_URL"] == captured.url
    assert {"OPENLINEAGE_API_KEY", "OPENLINEAGE_TAG_TEAM"}.isdisjoint(os.environ)
    os.environ["OPENLINEAGE__TRANSPORT__TRANSPORTS__DEFAULT_HTTP__URL"] = captured.url  # As the client does.
    captured.stop()
    assert dict(os.environ) == before


def test_changes_by_monkeypatch_are_not_brought_back(tmp_path: Path) -> None:
    captured = LineageEvents(tmp_path)
    before = dict(os.environ)
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("OPENLINEAGE_DISABLED", "true")
        captured.use_environment()
    captured.stop()  # Fixtures end in the reverse order of their start.
    assert dict(os.environ) == before


# What came


def test_events_are_in_order_across_all_sources(lineage_events: LineageEvents) -> None:
    first, second, third, fourth = (job_event(job={**JOB, "name": str(number)}) for number in (1, 2, 3, 4))
    lineage_events.emit(first)
    post(lineage_events.url, json.dumps(second).encode())
    with lineage_events.file.open("a") as file:
        print(json.dumps(third), file=file)
    lineage_events.emit(fourth)
    assert [event.job.name for event in lineage_events] == ["1", "2", "3", "4"]


def test_they_are_found_by_job_dataset_run_and_type(lineage_events: LineageEvents) -> None:
    a_job(lineage_events, "orders.daily")
    a_job(lineage_events, "orders.weekly")
    lineage_events.emit(dataset_event())
    weekly = lineage_events.of_job("etl", "orders.weekly")
    assert types(weekly) == ["START", "COMPLETE"]
    assert lineage_events.of_run(weekly[0].run.run_id.upper()) == weekly
    assert [event.job.name for event in lineage_events.of_type("START")] == ["orders.daily", "orders.weekly"]
    assert len(lineage_events.of_type("COMPLETE", "FAIL")) == 2
    assert len(lineage_events.of_dataset("s3://lake", "raw/orders")) == 5
    assert lineage_events.of_job("etl", "orders.monthly") == []


def test_runs_combine_their_events(lineage_events: LineageEvents) -> None:
    a_job(lineage_events)
    (run,) = lineage_events.runs()
    assert (run.job.name, run.state) == ("orders.daily", "COMPLETE")
    assert run.outputs[0].output_facets.output_statistics.row_count == 365
    edges = [(edge.source.name, edge.target.name) for edge in lineage_events.state().lineage().edges]
    assert edges == [("raw/orders", "orders.daily"), ("orders.daily", "curated/daily")]


def test_an_invalid_event_is_captured_and_reported(lineage_events: LineageEvents) -> None:
    lineage_events.emit(job_event())
    lineage_events.emit(WRONG)
    assert lineage_events.last.run.run_id == "seven"
    assert lineage_events.raw[1] == WRONG
    with pytest.raises(AssertionError) as raised:
        lineage_events.assert_valid()
    head, line = str(raised.value).splitlines()
    assert head == "the job emitted invalid events:"
    assert line.startswith("event 2 (RunEvent etl/orders.daily): OL012 error /run/runId: expected a UUID")
    lineage_events.assert_valid(ignore={"OL012"})


@each("malformed", [{}, {"job": None}, {"run": 7, "job": [], "inputs": [7]}, {"dataset": ""}])
def test_malformed_events_fail_only_the_assertion(lineage_events: LineageEvents, malformed: Any) -> None:
    lineage_events.emit({**EVENT, **malformed})
    assert lineage_events.of_job("etl", "x") == lineage_events.of_dataset("a", "b") == []
    assert lineage_events.of_run(RUN_ID) == lineage_events.of_type("START") == lineage_events.runs() == []
    assert "LineageEvents(" in repr(lineage_events)
    with pytest.raises(AssertionError):
        lineage_events.assert_valid()


def test_missing_events_are_reported(lineage_events: LineageEvents) -> None:
    assert list(lineage_events) == []
    with pytest.raises(AssertionError, match="^no event was emitted; pass lineage_events"):
        lineage_events.assert_valid()
    with pytest.raises(AssertionError, match="^no event was emitted$"):
        print(lineage_events.last)
    with pytest.raises(AssertionError, match=r"^expected 2 events within 0\.05 s, found 0$"):
        lineage_events.wait_for(2, timeout=0.05)


def test_captured_events_can_be_cleared(lineage_events: LineageEvents) -> None:
    a_job(lineage_events)
    lineage_events.file.write_text(json.dumps(job_event()) + "\n")
    lineage_events.clear()
    lineage_events.emit(job_event())
    assert len(lineage_events) == 1


def test_other_types_raise_a_type_error(lineage_events: LineageEvents) -> None:
    with pytest.raises(TypeError, match="expected an event, JSON text or a dict, found NoneType"):
        lineage_events.emit(None)


# The backend at its url


def test_bodies_may_be_compressed(lineage_events: LineageEvents) -> None:
    text = json.dumps(job_event()).encode()
    bodies = [
        ("gzip", gzip.compress(text)),
        ("gzip", gzip.compress(text[:40]) + gzip.compress(text[40:])),
        ("deflate", zlib.compress(text)),
        ("identity", text),
    ]
    for encoding, body in bodies:
        assert post(lineage_events.url, body, Content_Encoding=encoding) == (201, "")
    lineage_events.assert_valid()
    assert len(lineage_events) == 4


def test_bodies_may_be_chunked(lineage_events: LineageEvents) -> None:
    address = urlsplit(lineage_events.url)
    connection = http.client.HTTPConnection(address.hostname or "", address.port)
    text = json.dumps(job_event()).encode()
    for _ in range(2):  # On one connection: what is left of a body would spoil the next.
        connection.request("POST", "/", iter([text[:40], text[40:]]), encode_chunked=True)
        assert connection.getresponse().read() == b""
    connection.close()
    lineage_events.assert_valid()
    assert len(lineage_events) == 2


def test_a_body_of_many_chunks_is_read_in_linear_time(lineage_events: LineageEvents) -> None:
    connection = http.client.HTTPConnection(urlsplit(lineage_events.url).netloc, timeout=60)
    chunks = b"100\r\n" + b" " * 256 + b"\r\n"
    start = process_time()
    headers = {"Transfer-Encoding": "chunked"}
    connection.request("POST", "/", chunks * (8 * 2**12) + b"2\r\n{}\r\n0\r\n\r\n", headers)
    assert connection.getresponse().status == 201
    assert process_time() - start < 4
    connection.close()


def test_a_request_may_contain_several_events(lineage_events: LineageEvents) -> None:
    post(lineage_events.url, json.dumps([job_event(), dataset_event(), 7]).encode())
    assert len(lineage_events) == 2
    with pytest.raises(AssertionError, match=r"event 3 \(no event\): OL002 error \(root\): .* found 7"):
        lineage_events.assert_valid()


@each(
    ("body", "headers", "status", "why"),
    [
        (b"no gzip", {"Content_Encoding": "gzip"}, 400, "an invalid gzip body"),
        (gzip.compress(b"{}")[:-4], {"Content_Encoding": "gzip"}, 400, "a truncated gzip body"),
        (gzip.compress(b"{}") + b"no gzip", {"Content_Encoding": "gzip"}, 400, "an invalid gzip body"),
        (b"{}", {"Content_Encoding": "br"}, 415, "the unsupported Content-Encoding 'br'"),
        (b"{}", {"Content_Length": "two"}, 400, "an invalid Content-Length: 'two'"),
        (b"xyz\r\n", {"Transfer_Encoding": "chunked"}, 400, "an invalid chunk size"),
        (gzip.compress(bytes(65 * 2**20), 1), {"Content_Encoding": "gzip"}, 413, "a body of more than"),
    ],
    ids=range(7),
)
def test_an_unreadable_body_is_rejected_and_reported(
    lineage_events: LineageEvents, body: bytes, headers: dict[str, str], status: int, why: str
) -> None:
    answered, words = post(lineage_events.url, body, **headers)
    assert answered == status
    assert why in words
    with pytest.raises(AssertionError) as raised:
        lineage_events.assert_valid()
    assert f"found a request to /api/v1/lineage with {why}" in str(raised.value)
    lineage_events.clear()


def test_the_backend_and_open_connections_to_it_end_with_the_test(tmp_path: Path) -> None:
    captured = LineageEvents(tmp_path)
    a_job(captured)
    assert "lineage receiver" not in {thread.name for thread in threading.enumerate()}
    url = captured.url
    connection = http.client.HTTPConnection(urlsplit(url).netloc)
    connection.request("POST", "/", b"{}")
    assert connection.getresponse().read() == b""
    sock = connection.sock
    captured.stop()
    sock.settimeout(5)
    assert sock.recv(1) == b""
    connection.close()
    with pytest.raises(ConnectionRefusedError):
        post(url, b"{}")
