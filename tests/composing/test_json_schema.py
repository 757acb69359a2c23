"""`model_json_schema()` works for every class and contains the descriptions of the specification."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from jsonschema import Draft202012Validator
from pydantic import TypeAdapter
from pydantic.json_schema import models_json_schema

from openlineage_facets import Run, RunEvent
from openlineage_facets.base.model.model import Model
from openlineage_facets.facets import (
    NominalTimeRunFacet,
    OutputStatisticsOutputDatasetFacet,
    RunFacet,
    RunFacets,
    SQLJobFacet,
    tag,
)
from tests.composing.generated_classes import CLASSES
from tests.composing.orders import nominal_time


@pytest.mark.check
@pytest.mark.parametrize("mode", ["validation", "serialization"])
def test_every_class_has_a_json_schema_with_the_descriptions_of_its_fields(
    mode: Literal["validation", "serialization"],
) -> None:
    references, schema = models_json_schema([(cls, mode) for cls in CLASSES])
    Draft202012Validator.check_schema(schema)
    for cls in CLASSES:
        body = schema["$defs"][references[cls, mode]["$ref"].rpartition("/")[2]]
        assert body["description"].strip()
        fields = {field.alias or name: field for name, field in cls.model_fields.items()}
        required = {name for name, field in fields.items() if field.is_required()}
        assert set(body.get("required", ())) == required
        assert {name: field.description for name, field in fields.items()} == {
            name: described["description"] for name, described in body["properties"].items()
        }
        assert None not in [described.get("default", ...) for described in body["properties"].values()]


def test_properties_have_wire_names() -> None:
    assert RunEvent.model_json_schema()["properties"].keys() >= {"eventTime", "schemaURL", "eventType"}
    assert SQLJobFacet.model_json_schema()["properties"].keys() >= {"_producer", "_deleted", "query"}


def _property(cls: type[Model], name: str) -> dict[str, Any]:
    schema = cls.model_json_schema()
    body = schema["$defs"][schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
    found: dict[str, Any] = body["properties"][name]
    return found


def test_types_are_those_of_the_wire_format() -> None:
    assert _property(NominalTimeRunFacet, "nominalStartTime").items() >= {
        ("type", "string"),
        ("format", "date-time"),
    }
    assert _property(Run, "runId").items() >= {("type", "string"), ("format", "uuid")}
    assert _property(OutputStatisticsOutputDatasetFacet, "rowCount")["type"] == "integer"
    assert {one["type"] for one in _property(tag.TagFacetFields, "value")["anyOf"]} == {
        "string",
        "number",
        "boolean",
    }


def test_a_container_lists_its_facets_and_allows_others() -> None:
    schema = TypeAdapter(RunFacets).json_schema()
    assert schema["properties"].keys() == RunFacets.__slots_by_key__.keys()
    custom = RunFacet(usd=1.5).to_dict()
    assert Draft202012Validator(schema).is_valid(
        {"acme_cost": custom, "nominalTime": nominal_time().to_dict()}
    )
    assert not Draft202012Validator(schema).is_valid({"nominalTime": custom})


def test_the_json_schema_distinguishes_valid_and_invalid_documents() -> None:
    validator = Draft202012Validator(Run.model_json_schema())
    run = {"runId": "0195793b-2c4e-7f18-a3d6-5be0917c42fd", "facets": {"nominalTime": {"_producer": "a:b"}}}
    assert {error.json_path for error in validator.iter_errors(run)} == {"$.facets.nominalTime"}
    assert not validator.is_valid({"facets": {}})
