"""The rows of the table: a piece of work, and two sides that do it in this process."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import jsonschema
import jsonschema_rs
import orjson

from benchmarks import official, ours, structs
from benchmarks.every_facet import every_facet
from benchmarks.facts import facts
from openlineage_facets import RunEvent, parse_event
from openlineage_facets.validation import validate


@dataclass(frozen=True)
class Comparison:
    """One row.

    Args:
        work: What is done.
        beside: What else does it.
        goal: How many times as fast as the other side it shall be, at least; below 1 where slower will do.
        ours: Does it by this package.
        theirs: Does it by the other.
    """

    work: str
    beside: str
    goal: float
    ours: Callable[[], object]
    theirs: Callable[[], object]


def comparisons() -> Iterator[Comparison]:
    """Yield the rows, in the order of the table."""
    reference, wide = facts(20), facts(2000)
    event = ours.event_of_rows(reference)
    wire = event.to_json()
    document = json.loads(wire)
    schema = every_facet()
    formats = jsonschema.Draft202012Validator.FORMAT_CHECKER
    slow = jsonschema.Draft202012Validator(schema, format_checker=formats)
    fast = jsonschema_rs.Draft202012Validator(schema, validate_formats=True)
    _assert_same_work(event, document, slow, fast)

    yield Comparison(
        "compose and serialize the reference event, rows as dicts",
        "openlineage-python",
        5,
        lambda: ours.event_of_rows(reference).to_json(),
        lambda: official.to_json(official.event(reference)),
    )
    yield Comparison(
        "compose and serialize the reference event, rows as values",
        "openlineage-python",
        5,
        lambda: ours.event_of_values(reference).to_json(),
        lambda: official.to_json(official.event(reference)),
    )
    yield Comparison(
        "compose and serialize a schema of 2,000 columns and their lineage",
        "openlineage-python",
        10,
        lambda: ours.wide_output(wide).to_json(),
        lambda: official.to_json(official.wide_output(wide)),
    )
    yield Comparison(
        "read the reference event, strict and typed",
        "jsonschema with every facet",
        100,
        lambda: parse_event(wire),
        lambda: slow.is_valid(json.loads(wire)),
    )
    yield Comparison(
        "read the reference event, strict and typed",
        "orjson, jsonschema-rs with every facet, objects of openlineage-python",
        1,
        lambda: parse_event(wire),
        lambda: _checked_objects(fast, wire),
    )
    yield Comparison(
        "the verdict on the reference event, rules beyond the schema left aside",
        "orjson, jsonschema-rs with every facet",
        1,
        lambda: validate(wire, rules=False),
        lambda: fast.is_valid(orjson.loads(wire)),
    )
    yield Comparison(
        "the verdict on the reference event, every rule asked",
        "orjson, jsonschema-rs with every facet",
        1,
        lambda: validate(wire),
        lambda: fast.is_valid(orjson.loads(wire)),
    )
    yield Comparison(
        "read the reference event and write it",
        "msgspec structs of the same fields",
        1 / 3,
        lambda: parse_event(wire).to_json(),
        lambda: structs.encode(structs.decode(wire)),
    )
    yield Comparison(
        "serialize the reference event",
        "orjson, the same as dicts",
        1 / 2.5,
        event.to_json,
        lambda: orjson.dumps(document),
    )


def _checked_objects(validator: Any, wire: bytes) -> object:
    document = orjson.loads(wire)
    if not validator.is_valid(document):
        raise ValueError("not valid")
    return official.event_of_json(document)


def _assert_same_work(event: RunEvent, document: Any, slow: Any, fast: Any) -> None:
    """Make sure that every side does what it is measured for."""
    assert ours.event_of_values(facts(20)) == event
    told = json.loads(official.to_json(official.event(facts(20))))
    assert json.loads(official.to_json(official.event_of_json(document))) == told
    assert json.loads(structs.encode(structs.decode(event.to_json()))) == document
    assert validate(event.to_json()) == []
    wrong = json.loads(event.to_json())
    wrong["outputs"][0]["facets"]["columnLineage"]["fields"]["column_7"]["inputFields"] = "raw"
    for validator in (slow, fast):
        assert validator.is_valid(document)
        assert not validator.is_valid(wrong)
