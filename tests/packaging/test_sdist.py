"""The source distribution builds the same wheel as the tree."""

from __future__ import annotations

import shutil
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.conftest import ROOT
from tests.packaging.installed import built

pytestmark = pytest.mark.thorough


def contents(wheel: Path) -> dict[str, bytes]:
    with ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_the_wheel_built_from_it_is_that_of_the_tree_and_it_contains_no_output(
    wheel: Path, tmp_path: Path
) -> None:
    sdist = built("sdist", ROOT, tmp_path / "sdist")
    shutil.unpack_archive(sdist, tmp_path / "unpacked")
    (source,) = (tmp_path / "unpacked").iterdir()
    names = {path.name for path in source.rglob("*")}
    assert names & {".venv", "demo-output", "lineage.ndjson", "__pycache__", ".mypy_cache"} == set()
    assert contents(built("wheel", source, tmp_path / "wheel")) == contents(wheel)
