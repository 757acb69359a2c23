"""Schemas of custom facets in the styles in which companies write them, each with a valid facet.

The constructs of JSON Schema 2020-12 are in `tests/codegen/cases`.
"""

from __future__ import annotations

from typing import Any

CORE = "https://openlineage.io/spec/2-0-2/OpenLineage.json"
DRAFT = {
    4: "http://json-schema.org/draft-04/schema#",
    7: "http://json-schema.org/draft-07/schema#",
    2019: "https://json-schema.org/draft/2019-09/schema",
    2020: "https://json-schema.org/draft/2020-12/schema",
}
TEXT, COUNT, NUMBER = {"type": "string"}, {"type": "integer", "minimum": 0}, {"type": "number"}
NAME = {"name": TEXT}

Schema = dict[str, Any]
Entry = tuple[Schema, str, Schema]
"""The schema, the key of the facet, and the fields of a valid one."""


def one_of(*branches: Any) -> Schema:
    return {"oneOf": list(branches)}


def any_of(*branches: Any) -> Schema:
    return {"anyOf": list(branches)}


def list_of(items: Schema, **keywords: Any) -> Schema:
    return {"type": "array", "items": items, **keywords}


def object_of(properties: Schema, **keywords: Any) -> Schema:
    return {"type": "object", "properties": properties, **keywords}


def to(definition: str) -> Schema:
    return {"$ref": f"#/$defs/{definition}"}


def in_defs(
    name: str,
    base: str,
    properties: Schema,
    valid: Schema,
    *,
    draft: int = 2020,
    defs: Schema | None = None,
    **keywords: Any,
) -> Entry:
    """Return a schema as the specification writes them: under `$defs`, with the key below `properties`.

    Args:
        name: The part of the facet's name after the prefix.
        base: The base facet that it extends.
        properties: Its properties.
        valid: The fields of a valid facet.
        draft: The draft of JSON Schema.
        defs: Further definitions.
        keywords: Further keywords of the facet.
    """
    facet, key, place = (
        f"Acme{name}{base}",
        f"acme_{name.lower()}",
        "$defs" if draft >= 2019 else "definitions",
    )
    own = {"type": "object", "properties": properties, **keywords}
    schema = {
        "$schema": DRAFT[draft],
        "id" if draft == 4 else "$id": f"https://schemas.example.com/lineage/1-0-0/{facet}.json",
        place: {
            facet: {"allOf": [{"$ref": f"{CORE}#/$defs/{base}"}, own], "type": "object"},
            **(defs or {}),
        },
        "type": "object",
        "properties": {key: {"$ref": f"#/{place}/{facet}"}},
    }
    return schema, key, valid


def at_root(name: str, base: str, own: Schema, valid: Schema, **keywords: Any) -> Entry:
    """Return a schema that is the facet itself; `keywords` are those at the top level."""
    facet = f"Acme{name}{base}"
    schema = {
        "$schema": DRAFT[2020],
        "$id": f"https://schemas.example.com/lineage/1-0-0/{facet}.json",
        "title": facet,
        "type": "object",
        "allOf": [{"$ref": f"{CORE}#/$defs/{base}"}, {"type": "object", **own}],
        **keywords,
    }
    return schema, f"acme_{name.lower()}", valid


RUN, JOB, DATASET = "RunFacet", "JobFacet", "DatasetFacet"

SCHEMAS: dict[str, Entry] = {
    # -- drafts and forms of files
    "draft 4": in_defs(
        "Quota",
        RUN,
        {"left": {"type": "number", "minimum": 0, "exclusiveMinimum": True}},
        {"left": 0.5},
        draft=4,
    ),
    "draft 7, a dependency": in_defs(
        "Plan",
        JOB,
        {"cron": TEXT, "zone": TEXT},
        {"cron": "@daily", "zone": "UTC"},
        draft=7,
        dependencies={"cron": ["zone"]},
    ),
    "draft 2019": in_defs("Days", JOB, {"days": list_of(COUNT, minItems=1)}, {"days": [1, 2]}, draft=2019),
    "facet at the root": at_root("Owner", JOB, object_of({"team": TEXT}, required=["team"]), {"team": "etl"}),
    "facet at the root, fields next to allOf": at_root(
        "Tier",
        DATASET,
        {},
        {"tier": "gold"},
        title="Tier of a dataset",
        allOf=[{"$ref": f"{CORE}#/$defs/{DATASET}"}],
        properties={"tier": {"type": "string", "enum": ["gold", "silver"]}},
        required=["tier"],
        **{"$schema": DRAFT[7]},
    ),
    "facet at the root with definitions": at_root(
        "Team",
        JOB,
        object_of({"lead": {"$ref": "#/definitions/Person"}}),
        {"lead": {"name": "Ada"}},
        definitions={"Person": object_of(NAME, required=["name"])},
        **{"$schema": DRAFT[7]},
    ),
    "facet at the root with a list": at_root(
        "Tree", RUN, object_of({"n": COUNT, "parts": list_of(TEXT)}), {"n": 1, "parts": ["a"]}
    ),
    # -- references
    "anchor": in_defs(
        "Rate",
        RUN,
        {"rate": {"$ref": "#rate"}},
        {"rate": 0.5},
        defs={"Rate": {"$anchor": "rate", "type": "number", "maximum": 1}},
    ),
    "embedded schema": in_defs(
        "Place",
        RUN,
        {"place": {"$ref": "https://schemas.example.com/place.json"}},
        {"place": {"region": "eu"}},
        defs={
            "Place": {
                "$id": "https://schemas.example.com/place.json",
                **object_of({"region": TEXT}, required=["region"]),
            }
        },
    ),
    "reference into properties": in_defs(
        "Span",
        RUN,
        {"least": COUNT, "most": to("AcmeSpanRunFacet/allOf/1/properties/least")},
        {"least": 1, "most": 2},
    ),
    "published objects": in_defs(
        "Parent",
        RUN,
        {"parent": {"$ref": f"{CORE}#/$defs/Job"}, "all": list_of({"$ref": f"{CORE}#/$defs/RunFacet"})},
        {"parent": {"namespace": "etl", "name": "a"}},
    ),
    "part of a published facet": in_defs(
        "Nest",
        RUN,
        {
            "job": {
                "$ref": "https://openlineage.io/spec/facets/1-2-0/ParentRunFacet.json"
                "#/$defs/ParentRunFacet/allOf/1/properties/job"
            }
        },
        {"job": {"namespace": "etl", "name": "a"}},
    ),
    # -- alternatives
    "branches without types": in_defs(
        "Source",
        RUN,
        {
            "name": {"type": "string", **any_of({"pattern": "^a"}, {"maxLength": 1})},
            "known": {"type": ["string", "null"], **any_of({"const": "a"}, {"maxLength": 2}, True)},
            "size": {"type": "integer", **one_of({"type": "number", "maximum": 1}, {"minimum": 3})},
            "include": one_of(
                {"type": "string", **any_of({"pattern": "^h"}, {})}, object_of({"a": TEXT}, required=["a"])
            ),
            "list": {"type": "array", **any_of({"items": TEXT}, {"items": COUNT})},
            "more": {
                "type": "object",
                **any_of({"required": ["a"], "properties": {"a": TEXT}}, {"required": ["b"]}),
            },
        },
        {
            "name": "abcd",
            "known": None,
            "size": 5,
            "include": {"a": "x"},
            "list": ["a"],
            "more": {"a": "x", "c": 1},
        },
    ),
}
