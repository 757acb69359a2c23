"""Schemas of custom facets in the styles in which companies write them, each with a valid facet.

Each entry is a file name, the schema, the key of the facet, and the fields of a valid one.
"""

from __future__ import annotations

from typing import Any

CORE = "https://openlineage.io/spec/2-0-2/OpenLineage.json"
RUN, JOB, DATASET = (f"{CORE}#/$defs/{base}" for base in ("RunFacet", "JobFacet", "DatasetFacet"))
INPUT, OUTPUT = (f"{CORE}#/$defs/{base}" for base in ("InputDatasetFacet", "OutputDatasetFacet"))
DRAFT = {
    4: "http://json-schema.org/draft-04/schema#",
    6: "http://json-schema.org/draft-06/schema#",
    7: "http://json-schema.org/draft-07/schema#",
    2019: "https://json-schema.org/draft/2019-09/schema",
    2020: "https://json-schema.org/draft/2020-12/schema",
}
TEXT, COUNT, NUMBER = {"type": "string"}, {"type": "integer", "minimum": 0}, {"type": "number"}


def in_defs(
    name: str, key: str, base: str, own: dict[str, Any], *, draft: int = 2020, **others: Any
) -> dict[str, Any]:
    """Return a schema as the specification writes them: under `$defs`, with the key below `properties`."""
    defs = "$defs" if draft >= 2019 else "definitions"
    return {
        "$schema": DRAFT[draft],
        "id" if draft == 4 else "$id": f"https://schemas.example.com/lineage/1-0-0/{name}.json",
        defs: {name: {"allOf": [{"$ref": base}, {"type": "object", **own}], "type": "object"}, **others},
        "type": "object",
        "properties": {key: {"$ref": f"#/{defs}/{name}"}},
    }


def at_root(name: str, base: str, *, draft: int = 2020, **own: Any) -> dict[str, Any]:
    """Return a schema that is the facet itself."""
    return {
        "$schema": DRAFT[draft],
        "$id": f"https://schemas.example.com/lineage/1-0-0/{name}.json",
        "title": name,
        "type": "object",
        "allOf": [{"$ref": base}, {"type": "object", **own}],
    }


Entry = tuple[dict[str, Any], str, dict[str, Any]]

