"""Docstring examples of the tags package."""

from __future__ import annotations

import doctest
import pkgutil
from importlib import import_module

import openlineage_facets.tags as package
from tests.cases import each

MODULES = [
    package.__name__,
    *(f"{package.__name__}.{found.name}" for found in pkgutil.iter_modules(package.__path__)),
]


@each("name", MODULES)
def test_module_examples(name: str) -> None:
    assert doctest.testmod(import_module(name)).failed == 0


def test_examples_exist() -> None:
    assert sum(doctest.testmod(import_module(name)).attempted for name in MODULES) >= 8
