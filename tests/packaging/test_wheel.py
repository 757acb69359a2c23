"""The wheel contains the complete package and nothing else."""

from __future__ import annotations

import re
from pathlib import Path
from zipfile import ZipFile

import pytest

from openlineage_facets import __version__
from tests.conftest import ROOT
from tests.packaging.requirements import metadata, required

pytestmark = pytest.mark.check


def files_of(source: str, target: str, *patterns: str) -> set[str]:
    """Return the names in the wheel of the files of a folder of the checkout."""
    folder = ROOT / source
    files = [path for pattern in patterns for path in folder.rglob(pattern) if path.is_file()]
    assert files, source
    return {f"{target}/{path.relative_to(folder).as_posix()}" for path in files}


def test_it_contains_the_package_what_it_reads_the_generator_and_nothing_else(wheel: Path) -> None:
    package, metadata = "openlineage_facets", f"openlineage_facets-{__version__}.dist-info"
    with ZipFile(wheel) as archive:
        names = set(archive.namelist())
    assert names == {
        *files_of(package, package, "*.py", "py.typed", "*.toml", "*.md", "assets/*", "*.schema.json"),
        *files_of(f"{package}/validation/examples", f"{package}/validation/examples", "*.*"),
        *files_of("codegen", f"{package}/_codegen", "*.py", "*.jinja2"),
        *files_of("spec", f"{package}/spec", "*"),
        *(f"{metadata}/{name}" for name in ("METADATA", "RECORD", "WHEEL", "entry_points.txt")),
        f"{metadata}/licenses/LICENSE",
    }


def test_no_file_names_the_machine_it_was_built_on(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        naming = [name for name in archive.namelist() if str(ROOT).encode() in archive.read(name)]
    assert naming == []


def test_it_requires_only_pydantic_and_extras_require_more(wheel: Path) -> None:
    lines = metadata(wheel).get_all("Requires-Dist", [])
    assert required(lines) == {"pydantic"}
    for extra in ("spark", "codegen"):
        assert extra in metadata(wheel).get_all("Provides-Extra", [])
        assert required(lines, extra) > {"pydantic"}


def test_its_metadata_describe_it_and_lead_to_the_project(wheel: Path) -> None:
    fields = metadata(wheel)
    assert (fields["Name"], fields["Version"]) == ("openlineage-facets", __version__)
    assert (fields["Requires-Python"], fields["License-Expression"]) == (">=3.10", "Apache-2.0")
    assert fields["Author"] == "The openlineage-facets authors"
    assert fields["Summary"]
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
