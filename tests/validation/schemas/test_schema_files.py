"""Schemas are read from folders of any layout; invalid ones are reported, one line per file."""

from __future__ import annotations

import json
import re
import shutil
import socket
import sys
from pathlib import Path
from typing import Any

import pytest

from openlineage_facets import validate
from openlineage_facets.schema_folder import read_schema_folder
from openlineage_facets.validation.schemas.schema_files import SchemaSetError
from openlineage_facets.validation.schemas.schema_set import SchemaSet
from openlineage_facets.version import install_command
from tests.cases import each
from tests.events import facet

HERE = Path(__file__).parent
ACME = HERE / "acme"
INVALID = sorted(path for path in (HERE / "invalid").iterdir() if path.is_dir())


def test_schemas_are_found_by_id_and_other_files_are_ignored() -> None:
    schemas = SchemaSet.load([ACME])
    assert len(schemas) == 4
    assert "https://acme.example.com/schemas/2-0-0/AcmeCostRunFacet.json#/$defs/AcmeCostRunFacet" in schemas
    assert "https://acme.example.com/schemas/3-0-0/AcmeCostRunFacet.json" not in schemas
    assert None not in schemas


def test_single_files_and_no_folders_can_be_loaded() -> None:
    assert len(SchemaSet.load([ACME / "drafts" / "seven.json"])) == 1
    assert len(SchemaSet.load([])) == 0


def test_schemas_without_id_get_their_path_below_a_url() -> None:
    folder = HERE / "invalid" / "missing_id"
    schemas = SchemaSet.load([folder], id_base="https://acme.example.com/schemas/")
    assert "https://acme.example.com/schemas/A.json" in schemas


@each("folder", INVALID, ids=lambda folder: folder.name)
def test_invalid_schemas_are_reported_one_line_per_file(folder: Path) -> None:
    expected = (folder / "expected.txt").read_text().splitlines()
    with pytest.raises(SchemaSetError) as raised:
        SchemaSet.load([folder])
    lines = str(raised.value).splitlines()
    assert len(lines) == len(expected) == len(raised.value.problems)
    for line, start in zip(lines, expected, strict=True):
        assert line.startswith(f"{folder}/{start}"), line


@each("name", ["nowhere", "empty", "events", "events/one.json"])
def test_folder_without_schemas_is_reported(name: str, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "events").mkdir()
    (tmp_path / "events" / "one.json").write_text('{"job": {"namespace": "etl", "name": "orders"}}')
    problem = "no such file or folder" if name == "nowhere" else "no JSON Schemas found; a schema has an"
    with pytest.raises(SchemaSetError, match=f"{name}: {problem}"):
        SchemaSet.load([ACME, tmp_path / name])


URL = "https://acme.example.com/schemas/1-0-0/AcmeCostRunFacet.json"


def fields_with_errors(schema: dict[str, Any], **fields: object) -> set[str]:
    """Return the fields of a facet in which its schema finds errors."""
    event = {"run": {"facets": {"acme_cost": facet(_schemaURL=URL, **fields)}}}
    found = validate(event, rules=False, schemas=SchemaSet({URL: {"$id": URL, **schema}}))
    place = "/run/facets/acme_cost/"
    return {one.pointer.removeprefix(place) for one in found if one.pointer.startswith(place)}


@each(
    "schema",
    [
        {"type": "object", "required": ["usd"]},
        {"anyOf": [{"required": ["usd"]}, {"required": ["eur"]}]},
        {"$ref": "#/other", "other": {"required": ["usd"]}},
    ],
)
def test_minimal_schema_is_used(schema: dict[str, Any], tmp_path: Path) -> None:
    assert fields_with_errors(schema) == {"usd"}
    (tmp_path / "cost.json").write_text(json.dumps(schema))
    with pytest.raises(SchemaSetError, match=r"missing '\$id'"):
        SchemaSet.load([tmp_path])


@each("keyword", ["default", "const", "enum", "examples", "$id", "$schema", "pattern"])
def test_a_property_may_be_named_like_a_keyword(keyword: str) -> None:
    properties = {keyword: {"$ref": "#/$defs/Cost"}}
    schema = {"properties": properties, "$defs": {"Cost": {"type": "number"}}}
    assert fields_with_errors(schema, **{keyword: 5}) == set()
    assert fields_with_errors(schema, **{keyword: "text"}) == {keyword}


def test_references_in_examples_are_values() -> None:
    assert fields_with_errors({"properties": {"x": {"default": {"$ref": "none"}}}}, x=1) == set()


def test_same_schema_in_two_folders_counts_once_despite_other_descriptions(tmp_path: Path) -> None:
    shutil.copytree(ACME, tmp_path / "copy")
    path = tmp_path / "copy" / "1-0-0" / "AcmeCostRunFacet.json"
    schema: dict[str, Any] = json.loads(path.read_text())
    schema["$defs"]["AcmeCostRunFacet"]["description"] = "The cost of a run."
    path.write_text(json.dumps(schema))
    assert len(SchemaSet.load([ACME, tmp_path / "copy"])) == len(SchemaSet.load([ACME]))


def test_references_are_never_downloaded(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object, **named: object) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket, "socket", refuse)
    with pytest.raises(SchemaSetError, match="cannot resolve the reference"):
        SchemaSet.load([HERE / "invalid" / "reference_to_missing_document"])


def test_error_without_jsonschema_names_the_extra_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "openlineage_facets.validation.schemas.validators", raising=False)
    monkeypatch.setitem(sys.modules, "jsonschema", None)
    with pytest.raises(ImportError, match=re.escape(install_command("cli"))):
        SchemaSet.load([ACME])


def test_files_after_an_invalid_one_are_read(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("{", encoding="utf-8")
    (tmp_path / "b.json").write_text('{"$id": "https://acme.example.com/b.json"}', encoding="utf-8")
    (tmp_path / "c.json").write_text("[", encoding="utf-8")
    read = read_schema_folder(tmp_path)
    assert [str(file.path) for file in read.files] == ["b.json"]
    assert [str(file.path) for file in read.invalid] == ["a.json", "c.json"]
