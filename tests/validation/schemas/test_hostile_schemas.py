"""Validation terminates quickly for every schema and every event."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from pydantic import Field, TypeAdapter, ValidationError

from openlineage_facets import validate
from openlineage_facets.base.wire.linear_patterns import UnsupportedPattern, matcher_of
from openlineage_facets.validation.schemas import bounded_keywords as schema_keywords
from openlineage_facets.validation.schemas.bounded_keywords import bounded
from openlineage_facets.validation.schemas.schema_files import SchemaSetError
from openlineage_facets.validation.schemas.schema_set import SchemaSet
from tests.cases import each
from tests.events import FACET, on_run

URL = "https://acme.example.com/schemas/1-0-0/AcmeRunFacet.json"


def schemas(definition: dict[str, Any], **definitions: Any) -> SchemaSet:
    return SchemaSet({URL: {"$id": URL, "$defs": {"AcmeRunFacet": definition, **definitions}}})


def found(definition: dict[str, Any], facet: dict[str, Any], **definitions: Any) -> list[str]:
    """Return the findings of a facet."""
    event = on_run("acme", {**FACET, "_schemaURL": f"{URL}#/$defs/AcmeRunFacet", **facet})
    findings = validate(event, rules=False, schemas=schemas(definition, **definitions))
    return [f"{one.code} {one.pointer.removeprefix('/run/facets/acme')}" for one in findings]


MANY = "a" * 50_000
BACKTRACKING = "^(a+)+$"

HANGING: dict[str, tuple[dict[str, Any], dict[str, Any], list[str]]] = {
    "pattern": ({"properties": {"x": {"pattern": BACKTRACKING}}}, {"x": MANY + "b"}, ["OL008 /x"]),
    "patternProperties": ({"patternProperties": {BACKTRACKING: {"type": "null"}}}, {MANY + "b": 1}, []),
    "additionalProperties": (
        {"patternProperties": {BACKTRACKING: True, "^_": True}, "additionalProperties": False},
        {MANY + "b": 1},
        [f"OL006 /{MANY}b"],
    ),
    "unevaluatedProperties": (
        {"patternProperties": {BACKTRACKING: True, "^_": True}, "unevaluatedProperties": False},
        {MANY + "b": 1},
        [f"OL006 /{MANY}b"],
    ),
    "propertyNames": ({"propertyNames": {"pattern": f"{BACKTRACKING}|^_"}}, {MANY + "b": 1}, ["OL008 "]),
    "uniqueItems": (
        {"properties": {"x": {"uniqueItems": True}}},
        {"x": [{"a": n} if n % 2 else [n] for n in range(30_000)]},
        [],
    ),
    "uniqueItems of numbers with one hash": (
        {"properties": {"x": {"uniqueItems": True}}},
        {"x": [n * (2**61 - 1) for n in range(30_000)]},
        [],
    ),
    "enum": (
        {"properties": {"x": {"items": {"enum": [f"v{n}" for n in range(5_000)]}}}},
        {"x": ["v4999"] * 20_000},
        [],
    ),
    "additional fields": (
        {"properties": {"_producer": True, "_schemaURL": True}, "additionalProperties": False},
        {f"x{n}": 1 for n in range(10_000)},
        [f"OL006 /x{n}" for n in range(10_000)],
    ),
    "missing fields": (
        {"required": [f"x{n}" for n in range(5_000)]},
        {},
        [f"OL003 /x{n}" for n in range(5_000)],
    ),
    **{
        f"format {name}": ({"properties": {"x": {"format": name}}}, {"x": "a." * 500_000}, ["OL008 /x"])
        for name in ("hostname", "idn-hostname", "duration", "ipv6", "time")
    },
}


@pytest.mark.check
@each(("definition", "facet", "expected"), HANGING.values(), ids=HANGING.keys())
def test_every_keyword_runs_in_linear_time(
    definition: dict[str, Any], facet: dict[str, Any], expected: list[str]
) -> None:
    assert sorted(found(definition, facet)) == sorted(expected)


def nested(depth: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(depth):
        value = {"a": value}
    return value


TREE = {"$ref": "#/$defs/Tree"}
BRANCH = {"properties": {"a": TREE}}


@each(
    "tree",
    [
        {"anyOf": [{**BRANCH, "required": ["b"]}, {**BRANCH, "required": ["c"]}]},
        {"oneOf": [BRANCH, BRANCH]},
        {"allOf": [BRANCH, BRANCH]},
        {"not": BRANCH, **BRANCH},
        {"if": BRANCH, "then": BRANCH, "else": BRANCH},
    ],
    ids=["anyOf", "oneOf", "allOf", "not", "if"],
)
def test_exponential_alternatives_stop_with_a_finding(
    tree: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema_keywords, "MOST_STEPS", 5_000)
    assert found({"properties": {"tree": TREE}}, {"tree": nested(60)}, Tree=tree) == ["OL001 "]
    assert "OL001 " not in found({"properties": {"tree": TREE}}, {"tree": nested(3)}, Tree=tree)


@each("pattern", ["(?=a)b", "(?<!a)b", r"(a)\1", "("])
@each(
    ("definition", "pointer"),
    [
        (lambda one: {"properties": {"x": {"pattern": one}}}, "/$defs/AcmeRunFacet/properties/x/pattern"),
        (lambda one: {"patternProperties": {one: True}}, "/$defs/AcmeRunFacet/patternProperties/"),
    ],
    ids=["pattern", "patternProperties"],
)
def test_unsupported_pattern_is_reported_with_its_location(
    definition: Callable[[str], dict[str, Any]], pointer: str, pattern: str, tmp_path: Path
) -> None:
    (tmp_path / "A.json").write_text(json.dumps({"$id": URL, "$defs": {"AcmeRunFacet": definition(pattern)}}))
    with pytest.raises(SchemaSetError) as refused:
        SchemaSet.load([tmp_path])
    (problem,) = refused.value.problems
    assert problem.startswith(f"{tmp_path / 'A.json'}: {pointer}")
    assert "expected a regular expression without look-around and backreferences, found" in problem


@each("pattern", ["(?=a)b", r"(a)\1", "(", r"^\p{L}+$", r"^\d+\z", "a{3}"])
@each("text", ["aaa", "é", "12", "1\n"])
def test_pattern_dialect_matches_the_generated_classes(pattern: str, text: str) -> None:
    try:
        model: Any = TypeAdapter(Annotated[str, Field(pattern=pattern)])
    except Exception:
        with pytest.raises(UnsupportedPattern):
            matcher_of(pattern)
        return
    try:
        model.validate_python(text)
    except ValidationError:
        assert not matcher_of(pattern)(text)
    else:
        assert matcher_of(pattern)(text)


NAMES = st.sampled_from(["a", "b", "ab", "c"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.sampled_from([0, 1, 1.0, 2, "a", "b", "ab"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)
SCHEMAS = st.recursive(
    st.sampled_from(
        [True, False, {"type": "string"}, {"type": "number"}, {"pattern": "^a"}, {"uniqueItems": True}]
    )
    | st.builds(lambda values: {"enum": values}, st.lists(VALUES, min_size=1, max_size=3)),
    lambda inner: st.fixed_dictionaries(
        {},
        optional={
            "properties": st.dictionaries(NAMES, inner, max_size=2),
            "patternProperties": st.dictionaries(st.sampled_from(["^a", "b$", "c"]), inner, max_size=2),
            "additionalProperties": inner,
            "unevaluatedProperties": inner,
            "required": st.lists(NAMES, unique=True, max_size=2),
            "anyOf": st.lists(inner, min_size=1, max_size=2),
            "allOf": st.lists(inner, min_size=1, max_size=2),
            "oneOf": st.lists(inner, min_size=1, max_size=2),
            "if": inner,
            "then": inner,
            "else": inner,
            "items": inner,
        },
    ),
    max_leaves=8,
)


@given(SCHEMAS, VALUES)
def test_bounded_keywords_agree_with_jsonschema(schema: Any, value: Any) -> None:
    assert bounded(Draft202012Validator)(schema).is_valid(value) == Draft202012Validator(schema).is_valid(
        value
    )
