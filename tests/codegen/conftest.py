"""A place on the import path for the packages that tests generate."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.codegen.building import Package, Schemas, build
from tests.codegen.importing import importable, unused_name

Generate = Callable[[Schemas], Package]


def generating_in(folder: Path) -> Generate:
    """Return a function that generates a package below `folder` from schemas, each time under a new name."""
    return lambda schemas: build(folder, unused_name(), schemas)


@pytest.fixture(scope="session")
def import_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return a folder whose packages can be imported."""
    folder = tmp_path_factory.mktemp("packages")
    with importable(folder):
        yield folder


@pytest.fixture(scope="session")
def generated(import_folder: Path) -> Generate:
    """Return a function that generates a package from schemas, each time under a new name."""
    return generating_in(import_folder)
