"""Schemas as in practice: without `$id`, of other versions and drafts, or against the naming rules."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from codegen.custom_facets import CustomFacets, read_custom_facets, render_custom_facets
from codegen.errors import SchemaError
from codegen.new_facet import new_schema
from tests.cases import each
from tests.codegen.custom.facets import CORE, PUBLISHED, facet_file, read, write_schemas
from tests.conftest import SHARED

pytestmark = pytest.mark.check

Schemas = dict[str, Any]

NAME = "AcmeCostRunFacet"
FILE = f"{NAME}.json"
FACET = f"{FILE}#/$defs/{NAME}"
OWN = f"{FACET}/allOf/1"
"""Where the own properties of a facet file are."""


def errors(folder: Path, schemas: Schemas, **options: Any) -> list[str]:
    return [str(error) for error in read(folder, schemas, **options).errors]


def notes(folder: Path, schemas: Schemas, **options: Any) -> list[str]:
    custom = read(folder, schemas, **options)
    assert custom.errors == ()
    return [str(note) for note in custom.notes]


def without_id(schema: Schemas) -> Schemas:
    return {keyword: value for keyword, value in schema.items() if keyword != "$id"}


def with_property(schema: Schemas) -> Schemas:
    """Return a facet file with a property `a`."""
    return facet_file(properties={"a": schema})


def in_draft_7(**properties: Any) -> Schemas:
    """Return a facet file with `definitions` instead of `$defs`."""
    schema = facet_file(**({"properties": properties} if properties else {}))
    schema["definitions"] = schema.pop("$defs")
    schema["properties"] = {"acme_cost": {"$ref": f"#/definitions/{NAME}"}}
    schema["$schema"] = "http://json-schema.org/draft-07/schema#"
    return schema


def changed(**keywords: Any) -> Schemas:
    """Return a facet file with other keywords of its definition."""
    schema = facet_file()
    schema["$defs"][NAME] |= keywords
    return schema


def inline(facet: Schemas) -> Schemas:
    """Return a facet file with another schema under its key, and an object to refer to."""
    schema = facet_file()
    schema["$defs"]["Part"] = {"type": "object", "properties": {"name": {"type": "string"}}}
    return {**schema, "properties": {"acme_cost": facet}}


def modules(custom: CustomFacets) -> list[str]:
    return [module.name for module in custom.library.own_modules]


# -- supported ---------------------------------------------------------------------------------------


def test_a_schema_without_an_id_gets_one_below_the_id_base(tmp_path: Path) -> None:
    schemas = {f"one/{FILE}": without_id(facet_file())}
    assert errors(tmp_path, schemas) == [
        f"one/{FILE}#/$id: expected the absolute URL of this schema, found no '$id'; add it, or pass "
        "--id-base URL"
    ]
    custom = read(tmp_path, schemas, id_base="https://acme.example.com/1-0-0/")
    assert custom.errors == custom.notes == ()
    files = render_custom_facets(custom, "acme")
    url = "https://acme.example.com/1-0-0/one/AcmeCostRunFacet.json#/$defs/AcmeCostRunFacet"
    assert url in files["acme_cost_run.py"]


CORES = [
    "https://openlineage.io/spec/1-0-5/OpenLineage.json",
    "https://openlineage.io/spec/2-0-0/OpenLineage.json",
    "https://openlineage.io/spec/9-9-9/OpenLineage.json",
    "https://raw.githubusercontent.com/OpenLineage/OpenLineage/main/spec/OpenLineage.json",
    "https://github.com/OpenLineage/OpenLineage/blob/1.7.0/spec/OpenLineage.json",
    "../OpenLineage.json",
    "OpenLineage.json",
]


@each("core", CORES)
def test_the_core_of_any_version_is_ours_with_a_note(core: str, tmp_path: Path) -> None:
    schemas = {FILE: facet_file(base=f"{core}#/$defs/RunFacet")}
    assert notes(tmp_path, schemas) == [f"{FILE}: refers to {core}; uses {CORE}"]


def test_a_published_facet_of_any_version_is_ours_with_a_note(tmp_path: Path) -> None:
    url = "https://openlineage.io/spec/facets/1-0-0/SQLJobFacet.json"
    (note,) = notes(tmp_path, {FILE: with_property({"$ref": f"{url}#/$defs/SQLJobFacet"})})
    assert note.startswith(f"{FILE}: refers to {url}; uses https://openlineage.io/spec/facets/")


def test_a_copy_of_a_published_schema_is_not_generated_again(tmp_path: Path) -> None:
    core = (PUBLISHED / "OpenLineage.json").read_text(encoding="utf-8")
    custom = read(tmp_path, {"OpenLineage.json": core, FILE: facet_file()})
    assert modules(custom) == ["acme_cost_run"]
    assert [str(note) for note in custom.notes] == [
        f"OpenLineage.json: is published as {CORE}, which is used instead"
    ]


def test_a_mirror_of_the_core_is_ours(tmp_path: Path) -> None:
    core = json.loads((PUBLISHED / "OpenLineage.json").read_text(encoding="utf-8"))
    mirror = "https://mirror.acme.com/openlineage/OpenLineage.json"
    schemas = {
        "OpenLineage.json": {**core, "$id": mirror},
        FILE: facet_file(base=f"{mirror}#/$defs/RunFacet"),
    }
    assert notes(tmp_path, schemas) == [f"OpenLineage.json: is published as {CORE}, which is used instead"]


def test_a_facet_may_be_in_a_file_with_the_name_of_the_core(tmp_path: Path) -> None:
    custom = read(tmp_path, {"OpenLineage.json": facet_file()})
    assert (custom.errors, custom.notes, modules(custom)) == ((), (), ["open_lineage"])
    (facet,) = custom.library.own_modules[0].definitions
    assert facet.facet_key == "acme_cost"


def test_a_key_may_describe_its_facet(tmp_path: Path) -> None:
    described = {"allOf": [{"$ref": f"#/$defs/{NAME}"}], "description": "The cost."}
    assert notes(tmp_path, {FILE: {**facet_file(), "properties": {"acme_cost": described}}}) == []


@each("keyword", ["id", "$id"])
def test_a_fragment_as_id_is_an_anchor_in_older_drafts(keyword: str, tmp_path: Path) -> None:
    schema = in_draft_7(a={"$ref": "#w", keyword: "#/properties/a"})
    schema["definitions"]["W"] = {keyword: "#w", "type": "string"}
    assert notes(tmp_path, {FILE: schema}) == []


def test_definitions_may_be_under_both_keywords(tmp_path: Path) -> None:
    part = {"$ref": "#/definitions/Part"}
    schema = facet_file(properties={"part": part, "same": {"$ref": "#/$defs/Part"}})
    schema["definitions"] = {"Part": {"type": "object", "properties": {"day": {"type": "string"}}}}
    assert notes(tmp_path / "valid", {FILE: schema}) == []
    schema["definitions"]["Part"]["properties"]["day"]["format"] = "date"
    (note,) = notes(tmp_path / "format", {FILE: schema})
    assert note.startswith(f"{FILE}#/definitions/Part/properties/day/format: ")


@pytest.mark.usefixtures("shared")
def test_published_facets_are_recognised_as_such(tmp_path: Path) -> None:
    text = (SHARED / "published" / "facets" / "1-0-0" / "SQLJobFacet.json").read_text(encoding="utf-8")
    assert modules(read(tmp_path, {"SQLJobFacet.json": text, FILE: facet_file()})) == ["acme_cost_run"]


def test_the_schema_url_of_a_draft_7_facet_is_that_of_its_definition(tmp_path: Path) -> None:
    two = facet_file("AcmeTwoRunFacet", "acme_two")
    custom = read(tmp_path, {FILE: in_draft_7(), "Two.json": two})
    assert custom.notes == custom.errors == ()
    files = render_custom_facets(custom, "acme")
    assert [files[f"{name}.py"].partition("__schema_url__")[2].split('"')[1] for name in modules(custom)] == [
        f"{in_draft_7()['$id']}#/definitions/{NAME}",
        f"{two['$id']}#/$defs/AcmeTwoRunFacet",
    ]


def test_notes_and_errors_about_draft_7_have_the_pointer_of_the_file(tmp_path: Path) -> None:
    schemas = {FILE: in_draft_7(a={"type": "integer", "multipleOf": 5}, b={"format": "date"})}
    place = f"{FILE}#/definitions/{NAME}/allOf/1/properties"
    found = [note.partition(": ")[0] for note in notes(tmp_path, schemas, lenient=True)]
    assert found == [f"{place}/a/multipleOf", f"{place}/b/format"]
    (error,) = errors(tmp_path, schemas)
    assert error.startswith(f"{place}/a/multipleOf: ")


def test_only_the_newest_of_several_versions_can_be_generated(tmp_path: Path) -> None:
    schemas = {f"{version}/{FILE}": facet_file(version=version) for version in ("2-0-0", "1-0-1", "1-0-0")}
    schemas["2-0-0/AcmeTeam.json"] = facet_file("AcmeTeamRunFacet", "acme_team")
    custom = read(tmp_path, schemas)
    assert [str(error) for error in custom.errors] == [
        f"{version}/{FILE}#/$id: version {version} of a schema of which 2-0-0/{FILE} "
        "is version 2-0-0; pass the folder of one version"
        for version in ("1-0-0", "1-0-1")
    ]
    assert modules(custom) == ["acme_cost_run", "acme_team"]
    url = f"https://acme.example.com/schemas/2-0-0/{FILE}"
    assert url in render_custom_facets(custom, "acme")["acme_cost_run.py"]


def test_a_copy_of_a_schema_is_ignored_with_a_note(tmp_path: Path) -> None:
    schemas = {f"a/{FILE}": facet_file(), f"b/{FILE}": facet_file()}
    assert notes(tmp_path, schemas) == [f"b/{FILE}: is a copy of a/{FILE}, which is used"]
    schemas[f"b/{FILE}"]["$defs"][NAME]["description"] = "Another."
    (error,) = errors(tmp_path, schemas)
    assert error.startswith(f"b/{FILE}#/$id: ")
    assert error.endswith(f"is also the $id of a/{FILE}; change one of them")


def test_json_files_that_are_not_schemas_are_ignored_with_a_note(tmp_path: Path) -> None:
    schemas = {FILE: facet_file(), "event.json": {"run": {}}, "list.json": "[1]"}
    assert notes(tmp_path, schemas) == [f"{tmp_path}: not a JSON Schema, ignored: event.json, and 1 other"]


def test_a_byte_order_mark_is_ignored(tmp_path: Path) -> None:
    assert errors(tmp_path, {FILE: f"\ufeff{json.dumps(facet_file())}"}) == []


def test_a_facet_at_the_root_gets_the_key_that_new_would_write(tmp_path: Path) -> None:
    url = "https://acme.example.com/1-0-0/cost.json"
    root = {"$id": url, "title": "AcmeCloudCost", "allOf": [{"$ref": f"{CORE}#/$defs/RunFacet"}]}
    custom = read(tmp_path, {"cost.json": root})
    assert custom.errors == ()
    (module,) = custom.library.own_modules
    (facet,) = module.definitions
    assert (facet.name, facet.facet_key) == ("AcmeCloudCostRunFacet", "acme_cloudCost")
    assert facet.schema_url == url
    assert str(custom.notes[0]) == (
        "cost.json: no facet key; takes 'acme_cloudCost' from its name, define another one under 'properties'"
    )


def test_a_property_may_have_a_thousand_alternatives(tmp_path: Path) -> None:
    custom = read(tmp_path, {FILE: with_property({"anyOf": [{"const": number} for number in range(1000)]})})
    assert custom.errors == ()
    assert "Literal[999]" in render_custom_facets(custom, "acme")["acme_cost_run.py"]


def test_an_object_inside_a_facet_may_have_any_name(tmp_path: Path) -> None:
    schema = with_property({"$ref": "#/$defs/PartFacet"})
    schema["$defs"]["PartFacet"] = {"type": "object", "properties": {"name": {"type": "string"}}}
    assert notes(tmp_path, {FILE: schema}) == []


# -- keywords that classes cannot enforce ------------------------------------------------------------


@each(
    ("schema", "message"),
    [
        ({"type": "integer", "multipleOf": 5}, ""),
        ({"type": "object", "patternProperties": {"^a": {"type": "string"}}}, ""),
        ({"type": "object", "if": {"required": ["a"]}}, ""),
        ({"type": "array", "uniqueItems": True}, ""),
        ({"type": "string", "pattern": "(?=a)"}, "unsupported regular expression '(?=a)': "),
        ({"type": "object", "not": {"type": "string"}}, "unknown construct; only "),
        ({"type": "array", "items": [{"type": "string"}]}, "expected a schema, "),
        ({"type": "object", "dependencies": {"a": {"required": ["b"]}}}, "unknown keyword "),
    ],
)
def test_a_keyword_that_classes_cannot_enforce_needs_lenient(
    schema: Schemas, message: str, tmp_path: Path
) -> None:
    keyword = [*schema][1]
    schemas = {FILE: with_property(schema)}
    where = f"{OWN}/properties/a/{keyword}"
    (error,) = errors(tmp_path, schemas)
    fix = f"classes cannot enforce {keyword!r}; remove it, or pass --lenient to generate without it"
    assert error.startswith(f"{where}: {message or fix}")
    assert notes(tmp_path, schemas, lenient=True) == [f"{where}: {keyword!r} is not enforced"]


def test_a_closed_facet_needs_lenient(tmp_path: Path) -> None:
    schemas = {FILE: changed(additionalProperties=False)}
    (error,) = errors(tmp_path, schemas)
    assert error.startswith(f"{FACET}/additionalProperties: ")
    assert notes(tmp_path, schemas, lenient=True) == [
        f"{FACET}/additionalProperties: 'additionalProperties' is not enforced"
    ]


OPEN = {"properties": {"usd": {"type": "number"}}, "additionalProperties": False}
PARTS = [{"type": "object", **OPEN}, {"type": "object", "properties": {"b": {}}}]

LENIENT = [
    # own keywords, what is left out of them
    (OPEN, ["additionalProperties"]),
    ({**OPEN, "patternProperties": {"^x": {}}}, ["additionalProperties", "patternProperties"]),
    ({"properties": {"n": {"type": "integer", "multipleOf": 2}}}, ["properties/n/multipleOf"]),
    ({"properties": {"n": {"allOf": PARTS}}}, ["properties/n/allOf/0/additionalProperties"]),
    (
        {"properties": {"n": {"type": "object", **OPEN, "patternProperties": {"^x": {}}}}},
        ["properties/n/additionalProperties", "properties/n/patternProperties"],
    ),
]


@each(("own", "dropped"), LENIENT)
def test_lenient_leaves_out_what_classes_cannot_enforce_in_every_part(
    own: Schemas, dropped: list[str], tmp_path: Path
) -> None:
    schemas = {FILE: facet_file(**own)}
    assert errors(tmp_path, schemas)
    custom = read(tmp_path, schemas, lenient=True)
    assert custom.errors == ()
    found = {note.pointer for note in custom.notes if "is not enforced" in note.message}
    assert found == {f"/$defs/{NAME}/allOf/1/{one}" for one in dropped}


def test_what_classes_enforce_is_no_matter_of_lenience(tmp_path: Path) -> None:
    closed = {"type": "object", "properties": {}, "not": {"required": ["b"]}, "additionalProperties": False}
    for schema in ({"type": "string", "pattern": "^a"}, closed):
        assert notes(tmp_path, {FILE: with_property(schema)}, lenient=True) == []


def test_keywords_of_other_tools_and_next_to_branches_are_left_out_if_lenient(tmp_path: Path) -> None:
    branches = [{"maxLength": 3}, {"minLength": 7}]
    name = {"type": "string", "format": "uuid", "minLength": 1, "anyOf": branches, "javaType": "Name"}
    schemas = {FILE: {**with_property(name), "self": {"vendor": "acme"}}}
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


# -- rejected ----------------------------------------------------------------------------------------

MISSING = "/a/$ref: $ref {!r} refers to a missing definition; {}"
OUTSIDE = "/a/$ref: $ref {!r} refers to a schema outside the folder; add the file, or refer to another"

HAS_NUMBER, HAS_TEXT = (
    {"type": "object", "properties": {"n": {"type": kind}}} for kind in ("integer", "string")
)

REJECTED = [
    # schemas, the error: all of it, or its end
    (
        {FILE: facet_file(base=f"{CORE}#/$defs/BaseFacet")},
        f"{FACET}: {NAME} extends BaseFacet; extend RunFacet",
    ),
    (
        {FILE: changed(allOf=[{"type": "object", "properties": {}}])},
        f"{FACET}: {NAME} extends no base facet; add a $ref to one such as RunFacet to 'allOf'",
    ),
    (
        {FILE: changed(allOf=[{"$ref": f"{CORE}#/$defs/{base}"} for base in ("RunFacet", "JobFacet")])},
        f"{FILE}#/properties/acme_cost: {NAME} must extend exactly one of RunFacet, JobFacet, DatasetFacet, "
        "InputDatasetFacet, OutputDatasetFacet; found RunFacet and JobFacet",
    ),
    (
        {"AcmeCost.json": facet_file("AcmeCost")},
        "AcmeCost.json#/$defs/AcmeCost: AcmeCost extends RunFacet; rename it to end in RunFacet, as in "
        "AcmeCostRunFacet",
    ),
    (
        {"AcmeCost.json": facet_file("AcmeFacet")},
        "AcmeCost.json#/$defs/AcmeFacet: AcmeFacet extends RunFacet; rename it to end in RunFacet, as in "
        "AcmeRunFacet",
    ),
    (
        {FILE: with_property({"type": "number", "minimum": 5, "maximum": 3})},
        f"{OWN}/properties/a/minimum: no value meets minimum 5 and maximum 3; change one of them",
    ),
    (
        {FILE: with_property({"type": "object", "allOf": [HAS_NUMBER, HAS_TEXT]})},
        f"{OWN}/properties/a/allOf/1/properties/n: differs from {OWN.removeprefix(f'{FILE}#')}/properties/a/"
        "allOf/0/properties/n; define the property once",
    ),
    (
        {FILE: with_property({"$ref": f"{CORE}#/$defs/Jobs"})},
        MISSING.format(f"{CORE}#/$defs/Jobs", "did you mean 'Job'?"),
    ),
    (
        {FILE: with_property({"$ref": f"{CORE}#/$defs/Nothing"})},
        MISSING.format(f"{CORE}#/$defs/Nothing", "refer to one that the specification defines"),
    ),
    *(
        ({FILE: with_property({"$ref": url})}, OUTSIDE.format(url))
        for url in ("https://acme.example.com/Nothing.json#/$defs/A", "file:///etc/passwd")
    ),
    (
        {"SQLJobFacet.json": facet_file("NominalTimeRunFacet", "acme_time")},
        "'NominalTimeRunFacet' is also defined in published/facets/NominalTimeRunFacet.json; rename one of "
        "them",
    ),
    (
        {"AcmeTimeRunFacet.json": facet_file("AcmeTimeRunFacet", "nominalTime")},
        "'nominalTime' of RunFacet is the key of both AcmeTimeRunFacet and NominalTimeRunFacet of "
        "published/facets/NominalTimeRunFacet.json; use another key",
    ),
    (
        {"AcmeTimeRunFacet.json": facet_file("AcmeTimeRunFacet", "nominal_time")},
        "the key 'nominal_time' is too similar to the published 'nominalTime'; rename it",
    ),
    (
        {FILE: with_property({"anyOf": [{"const": number} for number in range(1001)]})},
        f"{OWN}/properties/a/anyOf: expected at most 1000 alternatives, found 1001; move some of them into a "
        "definition with its own anyOf",
    ),
    (
        {
            FILE: inline(
                {
                    "allOf": [
                        {"$ref": f"{CORE}#/$defs/RunFacet"},
                        {"type": "object", "properties": {"part": {"$ref": "#/$defs/Part"}}},
                    ]
                }
            )
        },
        f"{FILE}#/properties/acme_cost: expected a $ref to the facet with this key",
    ),
]


@each(("schemas", "message"), REJECTED, ids=lambda value: value if isinstance(value, str) else "schemas")
def test_a_schema_is_rejected_with_place_and_fix(schemas: Schemas, message: str, tmp_path: Path) -> None:
    first, *others = errors(tmp_path, schemas)
    assert first.endswith(message)
    assert [one for one in others if "must extend exactly one of" not in one] == []


def test_one_invalid_file_does_not_affect_the_others(tmp_path: Path) -> None:
    other = facet_file("AcmeOtherRunFacet", "acme_other", properties={"a": {"type": "strng"}})
    schemas = {FILE: facet_file(), "AcmeBrokenRunFacet.json": "{", "AcmeOtherRunFacet.json": other}
    custom = read(tmp_path, schemas)
    assert [error.path for error in custom.errors] == ["AcmeBrokenRunFacet.json", "AcmeOtherRunFacet.json"]
    assert modules(custom) == ["acme_cost_run"]


@each("name", ["AcmeJobFacet", "AcmeAJobFacet"])
def test_of_two_facets_with_one_key_the_valid_one_is_kept_in_any_order(name: str, tmp_path: Path) -> None:
    custom = read(tmp_path, {FILE: facet_file(), f"{name}.json": facet_file(name, "acme_cost")})
    assert [str(error) for error in custom.errors] == [
        f"{name}.json#/$defs/{name}: {name} extends RunFacet; extend JobFacet, or rename it to end in "
        "RunFacet",
        f"{name}.json#/properties/acme_cost: 'acme_cost' of RunFacet is the key of both {name} and "
        f"{NAME} of {FILE}; use another key",
    ]
    assert modules(custom) == ["acme_cost_run"]


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
    ok = facet_file("AcmeOkRunFacet", "acme_ok")
    found = read(tmp_path, {"A.json": broken, "B.json": without_id(misnamed), "C.json": ok})
    own = f"A.json#/$defs/{NAME}/allOf/1"
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
    broken = with_property({"type": "number", "multipleOf": 2})
    url = f"{broken['$id']}#/$defs/{NAME}"
    other = facet_file("AcmeOtherRunFacet", "acme_other", properties={"cost": {"$ref": url}})
    assert errors(tmp_path, {FILE: broken, "AcmeOtherRunFacet.json": other})[1:] == [
        "AcmeOtherRunFacet.json#/$defs/AcmeOtherRunFacet/allOf/1/properties/cost/$ref: "
        "the file that this refers to has errors; correct it"
    ]


def test_a_file_has_at_most_a_hundred_errors(tmp_path: Path) -> None:
    many = facet_file(properties={f"p{number}": {"type": "number", "multipleOf": 2} for number in range(150)})
    assert len(errors(tmp_path, {FILE: many})) == 100


def test_files_that_refer_to_each_other_are_rejected(tmp_path: Path) -> None:
    urls = {name: facet_file(name)["$id"] + f"#/$defs/{name}" for name in ("AcmeARunFacet", "AcmeBRunFacet")}
    schemas = {
        f"{name}.json": facet_file(name, f"acme_{name[4].lower()}", properties={"x": {"$ref": urls[other]}})
        for name, other in (("AcmeARunFacet", "AcmeBRunFacet"), ("AcmeBRunFacet", "AcmeARunFacet"))
    }
    assert errors(tmp_path, schemas)[0].startswith("AcmeARunFacet.json: files refer to each other: ")


def test_a_folder_without_schemas_is_rejected(tmp_path: Path) -> None:
    write_schemas(tmp_path, {"event.json": {"run": {}}})
    with pytest.raises(SchemaError, match="no JSON Schemas found"):
        read(tmp_path, {})
    with pytest.raises(SchemaError, match="no such file or folder"):
        read_custom_facets(tmp_path / "none", PUBLISHED)


# -- notes -------------------------------------------------------------------------------------------

FORMATS = ["date", "email", "datetime", "date-time", "uuid", "uri"]

NOTED = [
    (
        facet_file(key="cost"),
        ["/properties/cost: the key 'cost' has no prefix; start it with one, as in 'acme_cost'"],
    ),
    (
        facet_file(key="other_cost"),
        [
            "/properties/other_cost: AcmeCostRunFacet does not start with the prefix of its key "
            "'other_cost', Other"
        ],
    ),
    (
        facet_file(key=None),
        [
            "/properties: no facet key, so parsers cannot recognise it; add one such as 'acme_cost' with a "
            "$ref"
        ],
    ),
    (
        facet_file(version="main"),
        [
            "/$id: https://acme.example.com/schemas/main/AcmeCostRunFacet.json may change; use a URL with a "
            "version such as 1-0-0, a tag or a commit"
        ],
    ),
    (
        facet_file(properties={one: {"type": "string", "format": one} for one in FORMATS}),
        [
            f"/$defs/{NAME}/allOf/1/properties/{one}/format: the format {one!r} is not enforced{hint}"
            for one, hint in (("date", ""), ("email", ""), ("datetime", "; did you mean 'date-time'?"))
        ],
    ),
    (
        facet_file(properties={"amount": {"type": "number"}}, required=["amonut", "_producer"]),
        [
            f"/$defs/{NAME}/allOf/1/required: 'amonut' is required but not among the properties; did you "
            "mean 'amount'?"
        ],
    ),
    (
        facet_file(properties={wire: {"type": "string"} for wire in ("producer", "Producer", "schemaURL")}),
        [
            f"/$defs/{NAME}/allOf/1/properties/{wire}: {wire!r} becomes {name}, because {base!r} becomes "
            f"{inherited}; rename it"
            for wire, name, base, inherited in (
                ("producer", "producer_", "_producer", "producer"),
                ("Producer", "producer__", "_producer", "producer"),
                ("schemaURL", "schema_url_", "_schemaURL", "schema_url"),
            )
        ],
    ),
    (
        new_schema("AcmeCost", "run", CORE, "https://acme.example.com/schemas"),
        [
            f"/$defs/{NAME}/description: a placeholder of the command new; describe the facet",
            f"/$defs/{NAME}/allOf/1/properties: no properties yet; add those of the facet",
        ],
    ),
]


@each(("schema", "expected"), NOTED)
def test_what_has_no_effect_or_is_against_the_recommendations_is_noted(
    schema: Any, expected: list[str], tmp_path: Path
) -> None:
    assert notes(tmp_path, {FILE: schema}) == [f"{FILE}#{note}" for note in expected]
