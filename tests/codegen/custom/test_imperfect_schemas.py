"""Schemas as in practice: without `$id`, of other versions and drafts, or against the naming rules."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from codegen.custom_facets import CustomFacets, read_custom_facets, render_custom_facets
from codegen.errors import SchemaError
from codegen.new_facet import new_schema
from tests.codegen.custom.facets import CORE, PUBLISHED, facet_file, read, write_schemas
from tests.conftest import SHARED

pytestmark = pytest.mark.check

Schemas = dict[str, Any]


def errors(folder: Path, schemas: Schemas, **options: Any) -> list[str]:
    return [str(error) for error in read(folder, schemas, **options).errors]


def notes(folder: Path, schemas: Schemas, **options: Any) -> list[str]:
    custom = read(folder, schemas, **options)
    assert custom.errors == ()
    return [str(note) for note in custom.notes]


def without_id(schema: dict[str, Any]) -> dict[str, Any]:
    return {keyword: value for keyword, value in schema.items() if keyword != "$id"}


def modules(custom: CustomFacets) -> list[str]:
    return [module.name for module in custom.library.own_modules]


# -- supported ---------------------------------------------------------------------------------------


def test_a_schema_without_an_id_gets_one_below_the_id_base(tmp_path: Path) -> None:
    schemas = {"one/AcmeCostRunFacet.json": without_id(facet_file())}
    assert errors(tmp_path, schemas) == [
        "one/AcmeCostRunFacet.json#/$id: expected the absolute URL of this schema, found "
        "no '$id'; add it, or pass "
        "--id-base URL"
    ]
    custom = read(tmp_path, schemas, id_base="https://acme.example.com/1-0-0/")
    assert custom.errors == custom.notes == ()
    files = render_custom_facets(custom, "acme")
    url = "https://acme.example.com/1-0-0/one/AcmeCostRunFacet.json#/$defs/AcmeCostRunFacet"
    assert url in files["acme_cost_run.py"]


@pytest.mark.parametrize(
    "core",
    [
        "https://openlineage.io/spec/1-0-5/OpenLineage.json",
        "https://openlineage.io/spec/2-0-0/OpenLineage.json",
        "https://openlineage.io/spec/9-9-9/OpenLineage.json",
        "https://raw.githubusercontent.com/OpenLineage/OpenLineage/main/spec/OpenLineage.json",
        "https://github.com/OpenLineage/OpenLineage/blob/1.7.0/spec/OpenLineage.json",
        "../OpenLineage.json",
        "OpenLineage.json",
    ],
)
def test_the_core_of_any_version_is_ours_with_a_note(core: str, tmp_path: Path) -> None:
    schemas = {"AcmeCostRunFacet.json": facet_file(base=f"{core}#/$defs/RunFacet")}
    assert notes(tmp_path, schemas) == [f"AcmeCostRunFacet.json: refers to {core}; uses {CORE}"]


def test_a_published_facet_of_any_version_is_ours_with_a_note(tmp_path: Path) -> None:
    url = "https://openlineage.io/spec/facets/1-0-0/SQLJobFacet.json"
    schemas = {"AcmeCostRunFacet.json": facet_file(properties={"sql": {"$ref": f"{url}#/$defs/SQLJobFacet"}})}
    (note,) = notes(tmp_path, schemas)
    assert note.startswith(
        f"AcmeCostRunFacet.json: refers to {url}; uses https://openlineage.io/spec/facets/"
    )


def test_a_copy_of_a_published_schema_is_not_generated_again(tmp_path: Path) -> None:
    core = (PUBLISHED / "OpenLineage.json").read_text(encoding="utf-8")
    custom = read(tmp_path, {"OpenLineage.json": core, "AcmeCostRunFacet.json": facet_file()})
    assert modules(custom) == ["acme_cost_run"]
    assert [str(note) for note in custom.notes] == [
        f"OpenLineage.json: is published as {CORE}, which is used instead"
    ]


def test_draft_7_is_read(tmp_path: Path) -> None:
    schema = facet_file()
    schema["definitions"] = schema.pop("$defs")
    schema["properties"] = {"acme_cost": {"$ref": "#/definitions/AcmeCostRunFacet"}}
    schema["$schema"] = "http://json-schema.org/draft-07/schema#"
    assert notes(tmp_path, {"AcmeCostRunFacet.json": schema}) == []


def test_the_schema_url_of_a_draft_7_facet_is_that_of_its_definition(tmp_path: Path) -> None:
    schema = facet_file()
    schema["definitions"] = schema.pop("$defs")
    schema["properties"] = {"acme_cost": {"$ref": "#/definitions/AcmeCostRunFacet"}}
    custom = read(
        tmp_path, {"AcmeCostRunFacet.json": schema, "Two.json": facet_file("AcmeTwoRunFacet", "acme_two")}
    )
    files = render_custom_facets(custom, "acme")
    one, two = (files[f"{name}.py"].partition("__schema_url__")[2].split('"')[1] for name in modules(custom))
    assert one == f"{schema['$id']}#/definitions/AcmeCostRunFacet"
    assert two.endswith("/AcmeTwoRunFacet.json#/$defs/AcmeTwoRunFacet")


def test_a_note_about_draft_7_has_the_pointer_of_the_file(tmp_path: Path) -> None:
    schema = facet_file(properties={"a": {"type": "integer", "multipleOf": 5}, "b": {"format": "date"}})
    schema["definitions"] = schema.pop("$defs")
    schema["properties"] = {"acme_cost": {"$ref": "#/definitions/AcmeCostRunFacet"}}
    found = notes(tmp_path, {"AcmeCostRunFacet.json": schema}, lenient=True)
    place = "AcmeCostRunFacet.json#/definitions/AcmeCostRunFacet/allOf/1/properties"
    assert [note.partition(": ")[0] for note in found] == [f"{place}/a/multipleOf", f"{place}/b/format"]


def test_an_error_in_draft_7_has_the_pointer_of_the_file(tmp_path: Path) -> None:
    schema = facet_file(properties={"a": {"type": "string", "multipleOf": 5}})
    schema["definitions"] = schema.pop("$defs")
    (error,) = errors(tmp_path, {"AcmeCostRunFacet.json": schema})
    assert error.startswith(
        "AcmeCostRunFacet.json#/definitions/AcmeCostRunFacet/allOf/1/properties/a/multipleOf: "
    )


def test_only_the_newest_of_several_versions_can_be_generated(tmp_path: Path) -> None:
    versions = ("2-0-0", "1-0-1", "1-0-0")
    schemas = {f"{one}/AcmeCostRunFacet.json": facet_file(version=one) for one in versions}
    schemas["2-0-0/AcmeTeam.json"] = facet_file("AcmeTeamRunFacet", "acme_team")
    custom = read(tmp_path, schemas)
    assert [str(error) for error in custom.errors] == [
        f"{one}/AcmeCostRunFacet.json#/$id: version {one} of a schema of which 2-0-0/AcmeCostRunFacet.json "
        "is version 2-0-0; pass the folder of one version"
        for one in ("1-0-0", "1-0-1")
    ]
    assert modules(custom) == ["acme_cost_run", "acme_team"]
    url = "https://acme.example.com/schemas/2-0-0/AcmeCostRunFacet.json"
    assert url in render_custom_facets(custom, "acme")["acme_cost_run.py"]


def test_a_copy_of_a_schema_is_ignored_with_a_note(tmp_path: Path) -> None:
    schemas = {f"{one}/AcmeCostRunFacet.json": facet_file() for one in ("a", "b")}
    assert notes(tmp_path, schemas) == [
        "b/AcmeCostRunFacet.json: is a copy of a/AcmeCostRunFacet.json, which is used"
    ]
    schemas["b/AcmeCostRunFacet.json"]["$defs"]["AcmeCostRunFacet"]["description"] = "Another."
    (error,) = errors(tmp_path, schemas)
    assert error.endswith("is also the $id of a/AcmeCostRunFacet.json; change one of them")


def test_json_files_that_are_not_schemas_are_ignored_with_a_note(tmp_path: Path) -> None:
    schemas = {"AcmeCostRunFacet.json": facet_file(), "event.json": {"run": {}}, "list.json": "[1]"}
    assert notes(tmp_path, schemas) == [f"{tmp_path}: not a JSON Schema, ignored: event.json, and 1 other"]


@pytest.mark.parametrize(
    ("keyword", "value"),
    [
        ("multipleOf", 5),
        ("patternProperties", {"^a": {"type": "string"}}),
        ("if", {"required": ["a"]}),
        ("minProperties", 1),
    ],
)
def test_a_keyword_that_classes_cannot_enforce_needs_lenient(
    keyword: str, value: Any, tmp_path: Path
) -> None:
    schema = facet_file(properties={"a": {"type": "object", keyword: value}})
    where = f"AcmeCostRunFacet.json#/$defs/AcmeCostRunFacet/allOf/1/properties/a/{keyword}"
    assert errors(tmp_path, {"AcmeCostRunFacet.json": schema}) == [
        f"{where}: classes cannot enforce {keyword!r}; remove it, or pass --lenient to generate without it"
    ]
    assert notes(tmp_path, {"AcmeCostRunFacet.json": schema}, lenient=True) == [
        f"{where}: {keyword!r} is not enforced"
    ]


def test_a_closed_facet_needs_lenient(tmp_path: Path) -> None:
    schema = facet_file()
    schema["$defs"]["AcmeCostRunFacet"]["additionalProperties"] = False
    (error,) = errors(tmp_path, {"AcmeCostRunFacet.json": schema})
    assert error.startswith("AcmeCostRunFacet.json#/$defs/AcmeCostRunFacet/additionalProperties: ")
    assert notes(tmp_path, {"AcmeCostRunFacet.json": schema}, lenient=True) == [
        "AcmeCostRunFacet.json#/$defs/AcmeCostRunFacet/additionalProperties: "
        "'additionalProperties' is not enforced"
    ]


def test_one_invalid_file_does_not_affect_the_others(tmp_path: Path) -> None:
    custom = read(
        tmp_path,
        {
            "AcmeCostRunFacet.json": facet_file(),
            "AcmeBrokenRunFacet.json": "{",
            "AcmeOtherRunFacet.json": facet_file(
                "AcmeOtherRunFacet", "acme_other", properties={"a": {"type": "strng"}}
            ),
        },
    )
    assert [error.path for error in custom.errors] == ["AcmeBrokenRunFacet.json", "AcmeOtherRunFacet.json"]
    assert modules(custom) == ["acme_cost_run"]


# -- rejected ----------------------------------------------------------------------------------------


def test_a_facet_whose_entity_contradicts_its_name_and_whose_key_is_taken_has_two_errors(
    tmp_path: Path,
) -> None:
    schemas = {
        "AcmeCostRunFacet.json": facet_file(),
        "AcmeJobFacet.json": facet_file("AcmeJobFacet", "acme_cost"),
    }
    assert errors(tmp_path, schemas) == [
        "AcmeJobFacet.json#/$defs/AcmeJobFacet: AcmeJobFacet extends RunFacet; extend "
        "JobFacet, or rename it to "
        "end in RunFacet",
        "AcmeJobFacet.json#/properties/acme_cost: 'acme_cost' of RunFacet is the key of "
        "both AcmeJobFacet and "
        "AcmeCostRunFacet of AcmeCostRunFacet.json; use another key",
    ]


def test_the_valid_one_of_two_facets_with_one_key_is_kept(tmp_path: Path) -> None:
    schemas = {
        "AcmeAJobFacet.json": facet_file("AcmeAJobFacet", "acme_cost"),
        "AcmeCostRunFacet.json": facet_file(),
    }
    custom = read(tmp_path, schemas)
    assert [error.path for error in custom.errors] == ["AcmeAJobFacet.json", "AcmeAJobFacet.json"]
    assert modules(custom) == ["acme_cost_run"]


def test_a_facet_without_a_base_is_rejected(tmp_path: Path) -> None:
    schema = facet_file()
    del schema["$defs"]["AcmeCostRunFacet"]["allOf"][0]
    found = errors(tmp_path, {"AcmeCostRunFacet.json": schema})
    assert found[0] == (
        "AcmeCostRunFacet.json#/$defs/AcmeCostRunFacet: AcmeCostRunFacet extends no base "
        "facet; add a $ref to one "
        "such as RunFacet to 'allOf'"
    )


def test_formats_that_are_not_enforced_are_noted(tmp_path: Path) -> None:
    formats = ["date", "email", "datetime", "date-time", "uuid", "uri"]
    schema = facet_file(properties={one: {"type": "string", "format": one} for one in formats})
    place = "AcmeCostRunFacet.json#/$defs/AcmeCostRunFacet/allOf/1/properties"
    assert notes(tmp_path, {"AcmeCostRunFacet.json": schema}) == [
        f"{place}/date/format: the format 'date' is not enforced",
        f"{place}/email/format: the format 'email' is not enforced",
        f"{place}/datetime/format: the format 'datetime' is not enforced; did you mean 'date-time'?",
    ]


def test_required_properties_that_are_not_defined_are_noted(tmp_path: Path) -> None:
    schema = facet_file(properties={"amount": {"type": "number"}}, required=["amonut", "_producer"])
    assert notes(tmp_path, {"AcmeCostRunFacet.json": schema}) == [
        "AcmeCostRunFacet.json#/$defs/AcmeCostRunFacet/allOf/1/required: "
        "'amonut' is required but not among the properties; did you mean 'amount'?"
    ]


def test_bounds_that_exclude_every_value_are_rejected(tmp_path: Path) -> None:
    schema = facet_file(properties={"a": {"type": "number", "minimum": 5, "maximum": 3}})
    (error,) = errors(tmp_path, {"AcmeCostRunFacet.json": schema})
    assert error.endswith("/a/minimum: no value meets minimum 5 and maximum 3; change one of them")


def test_a_reference_to_a_missing_definition_of_the_specification_suggests_one(tmp_path: Path) -> None:
    schema = facet_file(properties={"job": {"$ref": f"{CORE}#/$defs/Jobs"}})
    (error,) = errors(tmp_path, {"AcmeCostRunFacet.json": schema})
    assert error.endswith("refers to a missing definition; did you mean 'Job'?")


def test_all_errors_of_all_files_are_reported(tmp_path: Path) -> None:
    broken = facet_file(
        properties={
            "a": {"type": "int", "minimum": 0},
            "b": {"type": "number", "multipleOf": 2},
            "c": {"$ref": "#/$defs/Missing"},
            "d": {"type": "array", "items": {"type": "string", "pattern": "(?=x)", "minLenght": 1}},
            "e": {"anyOf": [{"type": "string"}, {"type": "bool"}]},
        },
        required="b",
    )
    misnamed = facet_file("AcmeJobFacet", "acme_job", properties={"x": {"if": {}}})
    schemas = {
        "A.json": broken,
        "B.json": without_id(misnamed),
        "C.json": facet_file("AcmeOkRunFacet", "acme_ok"),
    }
    found = read(tmp_path, schemas)
    own = "A.json#/$defs/AcmeCostRunFacet/allOf/1"
    assert sorted(str(error).partition(": ")[0] for error in found.errors) == [
        f"{own}/properties/a/type",
        f"{own}/properties/b/multipleOf",
        f"{own}/properties/c/$ref",
        f"{own}/properties/d/items/minLenght",
        f"{own}/properties/d/items/pattern",
        f"{own}/properties/e/anyOf/1/type",
        f"{own}/required",
        "B.json#/$defs/AcmeJobFacet",
        "B.json#/$defs/AcmeJobFacet/allOf/1/properties/x/if",
        "B.json#/$id",
    ]
    assert modules(found) == ["c"]


def test_a_file_that_refers_to_one_with_errors_says_so(tmp_path: Path) -> None:
    broken = facet_file(properties={"a": {"type": "number", "multipleOf": 2}})
    url = f"{broken['$id']}#/$defs/AcmeCostRunFacet"
    other = facet_file("AcmeOtherRunFacet", "acme_other", properties={"cost": {"$ref": url}})
    found = errors(tmp_path, {"AcmeCostRunFacet.json": broken, "AcmeOtherRunFacet.json": other})
    assert found[1:] == [
        "AcmeOtherRunFacet.json#/$defs/AcmeOtherRunFacet/allOf/1/properties/cost/$ref: "
        "the file that this refers to has errors; correct it"
    ]


def test_a_file_has_at_most_a_hundred_errors(tmp_path: Path) -> None:
    many = facet_file(properties={f"p{number}": {"type": "number", "multipleOf": 2} for number in range(150)})
    assert len(errors(tmp_path, {"AcmeCostRunFacet.json": many})) == 100


OPEN = {"properties": {"usd": {"type": "number"}}, "additionalProperties": False}

LENIENT = [
    # own keywords, what is left out of them
    (OPEN, ["additionalProperties"]),
    ({**OPEN, "patternProperties": {"^x": {}}}, ["additionalProperties", "patternProperties"]),
    ({"properties": {"n": {"type": "integer", "multipleOf": 2}}}, ["properties/n/multipleOf"]),
    (
        {
            "properties": {
                "n": {"allOf": [{"type": "object", **OPEN}, {"type": "object", "properties": {"b": {}}}]}
            }
        },
        ["properties/n/allOf/0/additionalProperties"],
    ),
    (
        {"properties": {"n": {"type": "object", **OPEN, "patternProperties": {"^x": {}}}}},
        ["properties/n/additionalProperties", "properties/n/patternProperties"],
    ),
]


@pytest.mark.parametrize(("own", "dropped"), LENIENT)
def test_lenient_leaves_out_what_classes_cannot_enforce_in_every_part(
    own: dict[str, Any], dropped: list[str], tmp_path: Path
) -> None:
    schemas = {"AcmeCostRunFacet.json": facet_file(**own)}
    assert read(tmp_path, schemas).errors
    custom = read(tmp_path, schemas, lenient=True)
    assert custom.errors == ()
    found = {note.pointer for note in custom.notes if "is not enforced" in note.message}
    assert found == {f"/$defs/AcmeCostRunFacet/allOf/1/{one}" for one in dropped}


def test_a_byte_order_mark_is_ignored(tmp_path: Path) -> None:
    text = json.dumps(facet_file())
    assert read(tmp_path, {"AcmeCostRunFacet.json": f"\ufeff{text}"}).errors == ()


def test_a_new_schema_that_was_not_edited_has_notes_about_its_placeholders(tmp_path: Path) -> None:
    schema = new_schema("AcmeCost", "run", CORE, "https://acme.example.com/schemas")
    notes = read(tmp_path, {"AcmeCostRunFacet.json": json.dumps(schema)}).notes
    assert [str(note) for note in notes] == [
        "AcmeCostRunFacet.json#/$defs/AcmeCostRunFacet/description: a placeholder of the command new; "
        "describe the facet",
        "AcmeCostRunFacet.json#/$defs/AcmeCostRunFacet/allOf/1/properties: no properties yet; add those "
        "of the facet",
    ]


def test_a_facet_at_the_root_gets_the_key_that_new_would_write(tmp_path: Path) -> None:
    url = "https://acme.example.com/1-0-0/cost.json"
    root = {"$id": url, "title": "AcmeCloudCost", "allOf": [{"$ref": f"{CORE}#/$defs/RunFacet"}]}
    custom = read(tmp_path, {"cost.json": root})
    assert custom.errors == ()
    (module,) = custom.library.own_modules
    (facet,) = module.definitions
    assert (facet.name, facet.facet_key) == ("AcmeCloudCostRunFacet", "acme_cloudCost")
    assert facet.schema_url == "https://acme.example.com/1-0-0/cost.json"
    assert str(custom.notes[0]) == (
        "cost.json: no facet key; takes 'acme_cloudCost' from its name, define another one under 'properties'"
    )


@pytest.mark.parametrize(("name", "right"), [("AcmeCost", "AcmeCostRunFacet"), ("AcmeFacet", "AcmeRunFacet")])
def test_the_facet_of_a_key_ends_in_the_name_of_its_base(name: str, right: str, tmp_path: Path) -> None:
    assert errors(tmp_path, {"AcmeCost.json": facet_file(name)}) == [
        f"AcmeCost.json#/$defs/{name}: {name} extends RunFacet; rename it to end in RunFacet, as in {right}"
    ]


def test_an_object_inside_a_facet_may_have_any_name(tmp_path: Path) -> None:
    schema = facet_file(properties={"facet": {"$ref": "#/$defs/PartFacet"}})
    schema["$defs"]["PartFacet"] = {"type": "object", "properties": {"name": {"type": "string"}}}
    assert notes(tmp_path, {"AcmeCostRunFacet.json": schema}) == []


def test_a_facet_that_extends_only_the_root_base_is_rejected(tmp_path: Path) -> None:
    found = errors(tmp_path, {"AcmeCostRunFacet.json": facet_file(base=f"{CORE}#/$defs/BaseFacet")})
    assert found[0].endswith(": AcmeCostRunFacet extends BaseFacet; extend RunFacet")


def test_a_facet_with_two_bases_is_rejected(tmp_path: Path) -> None:
    schema = facet_file()
    schema["$defs"]["AcmeCostRunFacet"]["allOf"].append({"$ref": f"{CORE}#/$defs/JobFacet"})
    (error,) = errors(tmp_path, {"AcmeCostRunFacet.json": schema})
    assert error.startswith(
        "AcmeCostRunFacet.json#/properties/acme_cost: AcmeCostRunFacet must extend exactly one"
    )
    assert error.endswith("found RunFacet and JobFacet")


def test_files_that_refer_to_each_other_are_rejected(tmp_path: Path) -> None:
    urls = {name: facet_file(name)["$id"] + f"#/$defs/{name}" for name in ("AcmeARunFacet", "AcmeBRunFacet")}
    schemas = {
        f"{name}.json": facet_file(name, f"acme_{name[4].lower()}", properties={"x": {"$ref": urls[other]}})
        for name, other in (("AcmeARunFacet", "AcmeBRunFacet"), ("AcmeBRunFacet", "AcmeARunFacet"))
    }
    found = errors(tmp_path, schemas)
    assert found[0].startswith("AcmeARunFacet.json: files refer to each other: ")


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        ("https://acme.example.com/Nothing.json#/$defs/A", "refers to a schema outside the folder"),
        (
            f"{CORE}#/$defs/Nothing",
            "refers to a missing definition; refer to one that the specification defines",
        ),
        ("file:///etc/passwd", "refers to a schema outside the folder"),
    ],
)
def test_an_unresolvable_reference_is_rejected(reference: str, message: str, tmp_path: Path) -> None:
    schemas = {"AcmeCostRunFacet.json": facet_file(properties={"a": {"$ref": reference}})}
    (error,) = errors(tmp_path, schemas)
    assert error.startswith("AcmeCostRunFacet.json#/$defs/AcmeCostRunFacet/allOf/1/properties/a/$ref: ")
    assert message in error


def test_a_class_named_like_one_of_ours_is_rejected(tmp_path: Path) -> None:
    (error,) = errors(tmp_path, {"SQLJobFacet.json": facet_file("NominalTimeRunFacet", "acme_time")})
    assert "'NominalTimeRunFacet' is also defined in published/facets/NominalTimeRunFacet.json" in error


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("nominalTime", "is the key of both"),
        ("nominal_time", "is too similar to the published 'nominalTime'"),
    ],
)
def test_a_key_like_one_of_ours_is_rejected(key: str, message: str, tmp_path: Path) -> None:
    (error,) = errors(tmp_path, {"AcmeTimeRunFacet.json": facet_file("AcmeTimeRunFacet", key)})
    assert message in error


def test_two_files_with_one_id_are_rejected(tmp_path: Path) -> None:
    other = facet_file(properties={"eur": {"type": "number"}})
    (error,) = errors(tmp_path, {"a/One.json": facet_file(), "b/Two.json": other})
    assert error.startswith("b/Two.json#/$id: ")


def test_a_folder_without_schemas_is_rejected(tmp_path: Path) -> None:
    write_schemas(tmp_path, {"event.json": {"run": {}}})
    with pytest.raises(SchemaError, match="no JSON Schemas found"):
        read(tmp_path, {})
    with pytest.raises(SchemaError, match="no such file or folder"):
        read_custom_facets(tmp_path / "none", PUBLISHED)


# -- naming rules ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("schema", "note"),
    [
        (
            facet_file(key="cost"),
            "/properties/cost: the key 'cost' has no prefix; start it with one, as in 'acme_cost'",
        ),
        (
            facet_file(key="other_cost"),
            "/properties/other_cost: AcmeCostRunFacet does not start with the prefix of its "
            "key 'other_cost', Other",
        ),
        (
            facet_file(key=None),
            "/properties: no facet key, so parsers cannot recognise it; add one such as "
            "'acme_cost' with a $ref",
        ),
        (
            facet_file(version="main"),
            "/$id: https://acme.example.com/schemas/main/AcmeCostRunFacet.json may change; "
            "use a URL with a version "
            "such as 1-0-0, a tag or a commit",
        ),
    ],
)
def test_a_name_against_the_recommendations_is_noted(schema: Any, note: str, tmp_path: Path) -> None:
    assert notes(tmp_path, {"AcmeCostRunFacet.json": schema}) == [f"AcmeCostRunFacet.json#{note}"]


@pytest.mark.usefixtures("shared")
def test_published_facets_are_recognised_as_such(tmp_path: Path) -> None:
    text = (SHARED / "published" / "facets" / "1-0-0" / "SQLJobFacet.json").read_text(encoding="utf-8")
    custom = read(tmp_path, {"SQLJobFacet.json": text, "AcmeCostRunFacet.json": facet_file()})
    assert modules(custom) == ["acme_cost_run"]


def test_keywords_of_other_tools_and_next_to_branches_are_left_out_if_lenient(tmp_path: Path) -> None:
    branches = [{"maxLength": 3}, {"minLength": 7}]
    name = {"type": "string", "format": "uuid", "minLength": 1, "anyOf": branches, "javaType": "Name"}
    schemas = {"AcmeCostRunFacet.json": {**facet_file(properties={"name": name}), "self": {"vendor": "acme"}}}
    assert [one.partition(": ")[2] for one in errors(tmp_path / "strict", schemas)] == [
        "unknown keyword 'self'; remove it, or pass --lenient to generate without it",
        "unknown keyword 'javaType'; remove it, or pass --lenient to generate without it",
        "applies to every branch of a oneOf or anyOf; move it into the branches",
        "applies to every branch of a oneOf or anyOf; move it into the branches",
    ]
    assert [one.rpartition("/")[2] for one in notes(tmp_path / "lenient", schemas, lenient=True)] == [
        "format: 'format' is not enforced",
        "minLength: 'minLength' is not enforced",
        "javaType: 'javaType' is unknown and left out",
        "self: 'self' is unknown and left out",
    ]
    name["minLenght"] = name.pop("minLength")
    assert "did you mean 'minLength'?" in errors(tmp_path / "misspelled", schemas, lenient=True)[0]
