"""What counts as a change, which version step it requires and what it means for Python code."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from codegen.diff.change import Diff, DocumentDiff, Step, version_problem
from codegen.diff.documents import SchemaVersion, compare
from codegen.diff.report import REPORTS
from codegen.load import load_extending
from tests.cases import each
from tests.codegen.custom.facets import facet_file, write_schemas
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


def difference(folder: Path, old: Any, new: Any) -> Diff:
    return compare(loaded(folder / "old", json.dumps(old)), loaded(folder / "new", json.dumps(new)))


LOADED: dict[tuple[str, str], SchemaVersion] = {}
"""What was loaded, by the name of its folder and its text: most tests compare with the same schema."""


def loaded(folder: Path, text: str) -> SchemaVersion:
    if (folder.name, text) not in LOADED:
        folder.mkdir(parents=True)
        (folder / "AcmeCostRunFacet.json").write_text(text)
        LOADED[folder.name, text] = SchemaVersion(load_extending(folder, ROOT / "spec"))
    return LOADED[folder.name, text]


def document(folder: Path, new: Any, version: str = "9-0-0") -> DocumentDiff:
    (found,) = difference(folder, schema(BEFORE), schema(new, version)).documents
    return found


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
NO_UNIT = "acme_cost_run.Unit is removed"


@each(
    ("path", "value", "kind", "text", "step", "effect"),
    [
        ("properties/eur", {"type": "number"}, "added", "eur number, optional", Step.ADDITION, ""),
        ("properties/note", None, "removed", "note string", Step.MODEL, f"{F}.note is removed"),
        (
            "properties/count/type",
            "number",
            "type",
            "count integer -> number",
            Step.ADDITION,
            f"{F}.count is number",
        ),
        (
            "properties/count/type",
            "string",
            "type",
            "count integer -> string",
            Step.MODEL,
            f"{F}.count is string",
        ),
        (
            "properties/count/type",
            ["integer", "null"],
            "type",
            "count integer -> integer or null",
            Step.ADDITION,
            f"{F}.count may be None",
        ),
        ("properties/unit/enum", ["hour", "day", "week"], "enum", 'unit with "week"', Step.ADDITION, ""),
        ("properties/unit/enum", ["hour"], "enum", 'unit without "day"', Step.MODEL, NO_UNIT),
        ("properties/unit/enum", None, "enum", 'unit no longer only "hour", "day"', Step.ADDITION, NO_UNIT),
        (
            "properties/parts/items/properties/name/enum",
            ["a", "b"],
            "enum",
            'parts[].name only "a", "b"',
            Step.MODEL,
            "acme_cost_run.Part.name is acme_cost_run.Name",
        ),
        ("properties/usd/minimum", 1, "tightened", "usd minimum 0 -> 1", Step.MODEL, ""),
        ("properties/usd/minimum", -1, "relaxed", "usd minimum 0 -> -1", Step.ADDITION, ""),
        ("properties/note/maxLength", 5, "tightened", "note maxLength 10 -> 5", Step.MODEL, ""),
        ("properties/note/maxLength", None, "relaxed", "note maxLength 10 -> none", Step.ADDITION, ""),
        ("properties/note/pattern", "^a", "tightened", "note pattern none -> ^a", Step.MODEL, ""),
        ("properties/note/deprecated", True, "deprecated", "note", Step.ADDITION, ""),
        (
            "properties/at/format",
            None,
            "format",
            "at format date-time -> none",
            Step.ADDITION,
            f"{F}.at is a str, no longer a Timestamp",
        ),
        (
            "properties/note/format",
            "email",
            "format",
            "note format none -> email, which classes do not enforce",
            Step.NONE,
            "",
        ),
        (
            "properties/at/format",
            "date",
            "format",
            "at format date-time -> date",
            Step.ADDITION,
            f"{F}.at is a str, no longer a Timestamp",
        ),
        ("properties/note/format", "uuid", "format", "note format none -> uuid", Step.MODEL, ""),
        (
            "required",
            ["usd", "note"],
            "required",
            "note is now required",
            Step.MODEL,
            f"{F} requires the argument note",
        ),
        ("required", [], "optional", "usd is no longer required", Step.ADDITION, f"{F}.usd may be None"),
        (
            "properties/parts/items/properties/size",
            {"type": "integer"},
            "added",
            "parts[].size integer, optional",
            Step.ADDITION,
            "",
        ),
        (
            "properties/parts/items/required",
            [],
            "optional",
            "parts[].name is no longer required",
            Step.ADDITION,
            "acme_cost_run.Part.name may be None",
        ),
        (
            "properties/labels/additionalProperties/type",
            "integer",
            "type",
            "labels.* string -> integer",
            Step.MODEL,
            "",
        ),
        (
            "properties/either/anyOf",
            [{"type": "string"}, {"type": "integer"}, {"type": "boolean"}],
            "alternatives",
            "either string or integer -> string or integer or boolean",
            Step.ADDITION,
            "",
        ),
        (
            "dependentRequired",
            {"note": ["unit"]},
            "tightened",
            "the object note requires unit",
            Step.MODEL,
            "",
        ),
        (
            "not",
            {"required": ["note", "unit"]},
            "tightened",
            "the object not all of note, unit",
            Step.MODEL,
            "",
        ),
    ],
)
def test_one_change(
    path: str, value: Any, kind: str, text: str, step: Step, effect: str, tmp_path: Path
) -> None:
    (change,) = document(tmp_path, edited(path, value)).changes
    assert (change.kind, change.text, change.step, change.effect) == (kind, text, step, effect)
    assert change.is_breaking == (
        step is Step.MODEL or effect.endswith(("is removed", "no longer a Timestamp"))
    )


A = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
B = {"type": "object", "properties": {"b": {"type": "string"}}, "required": ["b"]}


@pytest.mark.parametrize(
    ("old", "new", "text", "step"),
    [
        (
            {"anyOf": [A, B]},
            {"oneOf": [A, B]},
            "thing ThingOption or AcmeCostRunFacetThingOption -> "
            "exactly one of ThingOption or AcmeCostRunFacetThingOption",
            Step.MODEL,
        ),
        (
            {"oneOf": [A, B]},
            {"anyOf": [A, B]},
            "thing exactly one of ThingOption or AcmeCostRunFacetThingOption -> "
            "ThingOption or AcmeCostRunFacetThingOption",
            Step.ADDITION,
        ),
        (
            {"anyOf": [{"type": "string"}, {"type": "number"}]},
            {"anyOf": [{"type": "string"}]},
            "thing string or number -> string",
            Step.MODEL,
        ),
        (
            {"anyOf": [{"type": "string", "maxLength": 5}, {"type": "null"}]},
            {"type": ["null", "string"], "maxLength": 4},
            "thing|1 maxLength 5 -> 4",
            Step.MODEL,
        ),
    ],
)
def test_alternatives(old: Any, new: Any, text: str, step: Step, tmp_path: Path) -> None:
    before, after = (schema({"properties": {"thing": thing}}) for thing in (old, new))
    after["$id"] = URL.format("9-0-0")
    (found,) = difference(tmp_path, before, after).documents
    assert [(change.text, change.step) for change in found.changes] == [(text, step)]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, {"type": ["string", "null"]}),
        (
            {"anyOf": [{"type": "string"}, {"type": "integer"}]},
            {"oneOf": [{"type": "integer"}, {"type": "string"}]},
        ),
    ],
)
def test_alternatives_in_other_words_are_no_change(old: Any, new: Any, tmp_path: Path) -> None:
    before, after = (schema({"properties": {"thing": thing}}) for thing in (old, new))
    (found,) = difference(tmp_path, before, after).documents
    assert [change.text for change in found.changes] == ["written in other words, with the same effect"]
    assert not found.is_breaking
    assert not found.has_effect


def test_a_removed_and_an_added_property_of_one_type_and_similar_name_were_renamed(tmp_path: Path) -> None:
    content = edited("properties/noteText", {"type": "string"})
    del content["properties"]["note"]
    (change,) = document(tmp_path, content).changes
    assert (change.kind, change.text) == ("renamed?", "note -> noteText (string)")
    assert change.effect == f"{F}.note becomes {F}.note_text"


def test_a_renamed_property_with_the_same_name_in_python_has_no_effect_on_code(tmp_path: Path) -> None:
    old, new = (
        facet_file(properties={name: {"type": "string"}}, required=[]) for name in ("camelCase", "camel_case")
    )
    (found,) = difference(tmp_path, old, new).documents
    assert [(one.kind, one.effect) for one in found.changes] == [("renamed?", "")]


def test_a_property_that_was_only_required_is_compared_with_any_value(tmp_path: Path) -> None:
    new = edited("properties/ghost", {"type": "string"})
    for content in (old := copy.deepcopy(BEFORE), new):
        content["required"] = ["ghost"]
    (found,) = difference(tmp_path, schema(old), schema(new, "2-0-0")).documents
    assert [(one.kind, one.text, one.step) for one in found.changes] == [
        ("type", "ghost any -> string", Step.MODEL)
    ]


def test_a_renamed_key_and_another_entity_are_breaking(tmp_path: Path) -> None:
    (found,) = difference(tmp_path, schema(BEFORE), schema(BEFORE, "2-0-0", "acmeCost", "JobFacet")).documents
    assert [(one.kind, one.text) for one in found.changes] == [
        ("key", "acme_cost -> acmeCost"),
        ("base", "the object extends RunFacet -> JobFacet"),
    ]
    assert found.is_breaking


def test_other_descriptions_are_no_difference(tmp_path: Path) -> None:
    new = schema(edited("properties/note/description", "A note."))
    assert difference(tmp_path, schema(BEFORE), new) == Diff((), 1)


def test_a_nested_schema_moved_to_a_definition_changes_nothing_but_the_text(tmp_path: Path) -> None:
    new = schema(BEFORE)
    facet = new["$defs"]["AcmeCostRunFacet"]["allOf"][1]
    new["$defs"]["Part"] = facet["properties"]["parts"]["items"]
    facet["properties"] = {
        **facet["properties"],
        "parts": {"type": "array", "items": {"$ref": "#/$defs/Part"}},
    }
    (found,) = difference(tmp_path, schema(BEFORE), new).documents
    assert [change.text for change in found.changes] == ["written in other words, with the same effect"]


def test_a_new_version_without_changes_is_noted(tmp_path: Path) -> None:
    (found,) = difference(tmp_path, schema(BEFORE), schema(BEFORE, "1-0-1")).documents
    assert [(one.kind, one.step) for one in found.changes] == [("version", Step.NONE)]
    assert not found.is_breaking


def test_a_changed_structure_under_an_unchanged_id_is_an_error(tmp_path: Path) -> None:
    (found,) = difference(
        tmp_path, schema(BEFORE), schema(edited("properties/eur", {"type": "number"}))
    ).documents
    assert found.version_problem == "the structure changed, but the $id did not: expected 1-0-1"
    assert found.is_breaking


@pytest.mark.parametrize(
    ("old", "new", "required", "problem"),
    [
        ("1-0-0", "1-0-1", Step.ADDITION, ""),
        ("1-0-0", "1-1-0", Step.ADDITION, ""),
        ("1-0-0", "2-0-0", Step.MODEL, ""),
        (
            "1-2-3",
            "1-2-4",
            Step.MODEL,
            "an ADDITION step, but the change requires a MODEL step: expected 2-0-0",
        ),
        (
            "1-2-3",
            "1-3-0",
            Step.MODEL,
            "a REVISION step, but the change requires a MODEL step: expected 2-0-0",
        ),
        ("1-2-3", "1-2-2", Step.ADDITION, "the version goes back: expected 1-2-4"),
    ],
)
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
]


@each(("old", "new"), SAME_CONSTRAINTS)
def test_the_same_constraint_in_another_form_is_no_change(old: Any, new: Any, tmp_path: Path) -> None:
    sides = [
        schema({"properties": {"value": one}}, version) for one, version in ((old, "1-0-0"), (new, "1-0-1"))
    ]
    (found,) = difference(tmp_path, *sides).documents
    assert [change.kind for change in found.changes] == ["version"]


def test_an_exclusive_bound_of_a_number_is_a_change(tmp_path: Path) -> None:
    sides = [
        schema({"properties": {"value": {"type": "number", **bound}}}, version)
        for bound, version in (({"minimum": 0}, "1-0-0"), ({"exclusiveMinimum": -1}, "2-0-0"))
    ]
    (found,) = difference(tmp_path, *sides).documents
    assert {change.kind for change in found.changes} == {"relaxed", "tightened"}


def test_the_first_optional_property_of_a_base_is_an_addition(tmp_path: Path) -> None:
    old = schema({}, "1-0-0")
    old["$defs"]["AcmeCostRunFacet"] = {"allOf": [{"$ref": f"{CORE}#/$defs/RunFacet"}]}
    (found,) = difference(
        tmp_path, old, schema({"properties": {"usd": {"type": "number"}}}, "1-0-1")
    ).documents
    assert not found.is_breaking
    assert [(change.kind, change.step) for change in found.changes] == [("added", Step.ADDITION)]


def test_a_version_that_goes_backwards_is_an_error_also_without_changes(tmp_path: Path) -> None:
    (found,) = difference(tmp_path, schema(BEFORE, "1-1-0"), schema(BEFORE, "1-0-0")).documents
    assert found.is_breaking
    assert found.version_problem == "the version goes back: expected 1-1-0 or a later one"


DIRECTIONS = [
    ("properties/more", {"type": "string"}, ()),
    ("required", [], ("old readers",)),
    ("required", ["usd", "note"], ("old writers",)),
    ("properties/unit/enum", ["hour", "day", "week"], ("old readers",)),
    ("properties/unit/enum", ["hour"], ("old writers",)),
    ("properties/count/type", "number", ("old readers",)),
    ("properties/count/type", "string", ("old readers", "old writers")),
    ("properties/usd/minimum", 1, ("old writers",)),
    ("properties/usd/minimum", -1, ("old readers",)),
]


@each(("path", "value", "breaks"), DIRECTIONS)
def test_a_change_breaks_old_readers_or_old_writers(
    path: str, value: Any, breaks: tuple[str, ...], tmp_path: Path
) -> None:
    found = document(tmp_path, edited(path, value))
    assert found.breaks == breaks
    line = f"    breaks   {', '.join(breaks)}\n"
    assert (line in REPORTS["text"](Diff((found,), 0))) == bool(breaks)


def test_a_breaking_change_is_announced_by_a_new_model_number(tmp_path: Path) -> None:
    breaking = edited("properties/usd/minimum", 1)
    for version, is_unannounced in (("2-0-0", False), ("1-0-1", True), ("1-0-0", True)):
        found = document(tmp_path / version, breaking, version)
        assert found.is_breaking
        assert found.is_unannounced == is_unannounced


def test_an_annotation_names_the_line_of_the_change(tmp_path: Path) -> None:
    new = schema(edited("properties/parts/items/properties/name/maxLength", 3), "2-0-0")
    for side, content in (("old", schema(BEFORE)), ("new", new)):
        (tmp_path / side).mkdir()
        text = json.dumps(content, indent=2, ensure_ascii=False)
        (tmp_path / side / "AcmeCostRunFacet.json").write_text(text)
    sides = [SchemaVersion(load_extending(tmp_path / side, ROOT / "spec")) for side in ("old", "new")]
    (found,) = compare(*sides).documents
    lines = text.split("\n")
    assert found.line is not None
    assert lines[found.line - 1].strip() == '"name": {'
    assert f",line={found.line}::" in REPORTS["github"](Diff((found,), 0))


def test_a_removed_file_is_breaking_and_a_new_one_is_not(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    (tmp_path / "one" / "AcmeCostRunFacet.json").write_text(json.dumps(schema(BEFORE)))
    for folder in ("one", "two"):
        other = schema(BEFORE, key="acme_other")
        other["$id"] = "https://acme.example.com/1-0-0/AcmeOtherRunFacet.json"
        (tmp_path / folder / "AcmeOtherRunFacet.json").write_text(json.dumps(other))
    one, two = (SchemaVersion(load_extending(tmp_path / side, ROOT / "spec")) for side in ("one", "two"))
    (removed,) = compare(one, two).documents
    (new,) = compare(two, one).documents
    assert (removed.state, removed.is_breaking) == ("removed", True)
    assert removed.changes[0].text == "key acme_cost of Run"
    assert (new.state, new.is_breaking) == ("new", False)


def test_a_file_without_facets_that_is_removed_names_its_classes(tmp_path: Path) -> None:
    shared = {
        "$id": "https://acme.example.com/1-0-0/AcmeShared.json",
        "$defs": {"Money": {"type": "object", "properties": {"amount": {"type": "number"}}}},
    }
    write_schemas(tmp_path / "old", {"AcmeCostRunFacet.json": facet_file(), "AcmeShared.json": shared})
    write_schemas(tmp_path / "new", {"AcmeCostRunFacet.json": facet_file()})
    sides = (SchemaVersion(load_extending(tmp_path / side, ROOT / "spec")) for side in ("old", "new"))
    (removed,) = compare(*sides).documents
    assert [one.effect for one in removed.changes] == ["acme_shared.Money is removed"]


def test_a_file_with_another_name_and_the_same_id_is_the_same_schema(tmp_path: Path) -> None:
    write_schemas(tmp_path / "old", {"cost.json": facet_file()})
    write_schemas(tmp_path / "new", {"AcmeCostRunFacet.json": facet_file()})
    sides = (SchemaVersion(load_extending(tmp_path / side, ROOT / "spec")) for side in ("old", "new"))
    assert compare(*sides) == Diff((), 1)


@pytest.mark.parametrize("name", REPORTS)
def test_names_from_schemas_cannot_add_lines_to_a_report(name: str, tmp_path: Path) -> None:
    clean = difference(
        tmp_path / "a", schema(BEFORE), schema(edited("properties/x", {"type": "string"}), "1-0-1")
    )
    hostile = "x\n::error::y\r| z"
    dirty = difference(
        tmp_path / "b", schema(BEFORE), schema(edited(f"properties/{hostile}", {"type": "string"}), "1-0-1")
    )
    report = REPORTS[name]
    assert len(report(dirty).splitlines()) == len(report(clean).splitlines())


def test_an_annotation_of_a_removed_schema_names_no_file_of_the_checkout(tmp_path: Path) -> None:
    write_schemas(tmp_path / "old", {"AcmeCostRunFacet.json": facet_file()})
    write_schemas(tmp_path / "new", {"AcmeTeamRunFacet.json": facet_file("AcmeTeamRunFacet", "acme_team")})
    sides = (SchemaVersion(load_extending(tmp_path / side, ROOT / "spec")) for side in ("old", "new"))
    removed, new, _ = REPORTS["github"](compare(*sides)).splitlines()
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
    found = difference(tmp_path, with_person("Who"), with_person("Person"))
    (change,) = found.documents[0].changes
    assert (change.text, change.step) == ("who class acme_cost_run.Who -> acme_cost_run.Person", Step.NONE)
    assert change.effect == "acme_cost_run.Who becomes acme_cost_run.Person"
    assert found.is_breaking
    assert found.documents[0].version_problem == ""


def test_effects_name_the_new_class_of_a_renamed_one(tmp_path: Path) -> None:
    (document,) = difference(tmp_path, with_person("Who", required=["name"]), with_person("Person")).documents
    assert [change.effect for change in document.changes] == [
        "acme_cost_run.Who becomes acme_cost_run.Person",
        "acme_cost_run.Person.name may be None",
    ]


def test_formats_that_only_describe_a_value_break_nobody_and_need_no_version(tmp_path: Path) -> None:
    old, new = copy.deepcopy(BEFORE), copy.deepcopy(BEFORE)
    for number, name in enumerate(("email", "date", "duration", "uri", "uri-reference", "made-up")):
        old["properties"][f"a{number}"] = {"type": "string", "format": name}
        new["properties"][f"a{number}"] = {"type": "string"}
    for side, (one, other) in {"removed": (old, new), "added": (new, old)}.items():
        (found,) = difference(tmp_path / side, schema(one), schema(other)).documents
        assert (found.is_breaking, found.is_unannounced, found.breaks) == (False, False, ())
        assert {change.step for change in found.changes} == {Step.NONE}
        assert len(found.changes) == 6
