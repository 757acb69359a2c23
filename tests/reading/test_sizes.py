"""An event with too many values is rejected before it is parsed."""

from __future__ import annotations

import json
import tracemalloc
from typing import Any

import pytest

from openlineage_facets import EventError, RunEvent, parse_event
from openlineage_facets.base.json.json_input import MOST_VALUES
from openlineage_facets.validation import read_event, validate
from tests.cases import each
from tests.composing.orders import run_event, sql

MESSAGE = (
    "(root): expected JSON of at most 1,000,000 values, found more; split the event, for example by dataset"
)


def event_with(part: str) -> str:
    wire: dict[str, Any] = run_event().to_dict()
    return json.dumps(wire)[:-1] + f', "acme": {part}}}'


MANY = event_with("[" + ",".join(['{"a":1}'] * MOST_VALUES) + "]")


def test_too_many_values_are_rejected() -> None:
    for read in (parse_event, RunEvent.from_json):
        with pytest.raises(EventError) as rejected:
            read(MANY)
        assert str(rejected.value) == MESSAGE
    assert [str(finding) for finding in validate(MANY)] == [MESSAGE]
    result = read_event(MANY.encode())
    assert (result.event, [finding.code for finding in result.findings]) == (None, ["OL001"])


def test_values_are_counted_in_little_memory() -> None:
    wire = MANY.encode()
    tracemalloc.start()
    try:
        with pytest.raises(EventError):
            parse_event(wire)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 5 * len(wire)


@each("text", ['{[,"' * MOST_VALUES, "\\,{" * MOST_VALUES, '"},{"' * MOST_VALUES])
def test_punctuation_in_strings_is_not_counted(text: str) -> None:
    event = run_event(job={"namespace": "etl", "name": "orders", "facets": [sql(text)]})
    assert parse_event(event.to_json()) == event
