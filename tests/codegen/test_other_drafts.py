"""Keywords of other drafts are rewritten, those without effect ignored, and none is dropped silently."""

from __future__ import annotations

from typing import Any

from codegen.modernize import modern_core, modern_schema
from tests.cases import each


def rewritten(schema: dict[str, Any]) -> dict[str, Any]:
    modern, notes = modern_schema({"$defs": {"A": schema}})
    assert notes == []
    definition: dict[str, Any] = modern["$defs"]["A"]
    return definition


@each(
    ("schema", "expected"),
    [
        ({"x-order": 1, "type": "string"}, {"type": "string"}),
        ({"type": "string", "contentMediaType": "text/html"}, {"type": "string"}),
        ({"type": "string", "contentEncoding": "base64"}, {"type": "string"}),
        ({"type": "array", "uniqueItems": False}, {"type": "array"}),
        ({"type": "array", "uniqueItems": True}, {"type": "array", "uniqueItems": True}),
        ({"dependencies": {"a": ["b"]}}, {"dependentRequired": {"a": ["b"]}}),
        ({"minimum": 1, "exclusiveMinimum": True}, {"exclusiveMinimum": 1}),
        ({"maximum": 1, "exclusiveMaximum": False}, {"maximum": 1}),
        ({"$ref": "#/definitions/B"}, {"$ref": "#/$defs/B"}),
        ({"$ref": "Other.json#/definitions/B"}, {"$ref": "Other.json#/$defs/B"}),
        ({"$id": "#w", "type": "string"}, {"$anchor": "w", "type": "string"}),
        ({"id": "#w", "type": "string"}, {"$anchor": "w", "type": "string"}),
        ({"$id": "#/properties/x", "type": "string"}, {"type": "string"}),
        ({"id": "A.json", "type": "object"}, {"$id": "A.json", "type": "object"}),
        ({"properties": {"id": {}, "$id": {}}}, {"properties": {"id": {}, "$id": {}}}),
        ({"properties": {"x-a": {"type": "string"}}}, {"properties": {"x-a": {"type": "string"}}}),
        ({"enum": ["x-a"], "const": {"definitions": {}}}, {"enum": ["x-a"], "const": {"definitions": {}}}),
    ],
    ids=str,
)
def test_a_keyword_has_its_current_form(schema: dict[str, Any], expected: dict[str, Any]) -> None:
    assert rewritten(schema) == expected


def test_definitions_of_draft_7_and_the_id_of_draft_4_are_read() -> None:
    modern, _ = modern_schema({"id": "https://example.com/A.json", "definitions": {"A": {"type": "object"}}})
    assert modern == {"$id": "https://example.com/A.json", "$defs": {"A": {"type": "object"}}}


def test_definitions_of_both_drafts_are_read_unless_they_share_a_name() -> None:
    schema = {"$defs": {"A": {}}, "definitions": {"B": {}}}
    assert modern_schema(schema) == ({"$defs": {"A": {}, "B": {}}}, [])
    shared = {**schema, "definitions": {"A": {}}}
    assert modern_schema(shared) == (shared, [])


def test_a_current_core_is_unchanged() -> None:
    core = {"$id": "https://example.com/OpenLineage.json", "$defs": {"BaseEvent": {"type": "object"}}}
    assert modern_core(core) == (core, {})
