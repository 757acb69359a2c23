"""Every class that is generated from `spec/`."""

from __future__ import annotations

from types import ModuleType

from openlineage_facets import generated
from openlineage_facets.base.model.model import Model
from openlineage_facets.base.model.spec_models import FacetModel
from openlineage_facets.generated.registry import FACETS

_EXPORTED = [getattr(generated, name) for name in generated.__all__]
_MODULES = [value for value in _EXPORTED if isinstance(value, ModuleType)]

CLASSES: list[type[Model]] = [
    value
    for module in _MODULES
    for value in vars(module).values()
    if isinstance(value, type) and issubclass(value, Model) and value.__module__ == module.__name__
]
"""Core classes, facets, and what is nested in them."""

FACET_CLASSES: list[type[FacetModel]] = [getattr(generated, entry.name) for entry in FACETS]
"""The class of each entry of the registry."""


def qualified(cls: type[Model]) -> str:
    """Name a class with its module, since several are called `Job`."""
    return f"{cls.__module__.rpartition('.')[2]}.{cls.__name__}"
