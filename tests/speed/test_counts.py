"""Number of function calls and memory blocks of composing, serializing and parsing.

The limits are about 10 % above the measured numbers. If a test fails, a change has made something slower:
`make bench` measures by how much.
"""

from __future__ import annotations

from benchmarks import our_events
from benchmarks.sample_data import sample_data
from openlineage_facets import parse_event
from openlineage_facets.validation import validate
from tests.speed.counting import blocks_kept, modules_loaded, python_calls

REFERENCE = sample_data(20)
EVENT = our_events.event_from_dicts(REFERENCE)
WIRE = EVENT.to_json()


def test_composing_the_reference_event_from_dicts() -> None:
    assert python_calls(lambda: our_events.event_from_dicts(REFERENCE)) <= 510


def test_composing_the_reference_event_from_objects() -> None:
    assert python_calls(lambda: our_events.event_from_objects(REFERENCE)) <= 1830


def test_serializing_the_reference_event() -> None:
    assert python_calls(EVENT.to_json) <= 21


def test_parsing_the_reference_event() -> None:
    assert python_calls(lambda: parse_event(WIRE)) <= 68


def test_validating_the_reference_event() -> None:
    assert python_calls(lambda: validate(WIRE)) <= 630


def test_the_reference_event_in_memory() -> None:
    assert blocks_kept(lambda: parse_event(WIRE)) <= 370


def test_calls_are_independent_of_the_number_of_nested_items() -> None:
    def calls(width: int) -> int:
        data = sample_data(width)
        return python_calls(lambda: parse_event(our_events.event_from_dicts(data).to_json()))

    assert calls(200) == calls(20)


LOADED = modules_loaded("import openlineage_facets; openlineage_facets.RunEvent")


def test_accessing_a_class_loads_no_facets() -> None:
    generated = {name for name in LOADED if name.startswith("openlineage_facets.generated.")}
    assert generated == {
        "openlineage_facets.generated.open_lineage",
        "openlineage_facets.generated.containers",
    }


def test_accessing_a_class_loads_no_packages_except_pydantic() -> None:
    pydantic = modules_loaded("from pydantic import BaseModel, Field")
    others = {name for name in LOADED - pydantic if not name.startswith("openlineage_facets")}
    assert sorted(others) == []


def test_composing_an_event_loads_only_its_facets() -> None:
    loaded = modules_loaded(
        "from openlineage_facets import Job, Run, RunEvent\n"
        "from openlineage_facets.facets import SQLJobFacet\n"
        "job = Job(namespace='etl', name='orders', facets=[SQLJobFacet(query='SELECT 1')])\n"
        "RunEvent(run=Run(), job=job).to_json()"
    )
    facets = {name for name in loaded if name.startswith("openlineage_facets.generated.")} - LOADED
    assert facets == {"openlineage_facets.generated.sql_job"}
