"""The wheel contains the complete package and nothing else."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath
from zipfile import ZipFile

import pytest

from openlineage_facets import __version__
from tests.conftest import ROOT
from tests.packaging.requirements import metadata, required

pytestmark = pytest.mark.check

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


def test_the_assets_of_pages_are_in_it(names: set[str]) -> None:
    assets = {path.relative_to(ROOT).as_posix() for path in (PACKAGE / "graphs" / "assets").iterdir()}
    assert len(assets) == 11
    assert assets <= names


def test_it_has_the_marker_for_type_checkers(names: set[str]) -> None:
    assert "openlineage_facets/py.typed" in names


def test_development_files_are_not_in_it(names: set[str]) -> None:
    data = (
        "openlineage_facets/review/policies/policies.schema.json",
        "openlineage_facets/validation/backends/profile.schema.json",
        "openlineage_facets/validation/examples/",
        "openlineage_facets/spec/",
        GENERATOR,
    )
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


def test_the_profiles_of_backends_are_in_it(names: set[str]) -> None:
    folder = PACKAGE / "validation" / "backends"
    profiles = {path.relative_to(ROOT).as_posix() for path in folder.rglob("*.toml")}
    assert len(profiles) >= 11
    assert profiles <= names


def test_the_license_is_in_it(names: set[str]) -> None:
    assert f"openlineage_facets-{__version__}.dist-info/licenses/LICENSE" in names


def test_no_file_names_the_machine_it_was_built_on(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        naming = [name for name in archive.namelist() if str(ROOT).encode() in archive.read(name)]
    assert naming == []


def test_it_requires_only_pydantic(wheel: Path) -> None:
    lines = metadata(wheel).get_all("Requires-Dist", [])
    assert required(lines) == {"pydantic"}


@pytest.mark.parametrize("extra", ["spark", "codegen"])
def test_an_extra_requires_more(wheel: Path, extra: str) -> None:
    assert extra in metadata(wheel).get_all("Provides-Extra", [])
    assert required(metadata(wheel).get_all("Requires-Dist", []), extra) > {"pydantic"}


def test_its_metadata_describe_it(wheel: Path) -> None:
    fields = metadata(wheel)
    assert (fields["Name"], fields["Version"]) == ("openlineage-facets", __version__)
    assert fields["Requires-Python"] == ">=3.10"
    assert fields["License-Expression"] == "Apache-2.0"
    assert fields["Summary"]


def test_its_metadata_lead_to_the_project(wheel: Path) -> None:
    fields = metadata(wheel)
    assert fields["Author"] == "The openlineage-facets authors"
    urls = dict(line.split(", ") for line in fields.get_all("Project-URL", []))
    assert {"Repository", "Documentation", "Changelog", "Issues"} == set(urls)


def test_every_link_of_the_readme_works_on_another_page(wheel: Path) -> None:
    readme = str(metadata(wheel).get_payload())
    targets = re.findall(r"\]\((.+?)\)", readme)
    assert len(targets) > 20
    assert [target for target in targets if not target.startswith(("https://", "#"))] == []
    ours = [
        re.sub(r"#.*", "", target)
        for target in targets
        if "/openlineage-facets/openlineage-facets/" in target
    ]
    files = [ROOT / target.split(f"/v{__version__}/", 1)[1] for target in ours]
    assert [file for file in files if not file.exists()] == []
