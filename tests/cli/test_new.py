"""`openlineage-facets new`: a schema that follows the naming rules."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from openlineage_facets.cli.app import run
from tests.codegen.custom.facets import PUBLISHED

Captured = pytest.CaptureFixture[str]


def created(path: Path) -> dict[str, Any]:
    schema: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return schema


@pytest.mark.parametrize(
    ("name", "entity", "options", "cls", "key"),
    [
        ("AcmeCost", "run", [], "AcmeCostRunFacet", "acme_cost"),
        ("AcmeCloudCost", "job", [], "AcmeCloudCostJobFacet", "acme_cloudCost"),
        ("AcmeCostRunFacet", "run", [], "AcmeCostRunFacet", "acme_cost"),
        ("AcmeCost", "input", [], "AcmeCostInputDatasetFacet", "acme_cost"),
        ("ACMECost", "output", [], "ACMECostOutputDatasetFacet", "acme_cost"),
        ("BigBankCost", "dataset", ["--prefix", "BigBank"], "BigBankCostDatasetFacet", "bigbank_cost"),
    ],
)
def test_a_schema_is_created_of_which_generate_names_what_is_left_to_write(
    name: str, entity: str, options: list[str], cls: str, key: str, tmp_path: Path, capsys: Captured
) -> None:
    folder = tmp_path / "facets"
    base = ["--id-base", "https://acme.example.com/schemas/"]
    assert run(["new", name, "--entity", entity, "--output", str(folder), *base, *options]) == 0
    path = folder / f"{cls}.json"
    schema = created(path)
    assert schema["$id"] == f"https://acme.example.com/schemas/1-0-0/{cls}.json"
    assert schema["properties"] == {key: {"$ref": f"#/$defs/{cls}"}}
    capsys.readouterr()
    assert run(["generate", str(folder), "--output", str(tmp_path / "acme_facets")]) == 0
    description, properties = capsys.readouterr().err.splitlines()
    assert description.endswith("a placeholder of the command new; describe the facet")
    assert properties.endswith("no properties yet; add those of the facet")


def test_it_extends_the_published_core(tmp_path: Path) -> None:
    assert run(["new", "AcmeCost", "--entity", "run", "--output", str(tmp_path)]) == 0
    facet = created(tmp_path / "AcmeCostRunFacet.json")["$defs"]["AcmeCostRunFacet"]
    core = json.loads((PUBLISHED / "OpenLineage.json").read_text(encoding="utf-8"))["$id"]
    assert facet["allOf"][0] == {"$ref": f"{core}#/$defs/RunFacet"}


def test_without_a_url_it_says_that_one_must_be_set(tmp_path: Path, capsys: Captured) -> None:
    assert run(["new", "AcmeCost", "--entity", "run", "--output", str(tmp_path)]) == 0
    assert created(tmp_path / "AcmeCostRunFacet.json")["$id"].startswith(
        "https://acme.example.com/schemas/1-0-0/"
    )
    assert "set the URL in $id" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["acmeCost"], "expected a name in PascalCase such as AcmeCost, found 'acmeCost'"),
        (["Acme Cost"], "expected a name in PascalCase"),
        (["../Cost"], "expected a name in PascalCase"),
        (["Acme"], "expected a prefix and a name such as AcmeCost, found 'Acme'; pass --prefix"),
        (
            ["AcmeCost", "--prefix", "other"],
            "expected a prefix and a name such as AcmeCost, found 'AcmeCost'; start it with Other",
        ),
        (["AcmeCost", "--id-base", "acme"], "--id-base: expected an absolute URL"),
    ],
)
def test_an_invalid_name_exits_with_2(
    arguments: list[str], message: str, tmp_path: Path, capsys: Captured
) -> None:
    assert run(["new", *arguments, "--entity", "run", "--output", str(tmp_path / "facets")]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert message in line
    assert not (tmp_path / "facets").exists()


def test_an_existing_schema_is_kept(tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "AcmeCostRunFacet.json"
    path.write_text("mine")
    assert run(["new", "AcmeCost", "--entity", "run", "--output", str(tmp_path)]) == 2
    assert "exists and is not an empty file; choose another name or remove it\n" in capsys.readouterr().err
    assert path.read_text() == "mine"
