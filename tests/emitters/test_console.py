"""Events are printed as JSON to any stream."""

from __future__ import annotations

import io
import json
import sys

import pytest

from openlineage_facets.emitters import ConsoleEmitter, EmissionError
from tests.cases import each
from tests.emitters.samples import event, run_program


def test_an_event_is_printed_as_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    ConsoleEmitter().emit(event(1))
    ConsoleEmitter().emit(event(2))
    assert capsys.readouterr().out.encode() == event(1).to_json() + b"\n" + event(2).to_json() + b"\n"


def test_an_event_may_be_printed_with_indentation(capsys: pytest.CaptureFixture[str]) -> None:
    ConsoleEmitter(pretty=True).emit(event())
    printed = capsys.readouterr().out
    assert printed.startswith('{\n  "eventTime"')
    assert json.loads(printed) == event().to_dict()


@each("number", ["1e400", "-1e400"])
def test_numbers_that_are_too_large_for_python_are_printed_unchanged(number: str) -> None:
    stream = io.StringIO()
    line = f'{{"size":{number}}}'
    ConsoleEmitter(stream, pretty=True, on_error="raise").emit(line)
    assert stream.getvalue() == f"{line}\n"


@each("name", ["stdout", "stderr"])
def test_a_standard_stream_may_be_replaced_and_closed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    streams = [io.StringIO(), io.StringIO()]
    monkeypatch.setattr(sys, name, streams[0])
    emitter = ConsoleEmitter(streams[0], on_error="raise")
    monkeypatch.setattr(sys, name, streams[1])
    streams[0].close()
    emitter.emit(event())
    assert json.loads(streams[1].getvalue()) == event().to_dict()


def test_unsupported_characters_are_escaped() -> None:
    written = io.BytesIO()
    stream = io.TextIOWrapper(written, encoding="ascii")
    wire = event().to_dict() | {"message": "schön 🦆"}
    ConsoleEmitter(stream).emit(wire)
    assert json.loads(written.getvalue()) == wire


def test_errors_of_a_stream_are_logged_or_raised(caplog: pytest.LogCaptureFixture) -> None:
    class Broken(io.StringIO):
        def write(self, text: str) -> int:
            raise IndexError("no such page")

    closed = io.StringIO()
    closed.close()
    streams = ((Broken(), "no such page"), (closed, "could not print: I/O operation on closed file"))
    for stream, message in streams:
        ConsoleEmitter(stream).emit(event())
        assert message in caplog.text
        with pytest.raises(EmissionError, match=message):
            ConsoleEmitter(stream, on_error="raise").emit(event())


FORK_AMID_PRINTING = """
import io, threading

class Slow(io.StringIO):
    def write(self, text):
        printing.set()
        threading.Event().wait()

printing = threading.Event()
threading.Thread(target=ConsoleEmitter(Slow()).emit, args=(event(1),), daemon=True).start()
printing.wait()
if os.fork() == 0:
    ConsoleEmitter(on_error="raise").emit(event(2))
    os._exit(0)
os.wait()
os._exit(0)
"""


def test_a_forked_process_does_not_wait_for_its_parents_printing() -> None:
    assert run_program(FORK_AMID_PRINTING).stdout == event(2).to_json().decode() + "\n"
