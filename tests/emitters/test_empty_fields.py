"""Consumers that require optional fields get them, empty, on request."""

from __future__ import annotations

import json
from typing import Any

from openlineage_facets.emitters import (
    FileEmitter,
    FunctionEmitter,
    HttpEmitter,
    MultiEmitter,
    SpoolEmitter,
    with_empty_fields,
)
from tests.cases import each
from tests.emitters.misbehaving_receiver import Receiver
from tests.emitters.samples import event


@each(
    ("given", "expected"),
    [
        (
            {"run": {"runId": "r"}, "job": {"name": "j"}},
            {
                "run": {"runId": "r", "facets": {}},
                "job": {"name": "j", "facets": {}},
                "inputs": [],
                "outputs": [],
            },
        ),
        (
            {"job": {"facets": {"x": {}}}, "inputs": [{}]},
            {"job": {"facets": {"x": {}}}, "inputs": [{}], "outputs": []},
        ),
        ({"dataset": {"name": "d"}}, {"dataset": {"name": "d", "facets": {}}}),
        ({"job": 7, "inputs": None}, {"job": 7, "inputs": None, "outputs": []}),
        ({"x": 12345678901234567890123, "job": {}}, None),
        ([], []),
    ],
)
def test_only_absent_fields_are_added(given: Any, expected: Any) -> None:
    expected = {**given, "job": {"facets": {}}, "inputs": [], "outputs": []} if expected is None else expected
    line = json.dumps(given).encode()
    assert json.loads(with_empty_fields(line)) == expected
    assert with_empty_fields(with_empty_fields(line)) == with_empty_fields(line)


def test_a_complete_event_is_unchanged() -> None:
    line = b'{"job": {"facets": {}, "\\ud800": 1.50}, "inputs": [ ], "outputs": []}'
    assert with_empty_fields(line) is line


def test_a_number_that_python_cannot_represent_stays(caplog: Any) -> None:
    line = b'{"job": {"facets": {"x": 1e400}}}'
    assert with_empty_fields(line) == line
    assert "could not add empty fields to an event" in caplog.text


def test_every_emitter_prepares_lines(tmp_path: Any) -> None:
    """Also emitters of others: functions, those of a MultiEmitter, and that in a spool."""
    called: list[Any] = []
    several = MultiEmitter(FileEmitter(tmp_path / "several"), FunctionEmitter(called.append))
    several.prepare_lines(with_empty_fields)
    spooled = FileEmitter(tmp_path / "spooled")
    spooled.prepare_lines(with_empty_fields)
    with several, SpoolEmitter(spooled, tmp_path / "spool") as spool:
        several.emit(event())
        spool.emit(event())
    for name in ("several", "spooled"):
        assert json.loads((tmp_path / name).read_bytes())["run"]["facets"] == {}
    assert called[0].to_dict()["run"]["facets"] == {}


def test_emitters_add_the_fields(receiver: Receiver, tmp_path: Any) -> None:
    for emitter in (HttpEmitter(receiver.url), SpoolEmitter(HttpEmitter(receiver.url), tmp_path)):
        emitter.prepare_lines(with_empty_fields)
        with emitter:
            emitter.emit(event())
    assert [set(one) >= {"inputs", "outputs"} for one in receiver.events] == [True, True]
    assert [one["run"]["facets"] for one in receiver.events] == [{}, {}]
