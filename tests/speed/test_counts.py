"""Number of function calls and memory blocks of composing, serializing, parsing and validating.

The limits are about 10 % above the highest number of all supported versions of Python and pydantic, which
differ by a few calls: Python 3.12 calls no function for a comprehension. If a test fails, a change has made
something slower: `make bench` measures by how much.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from inspect import get_annotations

import pytest

from benchmarks import our_events
from benchmarks.sample_data import sample_data
from openlineage_facets import parse_event
from openlineage_facets.cli.results.finding_location import redacted_name
from openlineage_facets.validation import validate
from openlineage_facets.validation.event_document import Document
from openlineage_facets.validation.run_event_summary import RunEventSummary
from openlineage_facets.validation.stream_rules import StreamRules
from tests.cases import each
from tests.composing.generated_classes import CLASSES
from tests.speed.counting import blocks_kept, modules_loaded, pydantic_calls, python_calls

REFERENCE = sample_data(20)
EVENT = our_events.event_from_dicts(REFERENCE)
WIRE = EVENT.to_json()


WITH_FINDINGS = WIRE.replace(b"/1-2-0/SchemaDatasetFacet", b"/main/SchemaDatasetFacet")
NEW_FACETS = itertools.count()


def validate_new_facets() -> None:
    validate(WIRE.replace(b"column_", f"field_{next(NEW_FACETS)}_".encode()))


def check_event_of_a_stream() -> Callable[[], object]:
    summary = RunEventSummary.of(Document(EVENT.to_dict()))
    assert summary is not None
    later, stream = summary._replace(event_type="OTHER"), StreamRules()
    return lambda: stream.check_summary(later)


OPERATIONS: dict[str, tuple[Callable[[], object], int]] = {
    "compose from dicts": (lambda: our_events.event_from_dicts(REFERENCE), 394),
    "compose from objects": (lambda: our_events.event_from_objects(REFERENCE), 1075),
    "serialize": (EVENT.to_json, 26),
    "parse": (lambda: parse_event(WIRE), 74),
    "validate": (lambda: validate(WIRE), 340),
    "validate new facets": (validate_new_facets, 790),
    "validate an event with findings": (lambda: validate(WITH_FINDINGS), 560),
    "check an event of a stream": (check_event_of_a_stream(), 29),
    "name the job of another event": (lambda: redacted_name("etl", "orders.daily"), 15),
}


@pytest.mark.check
@each("name", OPERATIONS)
def test_an_operation_takes_few_calls(name: str) -> None:
    operation, most = OPERATIONS[name]
    assert python_calls(operation) <= most


def test_the_event_with_findings_has_them() -> None:
    assert {finding.code for finding in validate(WITH_FINDINGS)} == {"OL201"}


def test_pydantic_parses_an_event_once() -> None:
    assert pydantic_calls(lambda: parse_event(WIRE)) == {"validate_json": 1}


def test_validation_reads_the_text_once_and_creates_no_event() -> None:
    for rules in (True, False):
        calls = pydantic_calls(lambda rules=rules: validate(WIRE, rules=rules))  # type: ignore[misc]
        assert calls == {"from_json": 1, "isinstance_python": 1}


def test_the_errors_of_an_event_are_found_without_reading_its_text_again() -> None:
    wire = WIRE.replace(b'"eventTime":"', b'"eventTime":"at ')
    assert {finding.code for finding in validate(wire)} == {"OL011"}
    calls = pydantic_calls(lambda: validate(wire))
    assert calls == {"from_json": 1, "isinstance_python": 1, "validate_json": 1}


def test_pydantic_validates_each_composed_value_once() -> None:
    values = 6 + 4 + 1  # Facets, entities and the event.
    lists_of_items = 3
    composed = pydantic_calls(lambda: our_events.event_from_dicts(REFERENCE))
    assert composed == {"validate_python": values + lists_of_items}


def test_pydantic_validates_no_composed_item() -> None:
    values = 6 + 4 + 1
    composed = pydantic_calls(lambda: our_events.event_from_objects(REFERENCE))
    assert composed == {"validate_python": values}


def test_pydantic_serializes_an_event_once() -> None:
    assert pydantic_calls(EVENT.to_json) == {"to_json": 1}


@pytest.mark.check
def test_the_reference_event_in_memory() -> None:
    assert blocks_kept(lambda: parse_event(WIRE)) <= 370


def test_calls_are_independent_of_the_number_of_nested_items() -> None:
    def calls(width: int) -> int:
        data = sample_data(width)
        return python_calls(lambda: parse_event(our_events.event_from_dicts(data).to_json()))

    assert calls(200) == calls(20)


LOADED = modules_loaded("import openlineage_facets; openlineage_facets.RunEvent")


def test_accessing_a_class_loads_no_packages_except_pydantic() -> None:
    pydantic = modules_loaded("from pydantic import BaseModel, Field")
    others = {name for name in LOADED - pydantic if not name.startswith("openlineage_facets")}
    assert sorted(others) == []


def test_accessing_a_class_loads_nothing_that_composing_does_not_need() -> None:
    unneeded = (
        "display.short_values",
        "display.notebook_html",
        "model.class_descriptions",
        "model.item_constructors",
    )
    assert LOADED.isdisjoint(f"openlineage_facets.base.{name}" for name in unneeded)


def test_generated_classes_annotate_only_fields() -> None:
    annotated = {name for cls in CLASSES for name in get_annotations(cls)}
    assert {name for name in annotated if name.startswith("__")} <= {"__pydantic_extra__"}