SCHEMAS: dict[str, Entry] = {
    "required fields": (
        in_defs("AcmeCostRunFacet", "acme_cost", RUN, {"properties": {"usd": NUMBER}, "required": ["usd"]}),
        "acme_cost",
        {"usd": 1.5},
    ),
    "draft 4": (
        in_defs(
            "AcmeQuotaRunFacet",
            "acme_quota",
            RUN,
            {"properties": {"left": {"type": "number", "minimum": 0, "exclusiveMinimum": True}}},
            draft=4,
        ),
        "acme_quota",
        {"left": 0.5},
    ),
    "draft 6": (
        in_defs("AcmeModeRunFacet", "acme_mode", RUN, {"properties": {"mode": {"const": "full"}}}, draft=6),
        "acme_mode",
        {"mode": "full"},
    ),
    "draft 7, a dependency": (
        in_defs(
            "AcmePlanJobFacet",
            "acme_plan",
            JOB,
            {"properties": {"cron": TEXT, "zone": TEXT}, "dependencies": {"cron": ["zone"]}},
            draft=7,
        ),
        "acme_plan",
        {"cron": "@daily", "zone": "UTC"},
    ),
    "draft 2019": (
        in_defs(
            "AcmeDaysJobFacet",
            "acme_days",
            JOB,
            {"properties": {"days": {"type": "array", "items": COUNT, "minItems": 1}}},
            draft=2019,
        ),
        "acme_days",
        {"days": [1, 2]},
    ),
    "facet at the root": (
        at_root("AcmeOwnerJobFacet", JOB, properties={"team": TEXT}, required=["team"]),
        "acme_owner",
        {"team": "etl"},
    ),
    "facet at the root, fields next to allOf": (
        {
            "$schema": DRAFT[7],
            "$id": "https://schemas.example.com/1-0-0/AcmeTierDatasetFacet.json",
            "title": "Tier of a dataset",
            "type": "object",
            "allOf": [{"$ref": DATASET}],
            "properties": {"tier": {"type": "string", "enum": ["gold", "silver"]}},
            "required": ["tier"],
        },
        "acme_tier",
        {"tier": "gold"},
    ),
    "facet at the root with definitions": (
        {
            **at_root(
                "AcmeTeamJobFacet", JOB, draft=7, properties={"lead": {"$ref": "#/definitions/Person"}}
            ),
            "definitions": {"Person": {"type": "object", "properties": {"name": TEXT}, "required": ["name"]}},
        },
        "acme_team",
        {"lead": {"name": "Ada"}},
    ),
    "facet that refers to itself at the root": (
        at_root("AcmeTreeRunFacet", RUN, properties={"n": COUNT, "parts": {"type": "array", "items": TEXT}}),
        "acme_tree",
        {"n": 1, "parts": ["a"]},
    ),
    "anchor": (
        in_defs(
            "AcmeRateRunFacet",
            "acme_rate",
            RUN,
            {"properties": {"rate": {"$ref": "#rate"}}},
            Rate={"$anchor": "rate", "type": "number", "maximum": 1},
        ),
        "acme_rate",
        {"rate": 0.5},
    ),
    "embedded schema": (
        in_defs(
            "AcmePlaceRunFacet",
            "acme_place",
            RUN,
            {"properties": {"place": {"$ref": "https://schemas.example.com/place.json"}}},
            Place={
                "$id": "https://schemas.example.com/place.json",
                "type": "object",
                "properties": {"region": TEXT},
                "required": ["region"],
            },
        ),
        "acme_place",
        {"place": {"region": "eu"}},
    ),
    "reference into properties": (
        in_defs(
            "AcmeSpanRunFacet",
            "acme_span",
            RUN,
            {
                "properties": {
                    "least": COUNT,
                    "most": {"$ref": "#/$defs/AcmeSpanRunFacet/allOf/1/properties/least"},
                }
            },
        ),
        "acme_span",
        {"least": 1, "most": 2},
    ),
    "one of two fields": (
        in_defs(
            "AcmePriceRunFacet",
            "acme_price",
            RUN,
            {
                "properties": {"usd": NUMBER, "eur": NUMBER},
                "oneOf": [{"required": ["usd"]}, {"required": ["eur"]}],
            },
        ),
        "acme_price",
        {"usd": 1},
    ),
    "any of two fields": (
        in_defs(
            "AcmeLinkJobFacet",
            "acme_link",
            JOB,
            {
                "properties": {"url": TEXT, "path": TEXT},
                "anyOf": [{"required": ["url"]}, {"required": ["path"]}],
            },
        ),
        "acme_link",
        {"url": "https://example.com", "path": "/"},
    ),
    "labels": (
        in_defs(
            "AcmeLabelsJobFacet",
            "acme_labels",
            JOB,
            {
                "properties": {
                    "labels": {
                        "type": "object",
                        "patternProperties": {"^[a-z]+$": TEXT},
                        "additionalProperties": False,
                    }
                }
            },
        ),
        "acme_labels",
        {"labels": {"team": "etl"}},
    ),
    "any JSON value": (
        in_defs(
            "AcmeConfigJobFacet",
            "acme_config",
            JOB,
            {"properties": {"config": {"$ref": "#/$defs/Value"}}},
            Value={
                "anyOf": [
                    {"type": ["string", "number", "boolean", "null"]},
                    {"type": "array", "items": {"$ref": "#/$defs/Value"}},
                    {"type": "object", "additionalProperties": {"$ref": "#/$defs/Value"}},
                ]
            },
        ),
        "acme_config",
        {"config": {"a": [1, {"b": None}]}},
    ),
    "tree of texts": (
        in_defs(
            "AcmePathRunFacet",
            "acme_path",
            RUN,
            {"properties": {"path": {"$ref": "#/$defs/Path"}}},
            Path={"oneOf": [TEXT, {"type": "array", "items": {"$ref": "#/$defs/Path"}}]},
        ),
        "acme_path",
        {"path": ["a", ["b"]]},
    ),
    "recursive objects": (
        in_defs(
            "AcmeStageRunFacet",
            "acme_stage",
            RUN,
            {"properties": {"stage": {"$ref": "#/$defs/Stage"}}},
            Stage={
                "type": "object",
                "properties": {"name": TEXT, "inner": {"type": "array", "items": {"$ref": "#/$defs/Stage"}}},
                "required": ["name"],
            },
        ),
        "acme_stage",
        {"stage": {"name": "a", "inner": [{"name": "b"}]}},
    ),
    "recursive objects with nullable fields": (
        in_defs(
            "AcmeStepRunFacet",
            "acme_step",
            RUN,
            {"properties": {"step": {"$ref": "#/$defs/Step"}}},
            Step={
                "type": "object",
                "properties": {
                    "stepName": {"type": ["string", "null"]},
                    "next": {"$ref": "#/$defs/Step"},
                },
            },
        ),
        "acme_step",
        {"step": {"stepName": None, "next": {"next": {"stepName": "a"}}}},
    ),
    "branches without types": (
        in_defs(
            "AcmeSourceRunFacet",
            "acme_source",
            RUN,
            {
                "properties": {
                    "name": {"type": "string", "anyOf": [{"pattern": "^a"}, {"maxLength": 1}]},
                    "known": {"type": ["string", "null"], "anyOf": [{"const": "a"}, {"maxLength": 2}, True]},
                    "size": {"type": "integer", "oneOf": [{"type": "number", "maximum": 1}, {"minimum": 3}]},
                    "include": {
                        "oneOf": [
                            {"type": "string", "anyOf": [{"pattern": "^h"}, {}]},
                            {"type": "object", "required": ["a"], "properties": {"a": TEXT}},
                        ]
                    },
                    "list": {"type": "array", "anyOf": [{"items": TEXT}, {"items": COUNT}]},
                    "more": {
                        "type": "object",
                        "anyOf": [{"required": ["a"], "properties": {"a": TEXT}}, {"required": ["b"]}],
                    },
                }
            },
        ),
        "acme_source",
        {
            "name": "abcd",
            "known": None,
            "size": 5,
            "include": {"a": "x"},
            "list": ["a"],
            "more": {"a": "x", "c": 1},
        },
    ),
    "nullable fields": (
        in_defs(
            "AcmeNoteRunFacet",
            "acme_note",
            RUN,
            {
                "properties": {
                    "note": {"type": ["string", "null"], "maxLength": 3},
                    "n": {"type": ["integer", "null"]},
                }
            },
        ),
        "acme_note",
        {"note": "abc", "n": None},
    ),
    "camel case and reserved names": (
        in_defs(
            "AcmeNamesRunFacet",
            "acme_names",
            RUN,
            {"properties": {"rowCount": COUNT, "class": TEXT, "from": TEXT, "名": TEXT, "x-y": TEXT}},
        ),
        "acme_names",
        {"rowCount": 1, "class": "a", "from": "b", "名": "c", "x-y": "d"},
    ),
    "formats": (
        in_defs(
            "AcmeTimeRunFacet",
            "acme_time",
            RUN,
            {
                "properties": {
                    "at": {"type": "string", "format": "date-time"},
                    "id": {"type": "string", "format": "uuid"},
                    "url": {"type": "string", "format": "uri"},
                    "day": {"type": "string", "format": "date"},
                }
            },
        ),
        "acme_time",
        {
            "at": "2026-11-23T00:00:00Z",
            "id": "01936f7e-0000-7000-8000-000000000000",
            "url": "https://example.com",
            "day": "2026-11-23",
        },
    ),
    "constants of two types": (
        in_defs("AcmeKindRunFacet", "acme_kind", RUN, {"properties": {"kind": {"enum": ["a", 1, None]}}}),
        "acme_kind",
        {"kind": 1},
    ),
    "alternatives with a discriminator": (
        in_defs(
            "AcmeStoreDatasetFacet",
            "acme_store",
            DATASET,
            {
                "properties": {
                    "store": {
                        "oneOf": [
                            {
                                "type": "object",
                                "properties": {"kind": {"const": "s3"}, "bucket": TEXT},
                                "required": ["kind"],
                            },
                            {
                                "type": "object",
                                "properties": {"kind": {"const": "fs"}, "path": TEXT},
                                "required": ["kind"],
                            },
                        ]
                    }
                }
            },
        ),
        "acme_store",
        {"store": {"kind": "s3", "bucket": "b"}},
    ),
    "closed nested object": (
        in_defs(
            "AcmeShapeDatasetFacet",
            "acme_shape",
            DATASET,
            {
                "properties": {
                    "shape": {"type": "object", "properties": {"rows": COUNT}, "additionalProperties": False}
                }
            },
        ),
        "acme_shape",
        {"shape": {"rows": 1}},
    ),
    "typed additional properties": (
        in_defs(
            "AcmeCountsDatasetFacet",
            "acme_counts",
            DATASET,
            {"properties": {"counts": {"type": "object", "additionalProperties": COUNT}}},
        ),
        "acme_counts",
        {"counts": {"a": 1}},
    ),
    "input facet": (
        in_defs("AcmeScanInputDatasetFacet", "acme_scan", INPUT, {"properties": {"files": COUNT}}),
        "acme_scan",
        {"files": 3},
    ),
    "output facet": (
        in_defs("AcmeSinkOutputDatasetFacet", "acme_sink", OUTPUT, {"properties": {"bytes": COUNT}}),
        "acme_sink",
        {"bytes": 3},
    ),
    "published objects": (
        in_defs(
            "AcmeParentRunFacet",
            "acme_parent",
            RUN,
            {
                "properties": {
                    "parent": {"$ref": f"{CORE}#/$defs/Job"},
                    "all": {"type": "array", "items": {"$ref": RUN}},
                }
            },
        ),
        "acme_parent",
        {"parent": {"namespace": "etl", "name": "a"}},
    ),
    "part of a published facet": (
        in_defs(
            "AcmeNestRunFacet",
            "acme_nest",
            RUN,
            {
                "properties": {
                    "job": {
                        "$ref": "https://openlineage.io/spec/facets/1-2-0/ParentRunFacet.json"
                        "#/$defs/ParentRunFacet/allOf/1/properties/job"
                    }
                }
            },
        ),
        "acme_nest",
        {"job": {"namespace": "etl", "name": "a"}},
    ),
    "an array of unlike values": (
        in_defs(
            "AcmeMixRunFacet",
            "acme_mix",
            RUN,
            {
                "properties": {
                    "mix": {"type": "array", "items": {"anyOf": [COUNT, {"type": "string", "pattern": "^a"}]}}
                }
            },
        ),
        "acme_mix",
        {"mix": [1, "ab"]},
    ),
}
