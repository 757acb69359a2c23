"""What composing, writing and reading cost, in calls of functions and blocks of memory.

The bounds leave a tenth to spare above what was counted. Who passes one has made something slower, and finds
by `make bench` how much.
"""

from __future__ import annotations

from benchmarks import ours
from benchmarks.facts import facts
from openlineage_facets import parse_event
from openlineage_facets.validation import validate
from tests.speed.counting import blocks_kept, modules_loaded, python_calls

REFERENCE = facts(20)
EVENT = ours.event_of_rows(REFERENCE)
WIRE = EVENT.to_json()


def test_composing_the_reference_event_of_plain_rows() -> None:
    assert python_calls(lambda: ours.event_of_rows(REFERENCE)) <= 510


def test_composing_the_reference_event_of_values() -> None:
    assert python_calls(lambda: ours.event_of_values(REFERENCE)) <= 1830


def test_writing_the_reference_event() -> None:
    assert python_calls(EVENT.to_json) <= 21


def test_reading_the_reference_event() -> None:
    assert python_calls(lambda: parse_event(WIRE)) <= 68


def test_validating_the_reference_event() -> None:
    assert python_calls(lambda: validate(WIRE)) <= 630


def test_the_reference_event_in_memory() -> None:
    assert blocks_kept(lambda: parse_event(WIRE)) <= 370


def test_a_row_more_costs_no_call() -> None:
    def composed_and_read(width: int) -> int:
        told = facts(width)
        return python_calls(lambda: parse_event(ours.event_of_rows(told).to_json()))

    assert composed_and_read(200) == composed_and_read(20)


NAMED = modules_loaded("import openlineage_facets; openlineage_facets.RunEvent")


def test_naming_a_class_loads_no_facets() -> None:
    generated = {name for name in NAMED if name.startswith("openlineage_facets.generated.")}
    assert generated == {
        "openlineage_facets.generated.open_lineage",
        "openlineage_facets.generated.containers",
    }


def test_naming_a_class_loads_little_beside_pydantic() -> None:
    pydantic = modules_loaded("from pydantic import BaseModel, Field")
    theirs = {name for name in NAMED - pydantic if not name.startswith("openlineage_facets")}
    assert sorted(theirs) == []


def test_composing_an_event_loads_the_facets_it_has_and_no_others() -> None:
    loaded = modules_loaded(
        "from openlineage_facets import Job, Run, RunEvent\n"
        "from openlineage_facets.facets import SQLJobFacet\n"
        "job = Job(namespace='etl', name='orders', facets=[SQLJobFacet(query='SELECT 1')])\n"
        "RunEvent(run=Run(), job=job).to_json()"
    )
    facets = {name for name in loaded if name.startswith("openlineage_facets.generated.")} - NAMED
    assert facets == {"openlineage_facets.generated.sql_job"}
