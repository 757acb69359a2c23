"""What stands for an emitter, and what comes of its failures."""

from __future__ import annotations

import subprocess
import sys
import threading
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from openlineage_facets.emitters import (
    ConsoleEmitter,
    EmissionError,
    Emitter,
    FileEmitter,
    FunctionEmitter,
    HttpEmitter,
    MultiEmitter,
    NullEmitter,
    SpoolEmitter,
    as_emitter,
    replay,
)
from openlineage_facets.emitters.background_worker import Worker
from tests.emitters.samples import event, numbers


class Foreign:
    """An emitter of a user's own, without `close`."""

    def __init__(self) -> None:
        self.received: list[Any] = []

    def emit(self, event: Any) -> None:
        self.received.append(event)


class Broken(Foreign):
    """One that does everything wrong."""

    def emit(self, event: Any) -> None:
        raise RuntimeError("out of order")

    def close(self) -> None:
        raise RuntimeError("stuck")


def test_a_function_is_an_emitter() -> None:
    received: list[Any] = []
    with as_emitter(received.append) as emitter:
        emitter.emit(event(1))
    assert received == [event(1)]


def test_an_asynchronous_function_is_refused_because_its_events_would_be_lost() -> None:
    async def post(event: Any) -> None:
        raise AssertionError("nothing awaits it")

    class Poster:
        async def emit(self, event: Any) -> None:
            await post(event)

        async def __call__(self, event: Any) -> None:
            await post(event)

    for refused in (post, Poster(), Poster().__call__, partial(post)):
        with pytest.raises(TypeError, match="found the asynchronous .*(post|Poster|partial)"):
            as_emitter(refused)
    with pytest.raises(EmissionError, match="whose coroutine nothing would await"):
        as_emitter(lambda event: post(event), on_error="raise").emit(event())


def test_an_object_with_emit_is_an_emitter() -> None:
    foreign = Foreign()
    with as_emitter(foreign) as emitter:
        emitter.emit(event(1))
    assert foreign.received == [event(1)]


def test_an_emitter_of_this_package_is_returned_unchanged() -> None:
    emitter = NullEmitter()
    assert as_emitter(emitter) is emitter


@pytest.mark.parametrize("given", [None, 7, b"lineage.ndjson", FileEmitter, Foreign])
def test_other_objects_are_rejected_as_emitters(given: Any) -> None:
    with pytest.raises(
        TypeError, match="expected an emitter, a function that accepts an event, a URL or a path, found"
    ):
        as_emitter(given)


def test_a_function_without_a_parameter_for_the_event_is_rejected() -> None:
    def forgot() -> None: ...

    def other(event: Any, more: Any) -> None: ...

    for function, found in ((forgot, "forgot() -> "), (other, "other(event: ")):
        with pytest.raises(
            TypeError, match="expected a function with one parameter, the event, found"
        ) as raised:
            as_emitter(function)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
        assert found in str(raised.value)
    for accepted in (print, [].append, lambda *events: None, lambda event, copies=1: None):
        as_emitter(accepted)


def test_failures_do_not_raise_and_each_kind_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    with as_emitter(Broken()) as emitter:
        emitter.emit(event(1))
        emitter.emit(event(2))
    said = [message.partition(": ")[2] for message in caplog.messages]
    assert said == [
        "could not emit the event: out of order; the job continues (logged once)",
        "could not close the emitter: stuck; the job continues (logged once)",
        "2 events were not delivered",
    ]


def test_failures_raise_with_on_error_raise() -> None:
    with pytest.raises(EmissionError, match="could not emit the event: out of order"):
        as_emitter(Broken(), on_error="raise").emit(event())


def test_keyboard_interrupts_are_not_caught() -> None:
    def interrupted(_: Any) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        as_emitter(interrupted).emit(event())


