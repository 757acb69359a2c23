"""Every class that the generator made of spec/."""

from __future__ import annotations

from importlib import import_module

from openlineage_facets.base.entities import FacetModel
from openlineage_facets.base.model import Model
from openlineage_facets.generated.registry import FACETS, MODULES

_MODULES = [import_module(f"openlineage_facets.generated.{name}") for name in MODULES]

CLASSES: list[type[Model]] = [
    value
    for module in _MODULES
    for value in vars(module).values()
    if isinstance(value, type) and issubclass(value, Model) and value.__module__ == module.__name__
]
"""Core classes, facets, and what is nested in them."""

FACET_CLASSES: list[type[FacetModel]] = [
    getattr(import_module(f"openlineage_facets.generated.{entry.module}"), entry.name) for entry in FACETS
]
"""The class of each entry of the registry."""


def qualified(cls: type[Model]) -> str:
    """Name a class with its module, since several are called `Job`."""
    return f"{cls.__module__.rpartition('.')[2]}.{cls.__name__}"
