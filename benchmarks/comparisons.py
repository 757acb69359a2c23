"""Comparisons that run in this process: a task and two implementations of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import jsonschema
import jsonschema_rs
import orjson

from benchmarks import msgspec_events, official_client_events, our_events
from benchmarks.combined_schema import combined_schema, validator_with_registry
from benchmarks.sample_data import sample_data
from openlineage_facets import RunEvent, parse_event
from openlineage_facets.validation import validate


@dataclass(frozen=True)
class Comparison:
    """One row of the results table.

    Args:
        task: What is measured.
        alternative: What it is compared with.
        goal: Minimum speed-up. Below 1 if slower is acceptable.
        ours: Do the task with this package.
        theirs: Do the task with the alternative.
    """

    task: str
    alternative: str
    goal: float
    ours: Callable[[], object]
    theirs: Callable[[], object]


def comparisons() -> Iterator[Comparison]:
    """Yield the comparisons in the order of the table."""
    reference, wide = sample_data(20), sample_data(2000)
    smaller = our_events.event_from_dicts(sample_data(13)).to_json()  # About 6 kB.
    event = our_events.event_from_dicts(reference)
    wire = event.to_json()
    document = json.loads(wire)
    schema = combined_schema()
    formats = jsonschema.Draft202012Validator.FORMAT_CHECKER
    slow = jsonschema.Draft202012Validator(schema, format_checker=formats)
    fast = jsonschema_rs.Draft202012Validator(schema, validate_formats=True)
    prebuilt = validator_with_registry()
    _assert_same_work(event, document, slow, fast, prebuilt)

    yield Comparison(
        "compose and serialize the reference event, nested items as dicts",
        "openlineage-python",
        5,
        lambda: our_events.event_from_dicts(reference).to_json(),
        lambda: official_client_events.to_json(official_client_events.event(reference)),
    )
    yield Comparison(
        "compose and serialize the reference event, nested items as objects",
        "openlineage-python",
        5,
        lambda: our_events.event_from_objects(reference).to_json(),
        lambda: official_client_events.to_json(official_client_events.event(reference)),
    )
    yield Comparison(
        "compose and serialize a schema and lineage of 2,000 columns",
        "openlineage-python",
        10,
        lambda: our_events.wide_output(wide).to_json(),
        lambda: official_client_events.to_json(official_client_events.wide_output(wide)),
    )
    yield Comparison(
        "parse the reference event, strict and typed",
        "jsonschema with all facets",
        100,
        lambda: parse_event(wire),
        lambda: slow.is_valid(json.loads(wire)),
    )
    yield Comparison(
        "parse an event of 6 kB, strict and typed",
        "jsonschema with all facets, registry built once",
        100,
        lambda: parse_event(smaller),
        lambda: prebuilt.is_valid(json.loads(smaller)),
    )
    yield Comparison(
        "parse the reference event, strict and typed",
        "orjson, jsonschema-rs with all facets, openlineage-python objects",
        1,
        lambda: parse_event(wire),
        lambda: _checked_objects(fast, wire),
    )
    yield Comparison(
        "validate the reference event against the schemas",
        "orjson, jsonschema-rs with all facets",
        1,
        lambda: validate(wire, rules=False),
        lambda: fast.is_valid(orjson.loads(wire)),
    )
    yield Comparison(
        "validate the reference event with all rules",
        "orjson, jsonschema-rs with all facets",
        1,
        lambda: validate(wire),
        lambda: fast.is_valid(orjson.loads(wire)),
    )
    yield Comparison(
        "validate the reference event with all rules",
        "`parse_event`, at most 1.8 times its time",
        1 / 1.8,
        lambda: validate(wire),
        lambda: parse_event(wire),
    )
    yield Comparison(
        "parse and serialize the reference event",
        "msgspec structs with the same fields",
        1 / 3,
        lambda: parse_event(wire).to_json(),
        lambda: msgspec_events.encode(msgspec_events.decode(wire)),
    )
    yield Comparison(
        "serialize the reference event",
        "orjson, from dicts",
        1 / 2.5,
        event.to_json,
        lambda: orjson.dumps(document),
    )


def _checked_objects(validator: Any, wire: bytes) -> object:
    document = orjson.loads(wire)
    if not validator.is_valid(document):
        raise ValueError("not valid")
    return official_client_events.event_from_json(document)


def _assert_same_work(event: RunEvent, document: Any, *validators: Any) -> None:
    """Check that all implementations return the same result."""
    assert our_events.event_from_objects(sample_data(20)) == event
    expected = json.loads(official_client_events.to_json(official_client_events.event(sample_data(20))))
    assert (
        json.loads(official_client_events.to_json(official_client_events.event_from_json(document)))
        == expected
    )
    assert json.loads(msgspec_events.encode(msgspec_events.decode(event.to_json()))) == document
    assert validate(event.to_json()) == []
    invalid = json.loads(event.to_json())
    invalid["outputs"][0]["facets"]["columnLineage"]["fields"]["column_7"]["inputFields"] = "raw"
    for validator in validators:
        assert validator.is_valid(document)
        assert not validator.is_valid(invalid)
