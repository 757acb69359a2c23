"""Everything that a constructor accepts is valid in the wire format, for every facet class and event."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from jsonschema import Draft202012Validator

from openlineage_facets import DatasetEvent, JobEvent, RunEvent, generated, parse_event
from openlineage_facets.base.model.spec_models import FacetModel
from tests.cases import each
from tests.composing.field_values import arguments
from tests.composing.generated_classes import FACET_CLASSES
from tests.hypothesis_profiles import share
from tests.oracle.expected_results import oracle_result, oracle_result_as
from tests.oracle.formats import FORMATS
from tests.oracle.schemas import resolve

EVENT_CLASSES = [RunEvent, JobEvent, DatasetEvent]

few = settings(
    max_examples=share(0.15),
    # An event is too large to shrink within a test's patience.
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def test_the_registry_contains_every_facet_class() -> None:
    classes = {
        one
        for name in generated.__all__
        if isinstance(one := getattr(generated, name), type) and issubclass(one, FacetModel)
    }
    assert set(FACET_CLASSES) == {cls for cls in classes if cls.__facet_key__ is not None}


@each("cls", FACET_CLASSES, ids=lambda cls: cls.__name__)
def test_a_composed_facet_is_valid_and_reads_back_equal(cls: type[FacetModel]) -> None:
    @few
    @given(arguments(cls))
    def check(fields: dict[str, Any]) -> None:
        facet = cls(**fields)
        wire = json.loads(facet.to_json())
        assert oracle_result_as(resolve("", cls.__schema_url__), wire).failed == ""
        assert wire["_schemaURL"] == cls.__schema_url__
        assert wire.keys() - {"_producer", "_schemaURL"} == {
            _alias(cls, name) for name, value in fields.items() if value is not None
        }
        assert facet.to_dict() == wire
        assert cls.from_json(wire) == facet
        assert _own_schema(cls).is_valid(wire)

    check()


@pytest.mark.parametrize("cls", EVENT_CLASSES, ids=lambda cls: cls.__name__)
def test_a_composed_event_is_valid_and_reads_back_equal(cls: type[RunEvent]) -> None:
    @few
    @given(arguments(cls, 6))
    def check(fields: dict[str, Any]) -> None:
        event = cls(**fields)
        wire = json.loads(event.to_json())
        assert oracle_result(wire).failed == ""
        assert oracle_result(wire).kind == cls.__name__
        assert event.to_dict() == wire
        assert parse_event(event.to_json()) == event
        assert _own_schema(cls).is_valid(wire)

    check()


def _alias(cls: type[FacetModel], name: str) -> str:
    return cls.model_fields[name].alias or name


def _own_schema(cls: Any) -> Draft202012Validator:
    return Draft202012Validator(cls.model_json_schema(), format_checker=FORMATS)
