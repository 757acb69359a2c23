"""Schemas are found in folders of any layout; what can't be used is refused, a line for each file."""

from __future__ import annotations

import json
import shutil
import socket
import sys
from pathlib import Path
from typing import Any

import pytest

from openlineage_facets import validate
from openlineage_facets.validation.schemas import SchemaSet, SchemaSetError

HERE = Path(__file__).parent
ACME = HERE / "acme"
REFUSED = sorted(path for path in (HERE / "refused").iterdir() if path.is_dir())


def test_schemas_are_found_by_their_id_and_other_files_passed_over() -> None:
    schemas = SchemaSet.load([ACME])
    assert len(schemas) == 4
    assert "https://acme.example.com/schemas/2-0-0/AcmeCostRunFacet.json#/$defs/AcmeCostRunFacet" in schemas
    assert "https://acme.example.com/schemas/3-0-0/AcmeCostRunFacet.json" not in schemas
    assert None not in schemas


def test_a_single_file_will_do() -> None:
    assert len(SchemaSet.load([ACME / "drafts" / "seven.json"])) == 1


def test_nothing_is_no_schema() -> None:
    assert len(SchemaSet.load([])) == 0


@pytest.mark.parametrize("folder", REFUSED, ids=lambda folder: folder.name)
def test_what_cannot_be_used_is_refused_with_a_line_for_each_file(folder: Path) -> None:
    expected = (folder / "expected.txt").read_text().splitlines()
    with pytest.raises(SchemaSetError) as refused:
        SchemaSet.load([folder])
    lines = str(refused.value).splitlines()
    assert len(lines) == len(expected) == len(refused.value.problems)
    for line, start in zip(lines, expected, strict=True):
        assert line.startswith(f"{folder}/{start}"), line


def test_a_missing_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SchemaSetError, match="nowhere: expected a folder of JSON Schemas, found nothing"):
        SchemaSet.load([tmp_path / "nowhere"])


@pytest.mark.parametrize("name", ["empty", "events", "events/one.json"])
def test_a_folder_without_schemas_is_refused(name: str, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "events").mkdir()
    (tmp_path / "events" / "one.json").write_text('{"job": {"namespace": "etl", "name": "orders"}}')
    with pytest.raises(SchemaSetError, match=f"{name}: expected JSON Schemas, found none; a schema has an"):
        SchemaSet.load([ACME, tmp_path / name])


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "required": ["usd"]},
        {"anyOf": [{"required": ["usd"]}, {"required": ["eur"]}]},
        {"$ref": "#/other", "other": {"required": ["usd"]}},
    ],
)
def test_a_schema_may_say_little(schema: dict[str, Any], tmp_path: Path) -> None:
    url = "https://acme.example.com/schemas/1-0-0/AcmeCostRunFacet.json"
    path = tmp_path / "cost.json"
    path.write_text(json.dumps({"$id": url, **schema}))
    cost = {"_producer": "https://example.com", "_schemaURL": url}
    event = {"run": {"facets": {"acme_cost": cost}}}
    found = {finding.pointer for finding in validate(event, rules=False, schemas=SchemaSet.load([path]))}
    assert "/run/facets/acme_cost/usd" in found
    path.write_text(json.dumps(schema))
    with pytest.raises(SchemaSetError, match="expected an absolute"):
        SchemaSet.load([path])


def test_one_schema_in_two_folders_counts_once_however_it_is_described(tmp_path: Path) -> None:
    shutil.copytree(ACME, tmp_path / "copy")
    path = tmp_path / "copy" / "1-0-0" / "AcmeCostRunFacet.json"
    schema: dict[str, Any] = json.loads(path.read_text())
    schema["$defs"]["AcmeCostRunFacet"]["description"] = "What a run has cost."
    path.write_text(json.dumps(schema))
    assert len(SchemaSet.load([ACME, tmp_path / "copy"])) == len(SchemaSet.load([ACME]))


def test_no_reference_is_ever_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object, **named: object) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket, "socket", refuse)
    with pytest.raises(SchemaSetError, match="expected a reference to a schema that is given"):
        SchemaSet.load([HERE / "refused" / "reference_to_nowhere"])


def test_without_jsonschema_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "openlineage_facets.validation.schema_validators", raising=False)
    monkeypatch.setitem(sys.modules, "jsonschema", None)
    with pytest.raises(ImportError, match=r'pip install "openlineage-facets\[cli\]"'):
        SchemaSet.load([ACME])
