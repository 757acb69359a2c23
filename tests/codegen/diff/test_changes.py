"""What counts as a change, which version step it requires and what it means for Python code."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from codegen.diff import schemas
from codegen.diff.change import Diff, DocumentDiff, Step, version_problem
from codegen.diff.documents import SchemaVersion, compare
from codegen.diff.report import REPORTS
from codegen.documents import CORE_FILE
from codegen.load import load_extending
from tests.cases import each
from tests.codegen.custom.facets import facet_file, part_of_published, write_schemas
from tests.conftest import ROOT

pytestmark = pytest.mark.check

CORE = "https://openlineage.io/spec/2-0-2/OpenLineage.json"
URL = "https://acme.example.com/{}/AcmeCostRunFacet.json"

BEFORE: dict[str, Any] = {
    "properties": {
        "usd": {"type": "number", "minimum": 0},
        "unit": {"type": "string", "enum": ["hour", "day"]},
        "note": {"type": "string", "maxLength": 10},
        "count": {"type": "integer"},
        "parts": {
            "type": "array",
            "items": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]},
        },
        "labels": {"type": "object", "additionalProperties": {"type": "string"}},
        "either": {"anyOf": [{"type": "string"}, {"type": "integer"}]},
        "at": {"type": "string", "format": "date-time"},
    },
    "required": ["usd"],
}


def schema(
    content: dict[str, Any], version: str = "1-0-0", key: str = "acme_cost", base: str = "RunFacet"
) -> Any:
    facet = {"type": "object", "allOf": [{"$ref": f"{CORE}#/$defs/{base}"}, {"type": "object", **content}]}
    return {
        "$id": URL.format(version),
        "$defs": {"AcmeCostRunFacet": facet},
        "properties": {key: {"$ref": "#/$defs/AcmeCostRunFacet"}},
    }


LOADED: dict[tuple[str, str], SchemaVersion] = {}
"""What was loaded, by the name of its folder and its text: most tests compare with the same schema."""


def loaded(folder: Path, schemas: dict[str, Any]) -> SchemaVersion:
    key = (folder.name, json.dumps(schemas))
    if key not in LOADED:
        LOADED[key] = SchemaVersion(load_extending(write_schemas(folder, schemas), part_of_published()))
    return LOADED[key]


def difference(folder: Path, old: dict[str, Any], new: dict[str, Any]) -> Diff:
    """Return the differences of two folders, whose schemas are given by file name."""
    return compare(loaded(folder / "old", old), loaded(folder / "new", new))


def document(folder: Path, old: Any, new: Any) -> DocumentDiff:
    """Return the differences of one file."""
    (found,) = difference(folder, {FILE: old}, {FILE: new}).documents
    return found


def document_of(folder: Path, new: Any, version: str = "9-0-0") -> DocumentDiff:
    """Return the differences from BEFORE."""
    return document(folder, schema(BEFORE), schema(new, version))


def values(folder: Path, old: Any, new: Any, version: str = "1-0-0") -> DocumentDiff:
    """Return the differences of a file whose facet has one property."""
    return document(
        folder, schema({"properties": {"value": old}}), schema({"properties": {"value": new}}, version)
    )


def all_values(folder: Path, rows: Iterable[tuple[Any, Any, str]]) -> dict[str, DocumentDiff]:
    """Return the differences of many values, each by its old and new schema, compared in one go.

    Args:
        folder: Where to write.
        rows: Old schema, new schema, and new version.
    """
    sides: tuple[dict[str, Any], dict[str, Any]] = ({}, {})
    names = {}
    for number, (old, new, version) in enumerate(rows):
        names[f"Acme{number}CostRunFacet"] = f"{json.dumps(old)} -> {json.dumps(new)}"
        for side, value, own_version in zip(sides, (old, new), ("1-0-0", version), strict=True):
            text = json.dumps(schema({"properties": {"value": value}}, own_version))
            text = text.replace("AcmeCost", f"Acme{number}Cost").replace("acme_cost", f"acme_{number}")
            side[f"Acme{number}CostRunFacet.json"] = json.loads(text)
    found = {one.name: one for one in difference(folder, *sides).documents}
    return {pair: found[name] for name, pair in names.items()}


def edited(path: str, value: Any) -> dict[str, Any]:
    """Return BEFORE with the value at `path`, None to remove it."""
    content = copy.deepcopy(BEFORE)
    *steps, last = path.split("/")
    node: Any = content
    for step in steps:
        node = node[step]
    if value is None:
        del node[last]
    else:
        node[last] = value
    return content


F = "AcmeCostRunFacet"
SAME = "NONE written in other words, with the same effect"
FILE = f"{F}.json"
UNIT, NAME = "properties/unit/enum", "properties/parts/items/properties/name"
NO_UNIT = "acme_cost_run.Unit is removed"
NO_TIMESTAMP = f"{F}.at is a str, no longer a Timestamp"
NOTE = "properties/note"
EITHER = {"anyOf": [{"type": "string"}, {"type": "integer"}]}

ONE_CHANGE = [
    # path, value, step, kind and text, effect
    ("properties/eur", {"type": "number"}, "ADDITION added eur number, optional", ""),
    (NOTE, None, "MODEL removed note string", f"{F}.note is removed"),
    ("properties/count/type", "number", "ADDITION type count integer -> number", f"{F}.count is number"),
    ("properties/count/type", "string", "MODEL type count integer -> string", f"{F}.count is string"),
    (
        "properties/count/type",
        ["integer", "null"],
        "ADDITION type count integer -> integer or null",
        f"{F}.count may be None",
    ),
    (UNIT, ["hour", "day", "week"], 'ADDITION enum unit with "week"', ""),
    (UNIT, ["hour"], 'MODEL enum unit without "day"', NO_UNIT),
    (UNIT, None, 'ADDITION enum unit no longer only "hour", "day"', NO_UNIT),
    (
        f"{NAME}/enum",
        ["a", "b"],
        'MODEL enum parts[].name only "a", "b"',
        "acme_cost_run.Part.name is acme_cost_run.Name",
    ),
    ("properties/usd/minimum", 1, "MODEL tightened usd minimum 0 -> 1", ""),
    ("properties/usd/minimum", -1, "ADDITION relaxed usd minimum 0 -> -1", ""),
    (
        "properties/usd",
        {"type": "number", "exclusiveMinimum": 3},
        "MODEL tightened usd minimum 0 -> 3 (exclusive)",
        "",
    ),
    (f"{NOTE}/maxLength", 5, "MODEL tightened note maxLength 10 -> 5", ""),
    (f"{NOTE}/maxLength", None, "ADDITION relaxed note maxLength 10 -> none", ""),
    (f"{NOTE}/pattern", "^a", "MODEL tightened note pattern none -> ^a", ""),
    (f"{NOTE}/deprecated", True, "ADDITION deprecated note", ""),
    ("properties/at/format", None, "ADDITION format at format date-time -> none", NO_TIMESTAMP),
    (
        f"{NOTE}/format",
        "email",
        "NONE format note format none -> email, which classes do not enforce",
        "",
    ),
    ("properties/at/format", "date", "ADDITION format at format date-time -> date", NO_TIMESTAMP),
    (f"{NOTE}/format", "uuid", "MODEL format note format none -> uuid", ""),
    ("required", ["usd", "note"], "MODEL required note is now required", f"{F} requires the argument note"),
    ("required", [], "ADDITION optional usd is no longer required", f"{F}.usd may be None"),
    (
        "properties/parts/items/properties/size",
        {"type": "integer"},
        "ADDITION added parts[].size integer, optional",
        "",
    ),
    (
        "properties/parts/items/required",
        [],
        "ADDITION optional parts[].name is no longer required",
        "acme_cost_run.Part.name may be None",
    ),
    (
        "properties/labels/additionalProperties/type",
        "integer",
        "MODEL type labels.* string -> integer",
        "",
    ),
    (
        "properties/either/anyOf",
        [{"type": "string"}, {"type": "integer"}, {"type": "boolean"}],
        "ADDITION alternatives either string or integer -> string or integer or boolean",
        f"{F}.either is string or integer or boolean",
    ),
    (
        "properties/deep",
        {"type": "array", "items": {"type": "array", "items": {"type": "array", "items": EITHER}}},
        "ADDITION added deep list of list of list of several types, optional",
        "",
    ),
    ("dependentRequired", {"note": ["unit"]}, "MODEL tightened the object note requires unit", ""),
    ("not", {"required": ["note", "unit"]}, "MODEL tightened the object not all of note, unit", ""),
]


@each(("path", "value", "text", "effect"), ONE_CHANGE)
def test_one_change(path: str, value: Any, text: str, effect: str, tmp_path: Path) -> None:
    (change,) = document_of(tmp_path, edited(path, value)).changes
    assert (f"{change.step.name} {change.kind} {change.text}", change.effect) == (text, effect)
    assert change.is_breaking == (
        change.step is Step.MODEL or effect.endswith(("is removed", "no longer a Timestamp"))
    )


A = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
B = {"type": "object", "properties": {"b": {"type": "string"}}, "required": ["b"]}
A_OR_B = f"ValueOption or {F}ValueOption"
TEXT, INTEGER, NULL = {"type": "string"}, {"type": "integer"}, {"type": "null"}

TYPE = "ADDITION value list of string ->"

ALTERNATIVES = [
    ({"anyOf": [A, B]}, {"oneOf": [A, B]}, f"MODEL value {A_OR_B} -> exactly one of {A_OR_B}"),
    ({"oneOf": [A, B]}, {"anyOf": [A, B]}, f"ADDITION value exactly one of {A_OR_B} -> {A_OR_B}"),
    (
        {"anyOf": [TEXT, {"type": "number"}]},
        {"anyOf": [TEXT]},
        "MODEL value string or number -> string",
    ),
    (
        {"anyOf": [{**TEXT, "maxLength": 5}, NULL]},
        {"type": ["null", "string"], "maxLength": 4},
        "MODEL value|1 maxLength 5 -> 4",
    ),
    (
        {"type": "object"},
        {"type": "object", "additionalProperties": False},
        "MODEL value additional properties: allowed -> forbidden",
    ),
    (
        {"type": "object", "additionalProperties": False},
        {"type": "object", "additionalProperties": TEXT},
        "ADDITION value additional properties: forbidden -> typed",
    ),
    (
        {"type": "array", "items": TEXT},
        {"type": ["array", "null"], "items": TEXT},
        f"{TYPE} list of string or null",
    ),
    (
        {"type": "array", "items": TEXT},
        {"type": ["array", "string"], "items": TEXT},
        f"{TYPE} list of string or string",
    ),
    # The same alternatives in other words.
    ({"enum": ["a", 1]}, {"oneOf": [{"const": 1}, {"const": "a"}]}, SAME),
    ({"anyOf": [TEXT, NULL]}, {"type": ["string", "null"]}, SAME),
    ({"anyOf": [TEXT, INTEGER]}, {"oneOf": [INTEGER, TEXT]}, SAME),
]


@each(("old", "new", "text"), ALTERNATIVES)
def test_alternatives(old: Any, new: Any, text: str, tmp_path: Path) -> None:
    found = values(tmp_path, old, new, "1-0-0" if text == SAME else "9-0-0")
    assert [f"{change.step.name} {change.text}" for change in found.changes] == [text]
    assert found.is_breaking == ("MODEL" in text)
    assert found.has_effect == (text != SAME)


def test_a_removed_and_an_added_property_of_one_type_and_similar_name_were_renamed(tmp_path: Path) -> None:
    content = edited("properties/noteText", {"type": "string"})
    del content["properties"]["note"]
    (change,) = document_of(tmp_path, content).changes
    assert (change.kind, change.text) == ("renamed?", "note -> noteText (string)")
    assert change.effect == f"{F}.note becomes {F}.note_text"


def test_a_renamed_property_with_the_same_name_in_python_has_no_effect_on_code(tmp_path: Path) -> None:
    old, new = (facet_file(properties={name: TEXT}, required=[]) for name in ("camelCase", "camel_case"))
    found = document(tmp_path, old, new)
    assert [(one.kind, one.effect) for one in found.changes] == [("renamed?", "")]


def test_a_property_that_was_only_required_is_compared_with_any_value(tmp_path: Path) -> None:
    new = edited("properties/ghost", {"type": "string"})
    for content in (old := copy.deepcopy(BEFORE), new):
        content["required"] = ["ghost"]
    (change,) = document(tmp_path, schema(old), schema(new, "2-0-0")).changes
    assert (change.kind, change.text, change.step) == ("type", "ghost any -> string", Step.MODEL)


def test_a_renamed_key_and_another_entity_are_breaking(tmp_path: Path) -> None:
    found = document(tmp_path, schema(BEFORE), schema(BEFORE, "2-0-0", "acmeCost", "JobFacet"))
    assert [(one.kind, one.text) for one in found.changes] == [
        ("key", "acme_cost -> acmeCost"),
        ("base", "the object extends RunFacet -> JobFacet"),
    ]
    assert found.is_breaking


def test_other_descriptions_are_no_difference(tmp_path: Path) -> None:
    new = schema(edited("properties/note/description", "A note."))
    assert difference(tmp_path, {FILE: schema(BEFORE)}, {FILE: new}) == Diff((), 1)


def test_a_nested_schema_moved_to_a_definition_changes_nothing_but_the_text(tmp_path: Path) -> None:
    new = schema(edited("properties/parts/items", {"$ref": "#/$defs/Part"}))
    new["$defs"]["Part"] = BEFORE["properties"]["parts"]["items"]
    (change,) = document(tmp_path, schema(BEFORE), new).changes
    assert f"{change.step.name} {change.text}" == SAME


def test_a_changed_structure_under_an_unchanged_id_is_an_error(tmp_path: Path) -> None:
    found = document_of(tmp_path, edited("properties/eur", {"type": "number"}), "1-0-0")
    assert found.version_problem == "the structure changed, but the $id did not: expected 1-0-1"
    assert found.is_breaking


VERSIONS = [
    ("1-0-0", "1-0-1", Step.ADDITION, ""),
    ("1-0-0", "1-1-0", Step.ADDITION, ""),
    ("1-0-0", "2-0-0", Step.MODEL, ""),
    ("1-2-3", "1-2-4", Step.MODEL, "an ADDITION step, but the change requires a MODEL step: expected 2-0-0"),
    ("1-2-3", "1-3-0", Step.MODEL, "a REVISION step, but the change requires a MODEL step: expected 2-0-0"),
    ("1-2-3", "1-2-2", Step.ADDITION, "the version goes back: expected 1-2-4"),
]


@each(("old", "new", "required", "problem"), VERSIONS)
def test_the_version_step_must_be_as_large_as_the_change_requires(
    old: str, new: str, required: Step, problem: str
) -> None:
    found = version_problem(URL.format(old), URL.format(new), required)
    assert found.removeprefix("changed by ") == problem


def test_another_id_with_the_same_version_is_no_step() -> None:
    old, new = URL.format("1-2-3"), "https://schemas.example.com/1-2-3/AcmeCostRunFacet.json"
    problem = "the structure changed, but the version did not: expected 1-2-4"
    assert version_problem(old, new, Step.ADDITION) == problem


SAME_CONSTRAINTS = [
    ({"type": "string"}, {"type": "string", "minLength": 0}),
    ({"type": "array", "minItems": 0}, {"type": "array"}),
    ({"type": "integer", "minimum": 0}, {"type": "integer", "exclusiveMinimum": -1}),
    ({"type": ["integer", "null"], "maximum": 9}, {"type": ["integer", "null"], "exclusiveMaximum": 10}),
    ({"type": "integer", "minimum": 1}, {"type": "integer", "minimum": 0.5}),
    ({"type": "array"}, {"type": "array", "items": {}}),
    ({"type": "array", "items": True}, {"type": "array", "items": {"description": "Anything."}}),
    ({"type": "object"}, {"type": "object", "additionalProperties": {}}),
    ({"type": "object", "required": ["a"]}, {"type": "object", "required": ["a"], "properties": {"a": {}}}),
    ({"type": ["number", "null"]}, {"type": ["null", "integer", "number"]}),
    *(
        ({"type": "object", **rule("a", "b")}, {"type": "object", **rule("b", "a")})
        for rule in (
            lambda *names: {"dependentRequired": {"c": [*names]}},
            lambda *names: {"not": {"required": [*names]}},
            lambda *names: {"oneOf": [{"required": [name]} for name in names]},
        )
    ),
]


def test_the_same_constraint_in_another_form_is_no_change(tmp_path: Path) -> None:
    found = all_values(tmp_path, [(*pair, "1-0-1") for pair in SAME_CONSTRAINTS])
    changed = {pair: one.changes for pair, one in found.items()}
    assert [pair for pair, changes in changed.items() if [one.kind for one in changes] != ["version"]] == []


def number(**bounds: int) -> dict[str, Any]:
    return {"type": "number", **bounds}


def known(*names: str, **keywords: Any) -> dict[str, Any]:
    """Return the schema of an object with properties that are strings."""
    return {"type": "object", "properties": dict.fromkeys(names, TEXT), **keywords}


def tagged(*tags: str) -> dict[str, Any]:
    """Return a choice of objects that differ in a required constant."""
    return {"oneOf": [{**known(), "properties": {"t": {"const": t}}, "required": ["t"]} for t in tags]}


LIST = {"type": "array", "minItems": 1}
OR_NULL = {"oneOf": [{**kind, "type": ["object", "null"]} for kind in tagged("a", "b")["oneOf"]]}
LETTERS = {"enum": ["a", "b"]}
CONSTANTS = {"oneOf": [{"const": "a"}, {"const": "b"}]}
NESTED: dict[str, Any] = INTEGER
for _ in range(5):
    NESTED = {"anyOf": [NESTED, NULL]}
CLOSED = {"additionalProperties": False}
PATTERN = {"type": "object", "patternProperties": {"^a": {}}, **CLOSED}
READERS, WRITERS = ("old readers",), ("old writers",)
BOTH = READERS + WRITERS

VALUES = [
    # old, new, step and kind of each change, who breaks
    # A wider type, and another change of the values that both types have.
    (TEXT, {"type": ["string", "null"], "minLength": 5}, ["ADDITION type", "MODEL tightened"], BOTH),
    (INTEGER, number(minimum=5), ["ADDITION type", "MODEL tightened"], BOTH),
    (INTEGER, number(minimum=5) | INTEGER, ["MODEL tightened"], WRITERS),
    ({**INTEGER, "minimum": 5}, number(exclusiveMinimum=4), ["ADDITION type"], READERS),
    ({"enum": ["a", "b"]}, {"enum": ["a", None]}, ["ADDITION type", "MODEL enum"], BOTH),
    (LIST, {"type": ["array", "null"], "minItems": 3}, ["ADDITION type", "MODEL tightened"], BOTH),
    (
        known("a"),
        {"anyOf": [known("a", required=["a"]), NULL]},
        ["ADDITION alternatives", "NONE class", "MODEL required"],
        BOTH,
    ),
    (TEXT, {"anyOf": [TEXT, NULL]}, ["ADDITION alternatives"], READERS),
    (INTEGER, {"anyOf": [number(), NULL]}, ["ADDITION alternatives", "ADDITION type"], READERS),
    ({}, {"anyOf": [TEXT, NULL]}, ["MODEL type"], WRITERS),
    ({"anyOf": [TEXT, NULL]}, {}, ["ADDITION type"], READERS),
    # Types that share nothing.
    (LIST, TEXT, ["MODEL type"], BOTH),
    # Objects with properties that may be null.
    (known("a"), known("a", type=["object", "null"]), ["ADDITION type"], READERS),
    (known("a", type=["object", "null"]), known("a"), ["MODEL type"], WRITERS),
    # Properties that the other version does not declare.
    (
        known(additionalProperties=TEXT),
        {"type": "object", "properties": {"b": INTEGER}, "additionalProperties": TEXT},
        ["ADDITION added", "MODEL type"],
        BOTH,
    ),
    (known(additionalProperties=TEXT), known("b", additionalProperties=TEXT), ["ADDITION added"], ()),
    (known("b", **CLOSED), known("a", "b", **CLOSED), ["ADDITION added"], READERS),
    (known("a", "b", **CLOSED), known("b", **CLOSED), ["MODEL removed"], BOTH),
    (known("a", "b"), known("b"), ["MODEL removed"], READERS),
    # Patterns of keys.
    (PATTERN, {"type": "object"}, ["ADDITION pattern"], READERS),
    ({"type": "object", **CLOSED}, PATTERN, ["ADDITION relaxed"], READERS),
    # Exclusive and inclusive bounds.
    (number(minimum=5), number(exclusiveMinimum=3), ["ADDITION relaxed"], READERS),
    (number(minimum=3), number(exclusiveMinimum=3), ["MODEL tightened"], WRITERS),
    (number(maximum=3), number(exclusiveMaximum=3), ["MODEL tightened"], WRITERS),
    (number(exclusiveMaximum=3), number(maximum=4), ["ADDITION relaxed"], READERS),
    # Rules, in any order.
    (
        known("a", "b", "c", dependentRequired={"a": ["b", "c"]}),
        known("a", "b", "c", dependentRequired={"a": ["b"]}),
        ["ADDITION relaxed"],
        READERS,
    ),
    # Alternatives that exclude each other, so that one more changes nothing for the others.
    (tagged("a", "b"), tagged("a", "b", "c"), ["ADDITION alternatives"], READERS),
    (tagged("a", "b", "c"), tagged("a", "b"), ["MODEL alternatives"], WRITERS),
    (tagged("a", "b"), {"oneOf": [*tagged("a", "b")["oneOf"], NULL]}, ["ADDITION alternatives"], READERS),
    # Alternatives in another order, whose classes are named in their order.
    (tagged("a", "b"), tagged("b", "a"), ["NONE class", "NONE class"], ()),
    (tagged("a", "b"), tagged("c", "a", "b"), ["ADDITION alternatives", "NONE class", "NONE class"], READERS),
    ({"anyOf": [known("a"), known("b")]}, {"anyOf": [known("b"), known("a")]}, ["NONE class"] * 2, ()),
    # Alternatives of which a value must match exactly one, and could match two.
    ({"oneOf": [A, B]}, {"oneOf": [known("a"), B]}, ["MODEL optional"], BOTH),
    ({"oneOf": [known("a"), B]}, {"oneOf": [A, B]}, ["MODEL required"], BOTH),
    ({"oneOf": [A, B, INTEGER]}, {"oneOf": [A, B, number()]}, ["ADDITION type"], READERS),
    ({"oneOf": [A, B]}, {"oneOf": [A, B, NULL]}, ["ADDITION alternatives"], READERS),
    ({"oneOf": [A, B, NULL]}, {"oneOf": [A, B]}, ["MODEL alternatives"], WRITERS),
    (OR_NULL, {"oneOf": [*OR_NULL["oneOf"], NULL]}, ["MODEL alternatives"], BOTH),
    ({"oneOf": [A, B]}, {"oneOf": [A, B, known("c")]}, ["MODEL alternatives"], BOTH),
    # An enumeration that is opened, or written as constants.
    (LETTERS, {"anyOf": [LETTERS, TEXT]}, ["ADDITION alternatives", "NONE class"], READERS),
    (CONSTANTS, {"anyOf": [*CONSTANTS["oneOf"], TEXT]}, ["ADDITION alternatives"], READERS),
    (LETTERS, CONSTANTS, ["NONE class"], ()),
    (LETTERS, {"anyOf": [LETTERS, {"const": "c"}]}, ["NONE class", "ADDITION enum"], READERS),
    ({"const": None}, NULL, ["NONE schema"], ()),
    # Fewer types.
    ({"type": ["string", "null"]}, TEXT, ["MODEL type"], WRITERS),
    (number(), INTEGER, ["MODEL type"], WRITERS),
    ({"type": ["string", "integer", "null"]}, {"type": ["string", "null"]}, ["MODEL type"], WRITERS),
    ({"anyOf": [TEXT, INTEGER]}, {"anyOf": [TEXT]}, ["MODEL alternatives"], WRITERS),
    (TEXT, NESTED, ["MODEL alternatives"], BOTH),
    # Other values of constraints that exclude each other.
    ({**TEXT, "pattern": "^a"}, {**TEXT, "pattern": "^b"}, ["MODEL pattern"], BOTH),
    ({**TEXT, "format": "uuid"}, {**TEXT, "format": "date-time"}, ["MODEL format"], BOTH),
]


def test_the_changes_of_a_value_and_whom_they_break(tmp_path: Path) -> None:
    versions = ("1-0-0" if kinds == ["NONE schema"] else "9-0-0" for _, _, kinds, _ in VALUES)
    rows = [(old, new, version) for (old, new, *_), version in zip(VALUES, versions, strict=True)]
    found = all_values(tmp_path, rows)
    assert {
        pair: ([f"{change.step.name} {change.kind}" for change in one.changes], one.breaks)
        for pair, one in found.items()
    } == {pair: (kinds, breaks) for pair, (_, _, kinds, breaks) in zip(found, VALUES, strict=True)}


def test_a_schema_that_is_used_twice_is_also_compared_where_exactly_one_alternative_must_match(
    tmp_path: Path,
) -> None:
    sides = []
    for used in (A, known("a")):
        side = schema(
            {"properties": {"one": {"$ref": "#/$defs/A"}, "two": {"oneOf": [{"$ref": "#/$defs/A"}, B]}}}
        )
        side["$defs"]["A"] = used
        sides.append(side)
    found = document(tmp_path, *sides)
    assert [(change.text, change.breaks) for change in found.changes] == [
        ("one.a is no longer required", READERS),
        ("two|1.a is no longer required", BOTH),
    ]
    assert REPORTS["text"](Diff((found,), 0)).count("acme_cost_run.A.a may be None") == 1


def test_many_removed_and_added_properties_are_not_compared_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schemas, "_MOST_NAMES", 3)
    found = values(tmp_path, known("name", "place"), known("names", "places"))
    assert {change.kind for change in found.changes} == {"removed", "added"}


def test_the_first_optional_property_of_a_base_is_an_addition(tmp_path: Path) -> None:
    old = schema({}, "1-0-0")
    old["$defs"][F] = {"allOf": [{"$ref": f"{CORE}#/$defs/RunFacet"}]}
    found = document(tmp_path, old, schema({"properties": {"usd": {"type": "number"}}}, "1-0-1"))
    assert not found.is_breaking
    assert [(change.kind, change.step) for change in found.changes] == [("added", Step.ADDITION)]


def test_a_version_that_goes_backwards_is_an_error_also_without_changes(tmp_path: Path) -> None:
    found = document(tmp_path, schema(BEFORE, "1-1-0"), schema(BEFORE, "1-0-0"))
    assert found.is_breaking
    assert found.version_problem == "the version goes back: expected 1-1-0 or a later one"


@each(("required", "breaks"), [([], READERS), (["usd", "note"], WRITERS), (["usd"], ())])
def test_a_report_names_whom_a_change_breaks(
    required: list[str], breaks: tuple[str, ...], tmp_path: Path
) -> None:
    found = document_of(tmp_path, edited("required", required))
    assert found.breaks == breaks
    assert ("    breaks   " in (text := REPORTS["text"](Diff((found,), 0)))) == bool(breaks)
    assert all(f"    breaks   {side}\n" in text for side in breaks)


def test_a_breaking_change_is_announced_by_a_new_model_number(tmp_path: Path) -> None:
    breaking = edited("properties/usd/minimum", 1)
    for version, is_unannounced in (("2-0-0", False), ("1-0-1", True), ("1-0-0", True)):
        found = document_of(tmp_path / version, breaking, version)
        assert found.is_breaking
        assert found.is_unannounced == is_unannounced


def test_an_annotation_names_the_line_of_the_change(tmp_path: Path) -> None:
    new = schema(edited(f"{NAME}/maxLength", 3), "2-0-0")
    text = json.dumps(new, indent=2, ensure_ascii=False)
    (found,) = difference(tmp_path, {FILE: schema(BEFORE)}, {FILE: text}).documents
    assert found.line is not None
    assert text.split("\n")[found.line - 1].strip() == '"name": {'
    assert f",line={found.line}::" in REPORTS["github"](Diff((found,), 0))


OTHER = {**schema(BEFORE, key="acme_other"), "$id": "https://acme.example.com/1-0-0/AcmeOtherRunFacet.json"}


def test_a_removed_file_is_breaking_and_a_new_one_is_not(tmp_path: Path) -> None:
    one, two = {FILE: schema(BEFORE), "AcmeOtherRunFacet.json": OTHER}, {"AcmeOtherRunFacet.json": OTHER}
    (removed,) = difference(tmp_path / "removed", one, two).documents
    (new,) = difference(tmp_path / "new", two, one).documents
    assert (removed.state, removed.is_breaking) == ("removed", True)
    assert removed.changes[0].text == "key acme_cost of Run"
    assert (new.state, new.is_breaking) == ("new", False)


def test_a_file_without_facets_that_is_removed_names_its_classes(tmp_path: Path) -> None:
    shared = {
        "$id": "https://acme.example.com/1-0-0/AcmeShared.json",
        "$defs": {"Money": {"type": "object", "properties": {"amount": {"type": "number"}}}},
    }
    old = {FILE: facet_file(), "AcmeShared.json": shared}
    (removed,) = difference(tmp_path, old, {FILE: facet_file()}).documents
    assert [one.effect for one in removed.changes] == ["acme_shared.Money is removed"]


def test_a_file_with_another_name_and_the_same_id_is_the_same_schema(tmp_path: Path) -> None:
    assert difference(tmp_path, {"cost.json": facet_file()}, {FILE: facet_file()}) == Diff((), 1)


def test_a_file_with_another_name_and_a_later_version_is_the_same_schema(tmp_path: Path) -> None:
    new = schema(edited("properties/eur", {"type": "number"}), "1-0-1")
    (found,) = difference(tmp_path, {"cost.json": schema(BEFORE)}, {FILE: new}).documents
    assert (found.state, found.old, found.new) == ("changed", "1-0-0", "1-0-1")


def test_two_files_are_compared_whatever_their_names_and_ids_are(tmp_path: Path) -> None:
    new = {**schema(BEFORE), "$id": "https://other.example.com/1-0-0/Cost.json"}
    write_schemas(tmp_path, {"one.json": schema(BEFORE), "two/other.json": new})
    sides = [
        SchemaVersion(load_extending(tmp_path / path, part_of_published()))
        for path in ("one.json", "two/other.json")
    ]
    (found,) = compare(*sides).documents
    assert (found.state, [change.kind for change in found.changes]) == ("changed", ["version"])


def test_removed_definitions_that_refer_to_each_other_are_reported(tmp_path: Path) -> None:
    old = schema(BEFORE)
    for name, other in (("Left", "Right"), ("Right", "Left")):
        old["$defs"][name] = {"type": "object", "properties": {"other": {"$ref": f"#/$defs/{other}"}}}
    found = document(tmp_path, old, schema(BEFORE, "2-0-0"))
    assert [change.text for change in found.changes] == ["definition Left", "definition Right"]
    assert found.breaks == READERS


def test_a_kind_of_event_that_the_core_no_longer_allows_is_breaking(tmp_path: Path) -> None:
    core = json.loads((ROOT / "spec" / "OpenLineage.json").read_text(encoding="utf-8"))
    cut = {**core, "oneOf": core["oneOf"][:1]}
    for old, new, step in ((core, cut, Step.MODEL), (cut, core, Step.ADDITION)):
        (found,) = difference(tmp_path / step.name, {CORE_FILE: old}, {CORE_FILE: new}).documents
        assert [(change.kind, change.step) for change in found.changes] == [("alternatives", step)]


UNIQUE = {"type": "array", "uniqueItems": True}
LENIENT = [
    # old, new, step and kind of each change, who breaks
    (known("a"), {"type": "object", "properties": {"a": TEXT, "list": UNIQUE}}, ["ADDITION added"], ()),
    ({"type": "array"}, UNIQUE, ["MODEL keyword"], WRITERS),
    (UNIQUE, {"type": "array"}, ["ADDITION keyword"], READERS),
    (UNIQUE, {"$ref": "#/$defs/List"}, ["NONE schema"], ()),
    ({"$ref": "#/definitions/List"}, {"$ref": "#/$defs/List"}, [], ()),
    ({"allOf": [{"type": "array"}, UNIQUE]}, UNIQUE, ["NONE schema"], ()),
    (known(maxProperties=3), known(maxProperties=4), ["ADDITION keyword"], READERS),
    (known(minProperties=3), known(minProperties=4), ["MODEL keyword"], WRITERS),
    (number(multipleOf=4), number(multipleOf=2), ["ADDITION keyword"], READERS),
    (number(multipleOf=2), number(multipleOf=4), ["MODEL keyword"], WRITERS),
    (number(multipleOf=4), number(multipleOf=3), ["MODEL keyword"], BOTH),
    (
        {"type": "array", "prefixItems": [TEXT]},
        {"type": "array", "prefixItems": [NULL]},
        ["MODEL keyword"],
        BOTH,
    ),
]


@each(("old", "new", "kinds", "breaks"), LENIENT)
def test_keywords_that_classes_do_not_enforce_are_compared_where_both_versions_have_the_schema(
    old: Any, new: Any, kinds: list[str], breaks: tuple[str, ...], tmp_path: Path
) -> None:
    sides = []
    for name, value in (("old", old), ("new", new)):
        written = schema({"properties": {"value": value}})
        written["$defs"]["List"] = UNIQUE
        text = json.dumps(written)
        if "#/definitions/" in text:
            text = text.replace("$defs", "definitions")
        folder = write_schemas(tmp_path / name, {FILE: text})
        sides.append(SchemaVersion(load_extending(folder, part_of_published(), lenient=True)))
    found = [change for one in compare(*sides).documents for change in one.changes]
    assert [f"{change.step.name} {change.kind}" for change in found] == kinds
    assert {side for change in found for side in change.breaks} == set(breaks)


@each("name", REPORTS)
def test_names_from_schemas_cannot_add_lines_to_a_report(name: str, tmp_path: Path) -> None:
    reports = [
        REPORTS[name](Diff((document_of(tmp_path / side, edited(f"properties/{x}", TEXT), "1-0-1"),), 0))
        for side, x in (("clean", "x"), ("hostile", "x\n::error::y\r| z"))
    ]
    assert len(reports[0].splitlines()) == len(reports[1].splitlines())


def test_an_annotation_of_a_removed_schema_names_no_file_of_the_checkout(tmp_path: Path) -> None:
    team = {"AcmeTeamRunFacet.json": facet_file("AcmeTeamRunFacet", "acme_team")}
    removed, new, _ = REPORTS["github"](difference(tmp_path, {FILE: facet_file()}, team)).splitlines()
    assert removed == (
        "::error::AcmeCostRunFacet 1-0-0; removed key acme_cost of Run; python AcmeCostRunFacet is removed"
    )
    assert new.startswith("::notice file=")


def with_person(name: str, **keywords: Any) -> dict[str, Any]:
    """Return the schema of a facet with an object of a definition with a name."""
    written = facet_file(properties={"who": {"$ref": f"#/$defs/{name}"}}, required=["who"])
    written["$defs"][name] = {"type": "object", "properties": {"name": {"type": "string"}}, **keywords}
    return written


def test_a_renamed_nested_class_breaks_python_code_but_no_event(tmp_path: Path) -> None:
    found = document(tmp_path, with_person("Who"), with_person("Person"))
    (change,) = found.changes
    assert (change.text, change.step) == ("who class acme_cost_run.Who -> acme_cost_run.Person", Step.NONE)
    assert change.effect == "acme_cost_run.Who becomes acme_cost_run.Person"
    assert found.is_breaking
    assert found.version_problem == ""


def test_effects_name_the_new_class_of_a_renamed_one(tmp_path: Path) -> None:
    found = document(tmp_path, with_person("Who", required=["name"]), with_person("Person"))
    assert [change.effect for change in found.changes] == [
        "acme_cost_run.Who becomes acme_cost_run.Person",
        "acme_cost_run.Person.name may be None",
    ]


def test_formats_that_only_describe_a_value_break_nobody_and_need_no_version(tmp_path: Path) -> None:
    old, new = copy.deepcopy(BEFORE), copy.deepcopy(BEFORE)
    for number, name in enumerate(("email", "date", "duration", "uri", "uri-reference", "made-up")):
        old["properties"][f"a{number}"] = {"type": "string", "format": name}
        new["properties"][f"a{number}"] = {"type": "string"}
    for side, (one, other) in {"removed": (old, new), "added": (new, old)}.items():
        found = document(tmp_path / side, schema(one), schema(other))
        assert (found.is_breaking, found.is_unannounced, found.breaks) == (False, False, ())
        assert {change.step for change in found.changes} == {Step.NONE}
        assert len(found.changes) == 6
