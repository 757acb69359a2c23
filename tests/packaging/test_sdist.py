"""The source distribution builds the same wheel as the tree."""

from __future__ import annotations

import tarfile
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.packaging.conftest import built

pytestmark = pytest.mark.check


def unpacked(sdist: Path, target: Path) -> Path:
    with tarfile.open(sdist) as archive:
        if hasattr(tarfile, "data_filter"):
            archive.extractall(target, filter="data")
        else:
            archive.extractall(target)
    (folder,) = target.iterdir()
    return folder


def contents(wheel: Path) -> dict[str, bytes]:
    with ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_the_wheel_built_from_it_is_that_of_the_tree(sdist: Path, wheel: Path, tmp_path: Path) -> None:
    again = built("wheel", unpacked(sdist, tmp_path / "source"), tmp_path / "wheel")
    assert contents(again) == contents(wheel)


def test_it_contains_the_sources_of_the_generated_code(sdist: Path, tmp_path: Path) -> None:
    folder = unpacked(sdist, tmp_path)
    for name in ("pyproject.toml", "LICENSE", "README.md", "spec/OpenLineage.json", "codegen/__main__.py"):
        assert (folder / name).is_file(), name


def test_it_contains_no_environment_and_no_output(sdist: Path, tmp_path: Path) -> None:
    folder = unpacked(sdist, tmp_path)
    names = {path.name for path in folder.rglob("*")}
    assert names & {".venv", "demo-output", "lineage.ndjson", "__pycache__", ".mypy_cache"} == set()
