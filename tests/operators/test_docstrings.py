"""The examples in the package's documentation say what happens."""

from __future__ import annotations

import doctest
import pkgutil
from importlib import import_module

import openlineage_facets.operators as package
from tests.cases import each

MODULES = [
    package.__name__,
    *(f"{package.__name__}.{found.name}" for found in pkgutil.iter_modules(package.__path__)),
]


@each("name", MODULES)
def test_docstring_examples_pass(name: str) -> None:
    assert doctest.testmod(import_module(name)).failed == 0


def test_there_are_examples() -> None:
    assert sum(doctest.testmod(import_module(name)).attempted for name in MODULES) >= 7
