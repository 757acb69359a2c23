"""What stands for an emitter, and what comes of its failures."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from openlineage_facets import RunEvent
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
from tests.cases import each
from tests.emitters.samples import emit_all, event, numbers_in, run_program


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


def test_a_function_and_an_object_with_emit_are_emitters() -> None:
    foreign = Foreign()
    for accepted in (foreign.received.append, foreign):
        emit_all(as_emitter(accepted), [1])
    assert foreign.received == [event(1)] * 2


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


def test_an_emitter_of_this_package_is_returned_unchanged() -> None:
    emitter = NullEmitter()
    assert as_emitter(emitter) is emitter


@each("other", [None, 7, b"lineage.ndjson", FileEmitter, Foreign])
def test_other_objects_are_rejected_as_emitters(other: Any) -> None:
    expected = "expected an emitter, a function that accepts an event, a URL or a path, found"
    with pytest.raises(TypeError, match=expected):
        as_emitter(other)


def test_a_function_without_a_parameter_for_the_event_is_rejected() -> None:
    def forgot() -> None: ...

    def other(event: Any, more: Any) -> None: ...

    for function, found in ((forgot, "forgot() -> "), (other, "other(event: ")):
        message = f"expected a function with one parameter, the event, found {found}"
        with pytest.raises(TypeError, match=re.escape(message)):
            as_emitter(function)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    for accepted in (print, [].append, lambda *events: None, lambda event, copies=1: None):
        as_emitter(accepted)


def test_failures_do_not_raise_and_each_kind_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    emit_all(as_emitter(Broken()), [1, 2])
    said = [message.partition(": ")[2] for message in caplog.messages]
    assert said == [
        "could not emit the event: out of order; the job continues (logged once)",
        "could not close the emitter: stuck; the job continues (logged once)",
        "2 events were not delivered",
    ]


def test_failures_raise_with_on_error_raise() -> None:
    emitter = as_emitter(Broken(), on_error="raise")
    with pytest.raises(EmissionError, match="could not emit the event: out of order"):
        emitter.emit(event())
    with pytest.raises(EmissionError, match="could not close the emitter: stuck"):
        emitter.close()


def test_keyboard_interrupts_are_not_caught() -> None:
    def interrupted(_: Any) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        as_emitter(interrupted).emit(event())


def test_several_emitters_fail_independently_and_raise_together(caplog: pytest.LogCaptureFixture) -> None:
    good = Foreign()
    emit_all(MultiEmitter(Broken(), good), [1])
    assert "could not emit the event: out of order" in caplog.text
    with pytest.raises(EmissionError, match="out of order.*out of order"):
        MultiEmitter(Broken(), good, Broken(), on_error="raise").emit(event(1))
    assert good.received == [event(1)] * 2


def test_a_multi_emitter_calls_the_methods_of_a_users_class() -> None:
    """Also `emit` of a class of ours that it extends, and none that only has the name of one of ours."""

    class Filtering(HttpEmitter):
        def emit(self, event: Any) -> None:
            filtered.append(event)

    class Started(FunctionEmitter):
        def start(self) -> None:
            raise AssertionError

    filtered: list[Any] = []
    received: list[Any] = []
    emit_all(MultiEmitter(Filtering("http://127.0.0.1:1"), Started(received.append)), [1])
    assert len(filtered) == len(received) == 1


def test_all_emitters_satisfy_the_protocol(tmp_path: Any) -> None:
    file = FileEmitter(tmp_path / "lineage.ndjson")
    http = HttpEmitter("http://localhost:1")
    made = [file, http, MultiEmitter(file), ConsoleEmitter(), NullEmitter(), FunctionEmitter(print)]
    assert all(isinstance(one, Emitter) for one in (*made, SpoolEmitter(file, tmp_path / "spool")))


def test_on_error_must_be_log_or_raise() -> None:
    with pytest.raises(ValueError, match="on_error: expected 'log' or 'raise', found 'ignore'"):
        ConsoleEmitter(on_error="ignore")  # type: ignore[arg-type]


def test_events_of_several_threads_all_arrive(tmp_path: Any) -> None:
    emitter = FileEmitter(tmp_path / "lineage.ndjson", on_error="raise", timeout=60)
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(emitter.emit, map(event, range(200))))
    assert sorted(numbers_in(tmp_path / "lineage.ndjson")) == list(range(200))


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
import threading

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
    logged = run_program(WITHOUT_THREADS, tmp_path).stderr
    assert numbers_in(tmp_path / "lineage") == numbers_in(tmp_path / "spooled") == [0, 1, 2]
    assert "not delivered" not in logged
    for folder, left in (("waiting", [7]), ("spool", [])):
        received: list[RunEvent] = []
        replay(tmp_path / folder, received.append)
        assert received == [event(number) for number in left]


def test_importing_loads_neither_the_client_nor_fsspec_nor_the_models() -> None:
    heavy = "{'openlineage', 'fsspec', 'pydantic', 'requests', 'urllib.request'}"
    code = f"import openlineage_facets.emitters, sys; print(*{heavy}.intersection(sys.modules))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "\n"
