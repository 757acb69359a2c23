"""The schemas are valid JSON Schema, completely documented, and equal to the published ones."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from tests.conftest import ROOT
from tests.spec.schema_files import FILES, SPEC, SchemaFile, each_file

PROPOSALS = sorted(path.name for path in (SPEC / "proposals").glob("*.json"))


@pytest.fixture(scope="module")
def registry() -> Any:
    """Return every schema by its `$id`."""
    return Registry().with_resources(
        [(file.schema["$id"], Resource.from_contents(file.schema)) for file in FILES]
    )


@each_file
def test_a_file_is_valid_json_schema(file: SchemaFile) -> None:
    assert file.schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    Draft202012Validator.check_schema(file.schema)


@each_file
def test_the_file_name_is_that_of_the_id(file: SchemaFile) -> None:
    assert file.schema["$id"].startswith("https://openlineage.io/spec/")
    assert file.schema["$id"].endswith(f"/{file.path.name}")


@each_file
def test_every_reference_resolves(file: SchemaFile, registry: Any) -> None:
    resolver = registry.resolver(file.schema["$id"])
    for pointer, schema in file.parts():
        if "$ref" in schema:
            assert isinstance(resolver.lookup(schema["$ref"]).contents, dict), pointer


@each_file
def test_every_example_is_valid(file: SchemaFile, registry: Any) -> None:
    for pointer, schema in file.parts():
        validator = Draft202012Validator(
            {"$ref": f"{file.schema['$id']}#{pointer}"},
            registry=registry,
            format_checker=Draft202012Validator.FORMAT_CHECKER,
        )
        for example in schema.get("examples", ()):
            validator.validate(example)
        assert "example" not in schema, f"{pointer}: the keyword of JSON Schema 2020-12 is `examples`"


@each_file
def test_every_definition_and_property_has_a_description(file: SchemaFile) -> None:
    for pointer, schema in file.described_parts():
        description = schema.get("description", "")
        assert re.fullmatch(r"[A-Z0-9`(].*\.", description), f"{file.name}#{pointer}: {description!r}"
        assert "TODO" not in description, pointer
        assert description == " ".join(description.split()), f"{pointer}: stray white space"


def test_the_schemas_have_examples() -> None:
    assert sum("examples" in schema for file in FILES for _, schema in file.parts()) > 200


def test_no_two_files_share_an_id() -> None:
    ids = [file.schema["$id"] for file in FILES]
    assert len(ids) == len(set(ids))


def test_the_structure_equals_the_published_schemas(shared: Path) -> None:
    checker = shared.parent / "check_spec.py"
    done = subprocess.run([sys.executable, checker, SPEC], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    published = len(FILES) - len(PROPOSALS)
    assert done.stdout.splitlines() == [
        f"{published} published schemas, 0 differences; only here: {', '.join(PROPOSALS)}"
    ]


def test_the_readme_explains_how_to_compare_with_upstream(shared: Path) -> None:
    """The command in the README runs and finds what the README says."""
    readme = (SPEC / "README.md").read_text(encoding="utf-8")
    (command,) = re.findall(r"```sh\nopenlineage-facets (.*?)\n```", readme)
    arguments = command.replace("path/to/OpenLineage/spec", str(shared / "current")).split()
    done = subprocess.run(
        [sys.executable, "-m", "openlineage_facets.cli", *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("no differences")
    assert "`no differences`" in readme
