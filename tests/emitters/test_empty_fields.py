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
from openlineage_facets.emitters.base_emitter import BaseEmitter
from tests.cases import each
from tests.emitters.misbehaving_receiver import Receiver
from tests.emitters.samples import emit_all

EMPTY = {"facets": {}}
NOTHING: dict[str, Any] = {"inputs": [], "outputs": []}


@each(
    ("event", "added"),
    [
        ({"run": {"runId": "r"}, "job": {}}, {"run": {"runId": "r", "facets": {}}, "job": EMPTY, **NOTHING}),
        ({"job": {"facets": {"x": {}}}, "inputs": [{}]}, {"inputs": [{}], "outputs": []}),
        ({"dataset": {"name": "d"}}, {"dataset": {"name": "d", "facets": {}}}),
        ({"job": 7, "inputs": None}, {"outputs": []}),
        ({"x": 12345678901234567890123, "job": {}}, {"job": EMPTY, **NOTHING}),
    ],
)
def test_only_absent_fields_are_added(event: Any, added: Any) -> None:
    line = json.dumps(event).encode()
    assert json.loads(with_empty_fields(line)) == event | added
    assert with_empty_fields(with_empty_fields(line)) == with_empty_fields(line)


@each("line", [b'{"job": {"facets": {}, "\\ud800": 1.50}, "inputs": [ ], "outputs": []}', b"[]", b"{"])
def test_a_complete_event_and_other_text_are_unchanged(line: bytes) -> None:
    assert with_empty_fields(line) is line


def test_a_number_that_python_cannot_represent_stays(caplog: Any) -> None:
    line = b'{"job": {"facets": {"x": 1e400}}}'
    assert with_empty_fields(line) == line
    assert "could not add empty fields to an event" in caplog.text


def test_every_emitter_prepares_lines(receiver: Receiver, tmp_path: Any) -> None:
    """Also emitters of others: functions, those of a MultiEmitter, and that in a spool."""
    called: list[Any] = []
    emitters: list[BaseEmitter] = [
        MultiEmitter(FileEmitter(tmp_path / "several"), FunctionEmitter(called.append)),
        HttpEmitter(receiver.url),
        SpoolEmitter(HttpEmitter(receiver.url), tmp_path / "spool"),
        spooled := FileEmitter(tmp_path / "spooled"),
    ]
    for emitter in emitters:
        emitter.prepare_lines(with_empty_fields)
    for emitter in (*emitters[:-1], SpoolEmitter(spooled, tmp_path / "other spool")):
        emit_all(emitter, [0])
    files = [json.loads((tmp_path / name).read_bytes()) for name in ("several", "spooled")]
    for sent in (called[0].to_dict(), *files, *receiver.events):
        assert (sent["run"]["facets"], sent["inputs"], sent["outputs"]) == ({}, [], [])
    assert len(receiver.events) == 2
