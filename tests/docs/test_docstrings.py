"""Docstring examples return what they show."""

from __future__ import annotations

import doctest
import pkgutil
from importlib import import_module
from types import ModuleType

import pytest

from openlineage_facets import operators, tags


@pytest.mark.parametrize(("package", "least"), [(operators, 7), (tags, 8)])
def test_docstring_examples_pass(package: ModuleType, least: int) -> None:
    modules = [package.__name__]
    modules += (f"{package.__name__}.{found.name}" for found in pkgutil.iter_modules(package.__path__))
    results = [doctest.testmod(import_module(name)) for name in modules]
    assert sum(result.failed for result in results) == 0
    assert sum(result.attempted for result in results) >= least
