"""Custom facets: a base facet with additional fields, or a custom class."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import (
    AliasChoices,
    AliasGenerator,
    BaseModel,
    ConfigDict,
    Field,
    StrictInt,
    StrictStr,
    computed_field,
)
from pydantic.alias_generators import to_camel

from openlineage_facets import EventError, InputDataset, Job, Run, RunEvent, parse_event
from openlineage_facets.base.json.json_input import nesting_finding
from openlineage_facets.facets import InputDatasetFacet, RunFacet
from tests.cases import each
from tests.composing.orders import run_event

COST_SCHEMA = "https://example.com/schemas/CostRunFacet.json#/$defs/CostRunFacet"


class CostRunFacet(RunFacet):
    """What the run cost."""

    __facet_key__ = "acme_cost"
    __schema_url__ = COST_SCHEMA

    usd: float
    cluster: str | None = None


class StrictCountsRunFacet(RunFacet):
    __facet_key__ = "acme_counts"

    rows: StrictInt
    unit: StrictStr = "rows"


def test_a_custom_class_has_a_key_and_a_schema_url() -> None:
    run = Run(facets=[CostRunFacet(usd=1.5)])
    facet = run.to_dict()["facets"]["acme_cost"]
    assert (facet["_schemaURL"], facet["usd"]) == (COST_SCHEMA, 1.5)
    assert "cluster" not in facet


def test_a_custom_class_parses_its_facet() -> None:
    event = run_event(run=Run(facets=[CostRunFacet(usd=1.5, cluster="blue")]))
    read = parse_event(event.to_json())
    assert read.run.facets.get(CostRunFacet) == CostRunFacet(usd=1.5, cluster="blue")


def test_a_custom_class_rejects_undeclared_fields() -> None:
    with pytest.raises(EventError, match="did you mean 'usd'"):
        CostRunFacet(usd_=1.5, usd=1)
    with pytest.raises(EventError, match=r"^/usd: missing required field 'usd'"):
        CostRunFacet()


@each(
    ("facet", "fields"),
    [
        (CostRunFacet, {"usd": "1.5"}),
        (CostRunFacet, {"usd": True}),
        (CostRunFacet, {"usd": float("nan")}),
        (CostRunFacet, {"usd": 1, "cluster": 7}),
        (StrictCountsRunFacet, {"rows": "7"}),
        (StrictCountsRunFacet, {"rows": 7.5}),
    ],
    ids=str,
)
def test_a_custom_class_coerces_nothing(facet: type[RunFacet], fields: dict[str, Any]) -> None:
    with pytest.raises(EventError):
        facet(**fields)


def test_a_default_of_a_custom_class_is_only_written_if_it_is_given() -> None:
    assert StrictCountsRunFacet(rows=7).unit == "rows"
    assert "unit" not in StrictCountsRunFacet(rows=7).to_dict()
    assert b"unit" not in StrictCountsRunFacet(rows=7).to_json()


@each("key", ["", "with space", "emoji 🦆", "a/b~c", "a" * 500])
def test_any_text_may_be_a_custom_key(key: str) -> None:
    fields = {"get": 1, "to_json": 2}  # The names of methods.
    facet = Run(facets={key: RunFacet(**fields)}).to_dict()["facets"][key]
    assert (facet["get"], facet["to_json"]) == (1, 2)
    with pytest.raises(EventError):
        Run(facets={7: RunFacet()})


def test_a_change_in_the_callers_dict_does_not_reach_the_facet() -> None:
    breakdown = {"compute": [1]}
    facet = RunFacet(breakdown=breakdown)
    breakdown["compute"].append(2)
    assert facet.breakdown == facet.to_dict()["breakdown"] == {"compute": [1]}


@each("wrap", [lambda inner: [inner], lambda inner: {"in": inner}])
def test_fields_nested_deeper_than_parsers_accept_are_rejected(wrap: Any) -> None:
    plan: Any = []
    for _ in range(189):
        plan = wrap(plan)
    event = run_event(inputs=[on_input(plan)])
    assert parse_event(event.to_json()) == event
    with pytest.raises(
        EventError, match="^/plan.*/.*: expected JSON nested at most 190 levels deep"
    ) as rejected:
        on_input(wrap(plan))
    assert rejected.value.findings[0].code == "OL001"


class AcmePlanRunFacet(RunFacet):
    __schema_url__ = "https://acme.example/1-0-0/AcmePlanRunFacet.json#/$defs/AcmePlanRunFacet"
    __facet_key__ = "acme_plan"

    plan: Any


def test_values_that_contain_themselves_or_are_too_deep_are_rejected_with_their_place() -> None:
    array: list[Any] = [1]
    array.append({"inner": array})
    mapping: dict[str, Any] = {}
    mapping["self"] = mapping
    deep: Any = 1
    for _ in range(100_000):
        deep = [deep]
    itself = "expected a value that does not contain itself, found an {} that contains itself"
    known = {"_producer": "https://acme.example", "_schemaURL": "https://acme.example/x.json#/$defs/X"}
    for value, place, message in (
        (array, "/1/inner", itself.format("array")),
        (mapping, "/self", itself.format("object")),
        (deep, "/0/0/0/0", "expected JSON nested at most {} levels deep, found more than {} levels"),
    ):
        for name, compose, at_most in (
            ("/plan", lambda value=value: RunFacet(plan=value), 190),
            ("/plan", lambda value=value: AcmePlanRunFacet(plan=value), 190),
            ("/facets/acme/plan", lambda value=value: Run(facets={"acme": {**known, "plan": value}}), 200),
        ):
            with pytest.raises(EventError) as rejected:
                compose()
            (finding,) = rejected.value.findings
            assert str(finding).startswith(name + place)
            assert message.format(at_most, at_most) in str(finding)
            assert finding.hint


def test_a_value_that_was_changed_to_contain_itself_is_named_when_it_is_written() -> None:
    facet = AcmePlanRunFacet(plan={"steps": [1]})
    facet.plan["steps"].append(facet.plan)
    event = run_event(run=Run(facets=[facet]))
    for value, place in ((facet, ""), (event, "/run/facets/acme_plan")):
        for write in (value.to_json, value.to_json_text, value.to_dict, value.model_dump_json):
            with pytest.raises(EventError) as rejected:
                write()
            assert str(rejected.value) == (
                f"{place}/plan/steps/1: expected a value that does not contain itself, found an object that "
                "contains itself; write a name or an id in this place instead"
            )


def test_a_value_may_occur_many_times() -> None:
    value: Any = []
    for _ in range(20):
        value = [value, value]
    assert nesting_finding(value, 20) is None
    assert nesting_finding(value, 19) is not None
    assert nesting_finding([value[0], [[value]]], 21) is not None


def on_input(plan: Any) -> InputDataset:
    return InputDataset(namespace="a", name="b", input_facets={"acme_plan": InputDatasetFacet(plan=plan)})


@each(
    ("field", "read", "written"),
    [
        (Field(validation_alias="usdIn", serialization_alias="usdOut"), "'usdIn'", "'usdOut'"),
        (Field(validation_alias="usdIn"), "'usdIn'", "'usd'"),
        (Field(serialization_alias="usdOut"), "'usd'", "'usdOut'"),
        (Field(validation_alias=AliasChoices("usd", "cost")), "AliasChoices.*", "'usd'"),
    ],
)
def test_a_field_has_one_name_in_the_wire_format(field: Any, read: str, written: str) -> None:
    with pytest.raises(TypeError, match=f"^NamedRunFacet.usd is read as {read}, but written as {written}; "):

        class NamedRunFacet(RunFacet):
            usd: float = field


def test_a_computed_field_is_rejected_since_it_would_be_read_as_an_unknown_field() -> None:
    with pytest.raises(TypeError, match=r"^DoubleRunFacet\.twice is written, but not read; use a property"):

        class DoubleRunFacet(RunFacet):
            usd: float

            @computed_field  # type: ignore[prop-decorator]
            @property
            def twice(self) -> float:
                return 2 * self.usd


@each("name", ["usd", "_producer"])
def test_two_fields_with_one_name_in_the_wire_format_are_rejected(name: str) -> None:
    with pytest.raises(TypeError, match=rf"^TwiceRunFacet\.y and \..* are both written as '{name}'; choose"):

        class TwiceRunFacet(RunFacet):
            usd: int
            y: int = Field(alias=name)


def test_a_generated_alias_is_the_name_in_the_wire_format() -> None:
    class CamelRunFacet(RunFacet):
        model_config = ConfigDict(alias_generator=to_camel)

        total_usd: float

    facet = CamelRunFacet(total_usd=1.5)
    assert facet.to_dict()["totalUsd"] == 1.5
    assert CamelRunFacet(totalUsd=1.5) == facet == CamelRunFacet.from_json(facet.to_json())


def test_generated_aliases_are_one_name_too() -> None:
    def compose() -> None:
        class CamelRunFacet(RunFacet):
            model_config = ConfigDict(alias_generator=AliasGenerator(serialization_alias=to_camel))

            total_usd: float

        CamelRunFacet(total_usd=1.5)

    with pytest.raises(TypeError, match=r"^CamelRunFacet\.total_usd is read as 'total_usd', but written as"):
        compose()


class AuditFields(BaseModel):
    owner: str


class AuditedCostRunFacet(AuditFields, CostRunFacet):
    """A facet whose first base is a model of pydantic."""


class AuditedRun(AuditFields, Run):
    pass


class AuditedEvent(AuditFields, RunEvent):
    pass


def test_a_model_of_pydantic_may_be_the_first_base() -> None:
    facet = AuditedCostRunFacet(owner="ana", usd=1.5)
    event = AuditedEvent(
        owner="bo", run=AuditedRun(owner="cy", facets=[facet]), job=Job(namespace="a", name="b")
    )
    written = event.to_dict()
    assert written["owner"] == "bo"
    assert written["schemaURL"] == RunEvent.__schema_url__
    assert written["run"] == {
        "runId": event.run.run_id,
        "owner": "cy",
        "facets": {"acme_cost": facet.to_dict()},
    }
    assert facet.to_dict().keys() == {"_producer", "_schemaURL", "usd", "owner"}
    assert AuditedEvent.from_json(event.to_json()).to_dict() == written
