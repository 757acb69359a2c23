"""`openlineage-facets diff`: formats, exit codes and errors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cases import each
from tests.cli.conftest import Command
from tests.cli.golden import GOLDEN
from tests.codegen.custom.facets import facet_file, write_schemas
from tests.conftest import ROOT

pytestmark = pytest.mark.check

OLD, NEW = (GOLDEN / "schemas" / side for side in ("old", "new"))
FILE = "AcmeXRunFacet.json"


@each(("fail_on", "code"), [("breaking", 0), ("version", 0), ("any", 1)])
def test_additions_cause_exit_code_1_only_on_request(fail_on: str, code: int, command: Command) -> None:
    files = [folder / "AcmeTeamJobFacet.json" for folder in (OLD, NEW)]
    assert command("diff", *files, "--fail-on", fail_on).code == code


@each(("options", "code"), [((), 1), (("--fail-on", "never"), 0)])
def test_breaking_changes_cause_exit_code_1(options: tuple[str, ...], code: int, command: Command) -> None:
    result = command("diff", OLD, NEW, *options)
    assert (result.code, result.out) == (code, (GOLDEN / "diff.txt").read_text(encoding="utf-8"))


def write_sides(old: dict[str, Any], new: dict[str, Any]) -> None:
    """Write two versions of a facet with a field, to the folders `old` and `new`."""
    for side, field in (("old", old), ("new", new)):
        schema = facet_file("AcmeXRunFacet", "acme_x", properties={"a": field})
        write_schemas(Path(side), {FILE: schema})


def test_annotations_name_the_file_relative_to_the_working_directory(command: Command) -> None:
    write_sides({"type": "string"}, {"type": "integer"})
    for sides in (("old", "new"), (f"old/{FILE}", f"new/{FILE}")):
        result = command("diff", *sides, "-f", "github")
        assert (result.code, result.out.startswith(f"::error file=new/{FILE},line=1::")) == (1, True)
    absolute = command("diff", Path("old").absolute(), Path("new").absolute(), "-f", "json")
    assert (absolute.code, absolute.report["documents"][0]["file"]) == (1, f"new/{FILE}")


def test_other_words_for_the_same_are_shown_and_never_fail(command: Command) -> None:
    null, text = {"type": "null"}, {"type": "string"}
    write_sides({"anyOf": [text, null]}, {"type": ["string", "null"]})
    result = command("diff", "old", "new", "--fail-on", "any")
    assert (result.code, "written in other words, with the same effect" in result.out) == (0, True)
    write_sides(text, {**text, "format": "email"})
    assert command("diff", "old", "new", "--fail-on", "any").code == 1


def test_keywords_that_classes_cannot_enforce_are_compared_on_request(command: Command) -> None:
    write_sides({"type": "integer", "multipleOf": 2}, {"type": "integer", "multipleOf": 4})
    strict = command("diff", "old", "new")
    assert strict.code == 2
    assert strict.err.startswith(
        f"openlineage-facets: old: {FILE}#/$defs/AcmeXRunFacet/allOf/1/properties/a/"
    )
    assert strict.err.endswith(
        "classes cannot enforce 'multipleOf'; remove it, or pass --lenient to compare it as it is\n"
    )
    lenient = command("diff", "old", "new", "--lenient")
    change = "keyword  a multipleOf 2 -> 4, which classes do not enforce"
    assert (lenient.code, change in lenient.out) == (1, True)
    assert command("diff", "old", "old", "--lenient", "--fail-on", "any").code == 0
    Path("pyproject.toml").write_text("[tool.openlineage-facets]\nlenient = true\n")
    assert command("diff", "old", "new").code == 1
    assert command("generate", "old", "-o", "acme_facets").code == 0


def test_schemas_without_an_id_are_compared_below_a_url(command: Command) -> None:
    for side, kind in (("old", "string"), ("new", "integer")):
        schemas = {
            f"A{number}RunFacet.json": facet_file(
                f"A{number}RunFacet", f"a{number}_x", properties={"a": {"type": kind}}
            )
            for number in (1, 2)
        }
        for schema in schemas.values():
            del schema["$id"]
        write_schemas(Path(side), schemas)
    result = command("diff", "old", "new")
    missing = "#/$id: expected the absolute URL of this schema, found no '$id'; add it, or pass --id-base URL"
    assert (result.code, result.err.splitlines()) == (
        2,
        [f"openlineage-facets: old: {name}RunFacet.json{missing}" for name in ("A1", "A2")],
    )
    result = command("diff", "old", "new", "--id-base", "https://acme.example.com/1-0-0")
    assert (result.code, "type     a string -> integer" in result.out) == (1, True)
    result = command("diff", "old", "new", "--id-base", "https://acme.example.com/1-0-0/a.json")
    assert (result.code, "expected the URL of the folder, found that of a file" in result.err) == (2, True)


def test_all_invalid_schemas_of_a_side_are_reported(command: Command) -> None:
    names = ("A1RunFacet", "A2RunFacet")
    wrong = {"properties": {"a": {"type": "string", "multipleOf": 2}}}
    write_schemas(Path("old"), {f"{name}.json": facet_file(name, None, **wrong) for name in names})
    result = command("diff", "old", "old")
    assert [line.partition("#")[0] for line in result.err.splitlines()] == [
        f"openlineage-facets: old: {name}.json" for name in names
    ]
    assert result.code == 2


def test_several_versions_of_a_schema_in_a_folder_are_not_compared(command: Command) -> None:
    versions = ("1-0-0", "1-0-1")
    write_schemas(Path("all"), {f"{one}/AcmeCost.json": facet_file(version=one) for one in versions})
    result = command("diff", "all", "all")
    assert result.code == 2
    assert result.err.endswith(
        "1-0-0/AcmeCost.json#/$id: version 1-0-0 of a schema of which 1-0-1/AcmeCost.json is version 1-0-1; "
        "pass the folder of one version\n"
    )


def test_the_installed_schemas_are_one_of_the_sides(command: Command) -> None:
    result = command("diff", "installed", ROOT / "spec", "--fail-on", "any")
    assert (result.code, result.out.startswith("no differences in ")) == (0, True)


@each(
    ("content", "message"),
    [
        (None, "no such file or folder"),
        ("{", "one.json: not valid JSON at line 1"),
        ('{"$defs": {}}', "one.json#/$id: expected the absolute URL of this schema, found no '$id'; add it"),
        ('{"job": {}}', "no JSON Schemas found; a schema has an '$id'"),
    ],
)
def test_an_invalid_side_exits_with_2_and_one_line(
    content: str | None, message: str, tmp_path: Path, command: Command
) -> None:
    side = tmp_path / "side"
    if content is not None:
        side.mkdir()
        (side / "one.json").write_text(content)
    result = command("diff", side, "installed")
    (line,) = result.err.splitlines()
    assert (result.code, line.startswith(f"openlineage-facets: {side}: "), message in line) == (2, True, True)