def test_several_emitters_fail_independently(caplog: pytest.LogCaptureFixture) -> None:
    good = Foreign()
    with MultiEmitter(Broken(), good) as emitter:
        emitter.emit(event(1))
    assert good.received == [event(1)]
    assert "could not emit the event: out of order" in caplog.text


def test_several_emitters_raise_together() -> None:
    good = Foreign()
    with pytest.raises(EmissionError, match="out of order.*out of order"):
        MultiEmitter(Broken(), good, Broken(), on_error="raise").emit(event(1))
    assert good.received == [event(1)]


def test_all_emitters_satisfy_the_protocol(tmp_path: Any) -> None:
    file = FileEmitter(tmp_path / "lineage.ndjson")
    http = HttpEmitter("http://localhost:1")
    made = [file, http, MultiEmitter(file), ConsoleEmitter(), NullEmitter(), FunctionEmitter(print)]
    assert all(isinstance(one, Emitter) for one in (*made, SpoolEmitter(file, tmp_path / "spool")))


@pytest.mark.parametrize("timeout", [0, -1, float("nan")])
def test_a_timeout_must_be_positive(timeout: float) -> None:
    with pytest.raises(ValueError, match="timeout: expected a number of seconds greater than 0"):
        HttpEmitter("http://localhost:1", timeout=timeout)


def test_on_error_must_be_log_or_raise() -> None:
    with pytest.raises(ValueError, match="on_error: expected 'log' or 'raise', found 'ignore'"):
        ConsoleEmitter(on_error="ignore")  # type: ignore[arg-type]


def test_events_of_several_threads_all_arrive(tmp_path: Any) -> None:
    emitter = FileEmitter(tmp_path / "lineage.ndjson", on_error="raise", timeout=60)
    threads = [
        threading.Thread(target=lambda: [emitter.emit(event(number)) for number in range(50)])
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len((tmp_path / "lineage.ndjson").read_bytes().splitlines()) == 200


def test_an_idle_worker_ends_and_restarts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("openlineage_facets.emitters.background_worker._IDLE", 0.01)
    worker, done = Worker("test-worker"), []
    for number in range(3):
        task = worker.submit(lambda number=number: done.append(number))
        assert task.wait(5)
        while any(thread.name == "test-worker" for thread in threading.enumerate()):
            pass
    assert done == [0, 1, 2]


WITHOUT_THREADS = """
import sys, threading
from openlineage_facets.emitters import *
from tests.emitters.samples import event, numbers

threading.stack_size(1 << 46)  # No machine has room for that.
folder = sys.argv[1]
file = FileEmitter(f"{folder}/lineage", on_error="raise")
spool = SpoolEmitter(FileEmitter(f"{folder}/spooled"), f"{folder}/spool", on_error="raise")
for emitter in (file, spool):
    for number in range(3):
        emitter.emit(event(number))
down = SpoolEmitter(HttpEmitter("http://127.0.0.1:1"), f"{folder}/waiting", on_error="raise", timeout=0.1)
down.emit(event(7))
"""


def test_emit_delivers_itself_if_no_thread_can_be_started(tmp_path: Path) -> None:
    command = [sys.executable, "-c", WITHOUT_THREADS, str(tmp_path)]
    ran = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    for name in ("lineage", "spooled"):
        assert numbers((tmp_path / name).read_bytes().splitlines()) == [0, 1, 2]
    assert "not delivered" not in ran.stderr
    assert numbers(replayed(tmp_path / "waiting")) == [7]
    assert replayed(tmp_path / "spool") == []


def replayed(folder: Path) -> list[bytes]:
    received: list[bytes] = []
    replay(folder, lambda one: received.append(one.to_json()))
    return received


def test_importing_loads_neither_the_client_nor_fsspec_nor_the_models() -> None:
    heavy = "{'openlineage', 'fsspec', 'pydantic', 'requests', 'urllib.request'}"
    code = f"import openlineage_facets.emitters, sys; print(*{heavy}.intersection(sys.modules))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "\n"
