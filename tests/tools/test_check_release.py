"""A release has one version everywhere, and a section of the changelog."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from openlineage_facets.version import __version__
from tests.cases import each
from tests.conftest import ROOT
from tools.check_release import problems
from tools.install_commands import pages, with_commands


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Return a tree that can be released."""
    shutil.copy(ROOT / "CITATION.cff", tmp_path)
    (tmp_path / "CHANGELOG.md").write_text(
        f"# Changelog\n\n## [Unreleased]\n\n## [{__version__}] - 2026-11-23\n\n- The first.\n"
    )
    return tmp_path


def test_a_prepared_tree_has_no_problems(tree: Path) -> None:
    assert list(problems(tree, f"v{__version__}")) == []


def test_a_tag_of_another_version_is_a_problem(tree: Path) -> None:
    expected = f"openlineage_facets/version.py: expected the version of the tag v9.0.0, found {__version__}"
    assert list(problems(tree, "v9.0.0")) == [expected]


UNRELEASED = "[Unreleased]\n"


@each(
    ("file", "old", "new", "message"),
    [
        ("CITATION.cff", f"version: {__version__}", "version: 9.0.0", f"expected `version: {__version__}`"),
        ("CHANGELOG.md", f"[{__version__}]", "[9.0.0]", f"expected a section `## [{__version__}]"),
        ("CHANGELOG.md", "2026-11-23", "soon", "expected a date"),
        ("CHANGELOG.md", UNRELEASED, f"{UNRELEASED}\n- Later.\n", "expected nothing below [Unreleased]"),
    ],
)
def test_what_is_missing_is_named(tree: Path, file: str, old: str, new: str, message: str) -> None:
    path = tree / file
    complete = path.read_text()
    path.write_text(complete.replace(old, new, 1))
    (problem,) = problems(tree, None)
    path.write_text(complete)
    assert problem.startswith(f"{file}: ")
    assert message in problem


def test_the_documentation_can_be_written_for_an_index_and_back() -> None:
    for path, text in pages():
        on_index = with_commands(text, is_on_index=True)
        assert not re.search(r"pip install \"?\.\[|not on a(n index|\npackage index)", on_index), path
        assert with_commands(on_index, is_on_index=False) == with_commands(text, is_on_index=False)
