"""`proposals/TagFacet.json` is the tags proposal, corrected: valid, with an entity for each facet."""

from __future__ import annotations

import json
from typing import Any

from tests.cases import each
from tests.oracle.expected_results import is_valid as is_valid_by
from tests.oracle.schemas import Definition
from tests.spec.schema_files import SPEC

SCHEMA = json.loads((SPEC / "proposals" / "TagFacet.json").read_text(encoding="utf-8"))
CORE = json.loads((SPEC / "OpenLineage.json").read_text(encoding="utf-8"))
ENTITIES = ["Run", "Job", "Dataset"]
BASE_FIELDS = {"_producer": "https://example.com/etl", "_schemaURL": "https://example.com/TagFacet.json"}


def is_valid(definition: str, document: Any) -> bool:
    return is_valid_by(Definition(SCHEMA["$id"], definition), document)


def test_it_has_the_id_and_the_key_of_the_proposal() -> None:
    assert SCHEMA["$id"] == "https://openlineage.io/spec/facets/1-1-1/TagFacet.json"
    members = [{"$ref": f"#/$defs/Tag{entity}Facet"} for entity in ENTITIES]
    assert [(key, schema["anyOf"]) for key, schema in SCHEMA["properties"].items()] == [("tags", members)]


@each("entity", ENTITIES)
def test_an_entity_facet_extends_its_base_and_the_tag_facet(entity: str) -> None:
    bases = [part["$ref"] for part in SCHEMA["$defs"][f"Tag{entity}Facet"]["allOf"]]
    assert bases == [f"{CORE['$id']}#/$defs/{entity}Facet", "#/$defs/TagFacet"]


@each("value", ["order-management", "", 20, 0.5, True, False])
@each("entity", ENTITIES)
def test_a_value_is_a_string_a_number_or_a_boolean(entity: str, value: Any) -> None:
    tags = [{"key": "team", "value": value, "source": "USER", "field": "email"}]
    assert is_valid(f"Tag{entity}Facet", {**BASE_FIELDS, "tags": tags})


@each("entity", ENTITIES)
@each(
    "tags",
    [
        [{"key": "team", "value": None}],
        [{"key": "team", "value": ["a"]}],
        [{"key": "team"}],
        [{"value": "a"}],
        [{"key": 1, "value": "a"}],
        [{"key": "team", "value": "a", "source": 1}],
        {"team": "a"},
        None,
    ],
)
def test_other_values_are_invalid_tags(entity: str, tags: Any) -> None:
    assert not is_valid(f"Tag{entity}Facet", {**BASE_FIELDS, "tags": tags})


@each("entity", ENTITIES)
def test_a_tag_facet_needs_its_base_fields(entity: str) -> None:
    assert not is_valid(f"Tag{entity}Facet", {"tags": []})
    assert is_valid(f"Tag{entity}Facet", BASE_FIELDS)
    if entity != "Run":
        assert not is_valid(f"Tag{entity}Facet", {**BASE_FIELDS, "_deleted": "yes"})


def test_the_readme_lists_the_corrections() -> None:
    readme = (SPEC / "README.md").read_text(encoding="utf-8")
    assert "## Proposals" in readme
    for correction in ("not JSON", "extend no entity's base facet", "core has no such definition"):
        assert correction in readme
