"""A place on the import path for the packages that tests generate."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from tests.codegen.building import Package, Schemas, build

Generate = Callable[[Schemas], Package]


@pytest.fixture(scope="session")
def import_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return a folder whose packages can be imported."""
    folder = tmp_path_factory.mktemp("packages")
    sys.path.insert(0, str(folder))
    yield folder
    sys.path.remove(str(folder))


@pytest.fixture(scope="session")
def generated(import_folder: Path) -> Generate:
    """Return a function that generates a package from schemas, each time under a new name."""
    numbers = count()
    return lambda schemas: build(import_folder, f"generated_package_{next(numbers)}", schemas)
