"""Methods that pydantic users call by habit write the wire format and validate, or name the right method."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from pydantic import BaseModel, TypeAdapter, ValidationError

from openlineage_facets import DatasetEvent, EventError, JobEvent, Run, RunEvent, parse_event
from openlineage_facets.facets import SQLJobFacet, TagsRunFacet
from tests.cases import each
from tests.composing.orders import RUN_ID, full_event, job, run_event

EVENT = full_event()
WIRE = json.loads(EVENT.to_json())
READ: Any = parse_event(EVENT.to_json())
VALUES = [EVENT, READ, EVENT.run, EVENT.job, EVENT.job.facets, run_event(), job()]
MODELS = [value for value in VALUES if isinstance(value, BaseModel)]


@each("value", MODELS, ids=lambda value: type(value).__name__)
def test_a_dump_is_the_wire_format_and_validates_as_the_same_value(value: Any) -> None:
    assert value.model_dump_json() == value.to_json().decode()
    assert value.model_dump(mode="json") == value.to_dict()
    assert type(value).model_validate(value.model_dump()) == value
    assert value.model_dump().keys() == value.to_dict().keys()


def test_a_dump_of_any_parsed_event_is_read_as_json() -> None:
    """`model_validate` composes, and refuses the key of another entity's facet."""
    facet = SQLJobFacet(query="").to_dict()
    event = parse_event({**WIRE, "run": {"runId": RUN_ID, "facets": {"sql": facet}}})
    assert type(event).from_json(event.to_dict()) == event
    with pytest.raises(ValidationError, match="a facet key of RunFacets"):
        type(event).model_validate(event.model_dump())


def test_options_are_those_of_pydantic() -> None:
    event = run_event()
    assert "eventType" not in json.loads(event.model_dump_json(exclude={"event_type"}))
    assert event.model_dump(include={"job": {"name"}}) == {"job": {"name": "orders.daily"}}
    assert json.loads(event.model_dump_json(by_alias=False))["run"] == {"run_id": RUN_ID}
    assert json.loads(event.model_dump_json(exclude_unset=False))["inputs"] is None
    assert "inputs" not in json.loads(event.model_dump_json(exclude_unset=False, exclude_none=True))
    assert event.model_dump(mode="json", round_trip=True) == event.to_dict()
    assert "run" not in json.loads(TypeAdapter(RunEvent).dump_json(EVENT, exclude={"run"}))


def test_json_is_indented_on_request() -> None:
    assert EVENT.to_json(indent=2).decode() == json.dumps(WIRE, indent=2, ensure_ascii=False)
    assert EVENT.model_dump_json(indent=2).encode() == EVENT.to_json(indent=2)


def test_a_copy_is_equal_and_an_updated_one_is_validated() -> None:
    assert EVENT.model_copy() == EVENT.model_copy(deep=True) == EVENT
    event = run_event()
    assert event.model_copy(update={"event_type": "FAIL"}) == event.replace(event_type="FAIL")
    assert event.model_copy(update={"event_type": None}).event_type is None
    with pytest.raises(EventError, match="^/job: "):
        event.model_copy(update={"job": 3})


def test_json_is_validated_as_strictly_as_it_is_read() -> None:
    assert RunEvent.model_validate_json(EVENT.to_json()) == EVENT
    with pytest.raises(ValueError, match="valid"):
        SQLJobFacet.model_validate_json('{"_producer": "a:b", "_schemaURL": "a:b", "query": 7}')


REJECTED: dict[str, tuple[Callable[[], Any], str]] = {
    "model_construct": (lambda: Run.model_construct(run_id=3), r"Run\(\.\.\.\), which validates"),
    "construct": (lambda: Run.construct(run_id=3), r"Run\(\.\.\.\), which validates"),
    "model_validate_strings": (lambda: Run.model_validate_strings({"runId": RUN_ID}), r"from_json\(\.\.\.\)"),
    "parse_obj": (lambda: Run.parse_obj({"runId": RUN_ID}), r"from_json\(\.\.\.\)"),
    "parse_raw": (lambda: Run.parse_raw("{}"), r"from_json\(\.\.\.\)"),
    "parse_file": (lambda: Run.parse_file("run.json"), r"Run\.from_json\(path\.read_bytes\(\)\)"),
    "from_orm": (lambda: Run.from_orm(object()), r"Run\(\.\.\.\)"),
    "dict": (lambda: Run().dict(), r"to_dict\(\)"),
    "json": (lambda: Run().json(), r"to_json\(\)"),
    "copy": (lambda: Run().copy(update={"run_id": 3}), r"replace\(\.\.\.\)"),
}


@each("name", REJECTED)
def test_other_methods_name_the_right_one(name: str) -> None:
    call, right = REJECTED[name]
    with pytest.raises(TypeError, match=rf"^Run has no {name}\(\); use {right}[^\n]*$"):
        call()


class Holder(BaseModel):
    event: RunEvent
    again: RunEvent
    job: JobEvent | None = None
    anything: Any = None


def test_an_event_in_a_users_model_is_written_in_the_wire_format() -> None:
    held = Holder(event=EVENT, again=READ, anything=[EVENT])
    expected = {"event": WIRE, "again": WIRE, "job": None, "anything": [WIRE]}
    assert json.loads(held.model_dump_json()) == expected
    assert held.model_dump(mode="json") == expected
    assert Holder.model_validate_json(held.model_dump_json()).event == EVENT


@each("annotation", [RunEvent, RunEvent | JobEvent | DatasetEvent], ids=["event", "union"])
def test_a_type_adapter_writes_the_wire_format(annotation: Any) -> None:
    adapter = TypeAdapter(annotation)
    assert json.loads(adapter.dump_json(EVENT)) == WIRE
    assert adapter.dump_python(EVENT, mode="json") == WIRE
    several: Any = list.__class_getitem__(annotation)
    assert json.loads(TypeAdapter(several).dump_json([EVENT, READ])) == [WIRE, WIRE]


def test_a_schema_for_serialization_has_wire_names() -> None:
    properties = RunEvent.model_json_schema(mode="serialization")["properties"]
    assert {"eventType", "eventTime", "run"} <= properties.keys()
    assert "_producer" in TypeAdapter(TagsRunFacet).json_schema(mode="serialization")["properties"]
