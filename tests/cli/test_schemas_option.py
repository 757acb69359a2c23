"""`--schemas` validates custom facets against additional schemas."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cases import each
from tests.cli.conftest import Command
from tests.cli.example_events import lines, run_event
from tests.events import facet

URL = "https://acme.example.com/schemas/1-0-0/AcmeCostRunFacet.json"
SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$id": URL,
    "$defs": {
        "AcmeCostRunFacet": {
            "type": "object",
            "properties": {"usd": {"type": "number", "minimum": 0}},
            "required": ["usd"],
        }
    },
}


@pytest.fixture(autouse=True)
def files(command: Command) -> None:
    Path("schemas/deep").mkdir(parents=True)
    Path("schemas/deep/cost.json").write_text(json.dumps(SCHEMA))
    events = []
    for number, usd in enumerate((1.5, -1, "much")):
        event = run_event(number, "OTHER")
        event["run"]["facets"] = {"acme_cost": facet(_schemaURL=f"{URL}#/$defs/AcmeCostRunFacet", usd=usd)}
        events.append(event)
    Path("e.ndjson").write_bytes(lines(*events))


def test_without_schemas_custom_facets_are_counted(check: Command) -> None:
    result = check("e.ndjson", "--select", "OL0")
    assert result.locations == []
    assert result.report["summary"]["customFacets"] == [{"entity": "a run", "key": "acme_cost", "count": 3}]


def test_a_facet_is_validated_against_its_schema(check: Command) -> None:
    result = check("e.ndjson", "--select", "OL0", "--schemas", "schemas")
    assert result.locations == [(2, "OL007"), (3, "OL004")]
    assert result.report["findings"][0]["pointer"] == "/run/facets/acme_cost/usd"
    assert result.report["summary"]["customFacets"] == []


@each("text", ["not JSON", '{"$defs": {}}', json.dumps(SCHEMA).replace("usd", "eur")])
def test_invalid_schemas_end_the_command(text: str, check: Command) -> None:
    Path("schemas/other.json").write_text(text)
    result = check("e.ndjson", "--schemas", "schemas")
    assert (result.code, result.out) == (2, "")
    assert "Traceback" not in result.err
    assert "other.json" in result.err


def test_schemas_without_id_get_their_path_below_a_url(check: Command) -> None:
    without_id = {key: value for key, value in SCHEMA.items() if key != "$id"}
    Path("schemas/deep/cost.json").unlink()
    Path("schemas/1-0-0").mkdir()
    Path("schemas/1-0-0/AcmeCostRunFacet.json").write_text(json.dumps(without_id))
    command = ("e.ndjson", "--select", "OL0", "--schemas", "schemas")

    result = check(*command)
    assert result.code == 2
    assert "AcmeCostRunFacet.json: missing '$id'; add the URL of the schema, or pass" in result.err

    result = check(*command, "--id-base", "https://acme.example.com/schemas/")
    assert result.locations == [(2, "OL007"), (3, "OL004")]

    Path("pyproject.toml").write_text(
        '[tool.openlineage-facets]\nschemas = ["schemas"]\nid-base = "https://acme.example.com/schemas"\n'
    )
    assert check("e.ndjson", "--select", "OL0").locations == [(2, "OL007"), (3, "OL004")]


@each("url", ["acme.example.com", "https://acme.example.com/AcmeCostRunFacet.json"])
def test_the_base_is_the_url_of_a_folder(url: str, check: Command) -> None:
    result = check("e.ndjson", "--schemas", "schemas", "--id-base", url)
    assert (result.code, result.out) == (2, "")
    assert "--id-base: expected " in result.err
