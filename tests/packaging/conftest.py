"""The wheel."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.packaging.installed import wheel_of_tree


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the wheel of this tree."""
    return wheel_of_tree(tmp_path_factory)
