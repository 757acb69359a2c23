"""The differences between consecutive releases of the core, each with its facets, as golden files.

After an intended change of the output: `UPDATE_GOLDEN=1 python -m pytest tests/codegen/diff`.
"""

from __future__ import annotations

import os
from itertools import pairwise
from pathlib import Path

import pytest

from codegen.diff.documents import SchemaVersion, compare
from codegen.diff.report import text_report
from codegen.load import load_extending
from tests.cases import each
from tests.codegen.historical import CORES, STATES, spec_of
from tests.conftest import ROOT, SHARED

GOLDEN = Path(__file__).parent / "golden"
PUBLISHED = ROOT / "spec"

pytestmark = [pytest.mark.thorough, pytest.mark.usefixtures("shared")]


def difference(old: Path, new: Path) -> str:
    return text_report(compare(*(SchemaVersion(load_extending(side, PUBLISHED)) for side in (old, new))))


@each(("old", "new"), [*pairwise(CORES)])
def test_the_differences_of_two_releases(old: str, new: str, tmp_path: Path) -> None:
    found = difference(spec_of(f"core {old}", tmp_path), spec_of(f"core {new}", tmp_path))
    golden = GOLDEN / f"{old}-to-{new}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        golden.write_text(found, encoding="utf-8")
    assert found == golden.read_text(encoding="utf-8")


@each("state", STATES)
def test_a_release_does_not_differ_from_itself(state: str, tmp_path: Path) -> None:
    spec = spec_of(state, tmp_path)
    assert difference(spec, spec).startswith("no differences in ")


def test_the_spec_is_that_of_upstream() -> None:
    assert difference(PUBLISHED, SHARED / "current").startswith("no differences in ")


def test_every_published_version_differs_from_the_one_before(tmp_path: Path) -> None:
    """No difference is lost: each version was published because something had changed."""
    versions: dict[str, list[Path]] = {}
    for path in sorted((SHARED / "published" / "facets").rglob("*.json")):
        versions.setdefault(path.name, []).append(path)
    pairs = [pair for paths in versions.values() for pair in pairwise(paths)]
    assert len(pairs) > 30
    for old, new in pairs:
        assert not difference(old, new).startswith("no differences"), (old, new)
