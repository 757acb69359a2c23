"""What is printed is JSON, whatever the output is."""

from __future__ import annotations

import io
import json

import pytest

from openlineage_facets.emitters import ConsoleEmitter, EmissionError
from tests.emitters.samples import event


def test_an_event_is_printed_as_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    ConsoleEmitter().emit(event(1))
    ConsoleEmitter().emit(event(2))
    assert capsys.readouterr().out.encode() == event(1).to_json() + b"\n" + event(2).to_json() + b"\n"


def test_an_event_may_be_laid_out_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    ConsoleEmitter(pretty=True).emit(event())
    printed = capsys.readouterr().out
    assert printed.startswith('{\n  "eventTime"')
    assert json.loads(printed) == event().to_dict()


def test_an_output_without_umlauts_gets_escapes_that_say_the_same() -> None:
    written = io.BytesIO()
    stream = io.TextIOWrapper(written, encoding="ascii")
    wire = event().to_dict() | {"said": "schön 🦆"}
    ConsoleEmitter(stream).emit(wire)
    assert json.loads(written.getvalue()) == wire


def test_a_closed_output_costs_no_job(caplog: pytest.LogCaptureFixture) -> None:
    stream = io.StringIO()
    stream.close()
    ConsoleEmitter(stream).emit(event())
    assert "printing: I/O operation on closed file" in caplog.text
    with pytest.raises(EmissionError):
        ConsoleEmitter(stream, on_error="raise").emit(event())
