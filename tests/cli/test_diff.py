"""`openlineage-facets diff`: formats, exit codes and errors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from openlineage_facets.cli.app import run
from tests.cli.golden import GOLDEN
from tests.codegen.custom.facets import facet_file, write_schemas
from tests.conftest import ROOT

pytestmark = pytest.mark.check

Captured = pytest.CaptureFixture[str]

OLD, NEW = (str(GOLDEN / "schemas" / side) for side in ("old", "new"))


def test_breaking_changes_are_reported_with_exit_code_1(capsys: Captured) -> None:
    assert run(["diff", OLD, NEW]) == 1
    assert capsys.readouterr().out == (GOLDEN / "diff.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize(("fail_on", "code"), [("breaking", 0), ("version", 0), ("any", 1), ("never", 0)])
def test_additions_cause_exit_code_1_only_on_request(fail_on: str, code: int) -> None:
    files = [f"{folder}/AcmeTeamJobFacet.json" for folder in (OLD, NEW)]
    assert run(["diff", *files, "--fail-on", fail_on]) == code


def test_breaking_changes_can_be_tolerated() -> None:
    assert run(["diff", OLD, NEW, "--fail-on", "never"]) == 0


FILE = "AcmeXRunFacet.json"


def sides(folder: Path, old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    """Write two versions of a facet with a field, and return their folders below `folder`."""
    for side, field in (("old", old), ("new", new)):
        schema = facet_file("AcmeXRunFacet", "acme_x", properties={"a": field})
        write_schemas(folder / "schemas" / side, {FILE: schema})
    return ["schemas/old", "schemas/new"]


def test_annotations_name_the_file_relative_to_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.chdir(tmp_path)
    folders = sides(tmp_path, {"type": "string"}, {"type": "integer"})
    assert run(["diff", *folders, "-f", "github"]) == 1
    assert capsys.readouterr().out.startswith(f"::error file=schemas/new/{FILE},line=1::")
    absolute = [str(tmp_path / folder) for folder in folders]
    assert run(["diff", *absolute, "-f", "json"]) == 1
    assert json.loads(capsys.readouterr().out)["documents"][0]["file"] == f"schemas/new/{FILE}"
    assert run(["diff", *(f"{folder}/{FILE}" for folder in folders), "-f", "github"]) == 1
    assert capsys.readouterr().out.startswith(f"::error file=schemas/new/{FILE},line=1::")


def test_other_words_for_the_same_are_shown_and_never_fail(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.chdir(tmp_path)
    null, text = {"type": "null"}, {"type": "string"}
    folders = sides(tmp_path, {"anyOf": [text, null]}, {"type": ["string", "null"]})
    assert run(["diff", *folders, "--fail-on", "any"]) == 0
    assert "written in other words, with the same effect" in capsys.readouterr().out
    assert run(["diff", *sides(tmp_path, text, {**text, "format": "email"}), "--fail-on", "any"]) == 1


def test_keywords_that_classes_cannot_enforce_are_compared_on_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.chdir(tmp_path)
    old, new = {"type": "integer", "multipleOf": 2}, {"type": "integer", "multipleOf": 4}
    folders = sides(tmp_path, old, new)
    assert run(["diff", *folders]) == 2
    error = capsys.readouterr().err
    assert error.startswith(
        f"openlineage-facets: schemas/old: {FILE}#/$defs/AcmeXRunFacet/allOf/1/properties/a/"
    )
    assert error.endswith(
        "classes cannot enforce 'multipleOf'; remove it, or pass --lenient to compare it as it is\n"
    )
    assert run(["diff", *folders, "--lenient"]) == 1
    assert "keyword  a multipleOf 2 -> 4, which classes do not enforce" in capsys.readouterr().out
    assert run(["diff", folders[0], folders[0], "--lenient", "--fail-on", "any"]) == 0
    (tmp_path / "pyproject.toml").write_text("[tool.openlineage-facets]\nlenient = true\n")
    assert run(["diff", *folders]) == 1
    assert run(["generate", folders[0], "-o", "acme_facets", "--package", "acme_facets"]) == 0


def test_schemas_without_an_id_are_compared_below_a_url(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.chdir(tmp_path)
    for side, kind in (("old", "string"), ("new", "integer")):
        schemas = {f"A{one}RunFacet.json": facet_file(f"A{one}RunFacet", f"a{one}_x") for one in (1, 2)}
        schemas["A1RunFacet.json"] = facet_file("A1RunFacet", "a1_x", properties={"a": {"type": kind}})
        for schema in schemas.values():
            del schema["$id"]
        write_schemas(tmp_path / side, schemas)
    assert run(["diff", "old", "new"]) == 2
    missing = "#/$id: expected the absolute URL of this schema, found no '$id'; add it, or pass --id-base URL"
    assert capsys.readouterr().err.splitlines() == [
        f"openlineage-facets: old: {name}RunFacet.json{missing}" for name in ("A1", "A2")
    ]
    assert run(["diff", "old", "new", "--id-base", "https://acme.example.com/1-0-0"]) == 1
    assert "type     a string -> integer" in capsys.readouterr().out
    assert run(["diff", "old", "new", "--id-base", "https://acme.example.com/1-0-0/a.json"]) == 2
    assert "expected the URL of the folder, found that of a file" in capsys.readouterr().err


def test_all_invalid_schemas_of_a_side_are_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.chdir(tmp_path)
    names = ("A1RunFacet", "A2RunFacet")
    wrong = {"properties": {"a": {"type": "string", "multipleOf": 2}}}
    write_schemas(tmp_path / "old", {f"{name}.json": facet_file(name, None, **wrong) for name in names})
    assert run(["diff", "old", "old"]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert [line.partition("#")[0] for line in lines] == [
        f"openlineage-facets: old: {name}.json" for name in names
    ]


def test_several_versions_of_a_schema_in_a_folder_are_not_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.chdir(tmp_path)
    versions = ("1-0-0", "1-0-1")
    write_schemas(tmp_path / "all", {f"{one}/AcmeCost.json": facet_file(version=one) for one in versions})
    assert run(["diff", "all", "all"]) == 2
    assert capsys.readouterr().err.endswith(
        "1-0-0/AcmeCost.json#/$id: version 1-0-0 of a schema of which 1-0-1/AcmeCost.json is version 1-0-1; "
        "pass the folder of one version\n"
    )


def test_the_installed_schemas_are_one_of_the_sides(capsys: Captured) -> None:
    assert run(["diff", "installed", str(ROOT / "spec"), "--fail-on", "any"]) == 0
    assert capsys.readouterr().out.startswith("no differences in ")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "no such file or folder"),
        ("{", "one.json: not valid JSON at line 1"),
        ('{"$defs": {}}', "one.json#/$id: expected the absolute URL of this schema, found no '$id'; add it"),
        ('{"job": {}}', "no JSON Schemas found; a schema has an '$id'"),
    ],
)
def test_an_invalid_side_exits_with_2_and_one_line(
    content: str | None, message: str, tmp_path: Path, capsys: Captured
) -> None:
    if content is not None:
        (tmp_path / "side").mkdir()
        (tmp_path / "side" / "one.json").write_text(content)
    assert run(["diff", str(tmp_path / "side"), "installed"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"openlineage-facets: {tmp_path / 'side'}: ")
    assert message in line
