"""`openlineage-facets new`: a schema that follows the naming rules."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.cases import each
from tests.cli.conftest import Command
from tests.codegen.custom.facets import PUBLISHED


def created(path: str) -> dict[str, Any]:
    schema: dict[str, Any] = json.loads(Path(path).read_text(encoding="utf-8"))
    return schema


@each(
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
    name: str, entity: str, options: list[str], cls: str, key: str, command: Command, tmp_path: Path
) -> None:
    folder = tmp_path / "facets"
    base = ["--id-base", "https://acme.example.com/schemas/"]
    assert command("new", name, "--entity", entity, "--output", folder, *base, *options).code == 0
    schema = created(f"{folder}/{cls}.json")
    assert schema["$id"] == f"https://acme.example.com/schemas/1-0-0/{cls}.json"
    assert schema["properties"] == {key: {"$ref": f"#/$defs/{cls}"}}
    generated = command("generate", folder, "--output", tmp_path / "acme_facets")
    description, properties = generated.err.splitlines()
    assert generated.code == 0
    assert description.endswith("a placeholder of the command new; describe the facet")
    assert properties.endswith("no properties yet; add those of the facet")


def test_it_extends_the_published_core_and_says_without_a_url_that_one_must_be_set(command: Command) -> None:
    result = command("new", "AcmeCost", "--entity", "run")
    assert (result.code, "set the URL in $id" in result.out) == (0, True)
    schema = created("facets/AcmeCostRunFacet.json")
    core = json.loads((PUBLISHED / "OpenLineage.json").read_text(encoding="utf-8"))["$id"]
    assert schema["$defs"]["AcmeCostRunFacet"]["allOf"][0] == {"$ref": f"{core}#/$defs/RunFacet"}
    assert schema["$id"].startswith("https://acme.example.com/schemas/1-0-0/")


@each(
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
def test_an_invalid_name_exits_with_2(arguments: list[str], message: str, command: Command) -> None:
    result = command("new", *arguments, "--entity", "run")
    (line,) = result.err.splitlines()
    assert (result.code, message in line, Path("facets").exists()) == (2, True, False)


def test_an_existing_schema_is_kept(command: Command) -> None:
    path = Path("AcmeCostRunFacet.json")
    path.write_text("mine")
    result = command("new", "AcmeCost", "--entity", "run", "--output", ".")
    problem = "exists and is not an empty file; choose another name or remove it\n"
    assert (result.code, problem in result.err, path.read_text()) == (2, True, "mine")
