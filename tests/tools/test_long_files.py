"""The list of test files that start first is up to date."""

from __future__ import annotations

from tests.conftest import LONG_FILES, ROOT


def test_each_long_file_exists() -> None:
    assert {path.name for path in (ROOT / "tests").rglob("test_*.py")} >= LONG_FILES
