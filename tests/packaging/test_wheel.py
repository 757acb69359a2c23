"""The wheel holds the package, all of it, and nothing else."""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from zipfile import ZipFile

import pytest

from openlineage_facets import __version__
from tests.conftest import ROOT
from tests.packaging.requirements import metadata, required

PACKAGE = ROOT / "openlineage_facets"
GENERATOR = "openlineage_facets/_codegen/"


@pytest.fixture(scope="module")
def names(wheel: Path) -> set[str]:
    with ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_the_only_top_level_module_is_the_package(names: set[str]) -> None:
    assert {PurePosixPath(name).parts[0] for name in names} == {
        "openlineage_facets",
        f"openlineage_facets-{__version__}.dist-info",
    }


def test_every_module_of_the_package_is_in_it(names: set[str]) -> None:
    modules = {path.relative_to(ROOT).as_posix() for path in PACKAGE.rglob("*.py")}
    assert {name for name in names if name.endswith(".py") and not name.startswith(GENERATOR)} == modules


def test_the_generator_is_in_it_under_a_name_of_the_package(names: set[str]) -> None:
    files = {
        f"{GENERATOR}{path.relative_to(ROOT / 'codegen').as_posix()}"
        for ending in ("*.py", "*.jinja2")
        for path in (ROOT / "codegen").rglob(ending)
    }
    assert {name for name in names if name.startswith(GENERATOR)} == files


def test_type_checkers_are_told_that_it_is_typed(names: set[str]) -> None:
    assert "openlineage_facets/py.typed" in names


def test_nothing_of_the_workshop_is_in_it(names: set[str]) -> None:
    data = ("openlineage_facets/validation/examples/", "openlineage_facets/spec/", GENERATOR)
    ours = {name for name in names if not name.startswith(data)}
    workshop = {"tests", "spec", "codegen", "examples", "benchmarks", "tools", "__pycache__"}
    assert [name for name in ours if workshop & set(PurePosixPath(name).parts)] == []
    assert [name for name in ours if name.endswith((".json", ".jinja2", ".pyc", ".ndjson"))] == []


def test_the_schemas_that_others_refer_to_are_in_it(names: set[str]) -> None:
    schemas = {path.relative_to(ROOT).as_posix() for path in (ROOT / "spec").rglob("*.json")}
    assert {f"openlineage_facets/{name}" for name in schemas} <= names


def test_the_examples_that_explain_findings_are_in_it(names: set[str]) -> None:
    folder = PACKAGE / "validation" / "examples"
    examples = {path.relative_to(ROOT).as_posix() for path in folder.rglob("*.*")}
    assert examples
    assert examples <= names


def test_the_license_comes_along(names: set[str]) -> None:
    assert f"openlineage_facets-{__version__}.dist-info/licenses/LICENSE" in names


def test_no_file_names_the_machine_it_was_built_on(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        told = [name for name in archive.namelist() if str(ROOT).encode() in archive.read(name)]
    assert told == []


def test_it_requires_pydantic_alone(wheel: Path) -> None:
    lines = metadata(wheel).get_all("Requires-Dist", [])
    assert required(lines) == {"pydantic"}


@pytest.mark.parametrize("extra", ["spark", "codegen"])
def test_an_extra_requires_more(wheel: Path, extra: str) -> None:
    assert extra in metadata(wheel).get_all("Provides-Extra", [])
    assert required(metadata(wheel).get_all("Requires-Dist", []), extra) > {"pydantic"}


def test_its_metadata_say_what_it_is(wheel: Path) -> None:
    told = metadata(wheel)
    assert (told["Name"], told["Version"]) == ("openlineage-facets", __version__)
    assert told["Requires-Python"] == ">=3.10"
    assert told["License-Expression"] == "Apache-2.0"
    assert told["Summary"]
