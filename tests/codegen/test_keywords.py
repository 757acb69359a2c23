"""Every keyword that holds schemas is in the table that all passes use."""

from __future__ import annotations

from typing import Any

from jsonschema_specifications import REGISTRY

from codegen.keywords import LISTS_OF_SCHEMAS, MAPS_OF_SCHEMAS, SCHEMA_KEYWORDS, SINGLE_SCHEMAS


def test_the_keywords_that_hold_schemas_are_those_of_the_metaschema() -> None:
    singles, lists, maps = set(), set(), set()
    for vocabulary in ("core", "applicator"):
        schema: Any = REGISTRY.contents(f"https://json-schema.org/draft/2020-12/meta/{vocabulary}")
        for keyword, value in schema["properties"].items():
            if "$dynamicRef" in value:
                singles.add(keyword)
            elif value.get("$ref") == "#/$defs/schemaArray":
                lists.add(keyword)
            elif "$dynamicRef" in value.get("additionalProperties", {}):
                maps.add(keyword)
    known = SCHEMA_KEYWORDS | {"$defs"}
    assert (singles & known, lists & known, maps & known) == (
        SINGLE_SCHEMAS,
        LISTS_OF_SCHEMAS,
        MAPS_OF_SCHEMAS,
    )
