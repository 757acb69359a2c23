"""Recognize objects of openlineage-python without importing it."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def is_client_object(value: Any) -> bool:
    """Return whether a value is an instance of a class of openlineage-python or of a subclass."""
    return any(cls.__module__.partition(".")[0] == "openlineage" for cls in type(value).__mro__)


def own_class_hint(value: Any, name: str) -> str:
    """Return the hint for an object of openlineage-python in an event that is composed here, "" for others.

    Args:
        value: The object.
        name: The class to use instead, if it is known.
    """
    if not is_client_object(value):
        return ""
    name = _name_in_module(type(value)) or name
    return (
        f"use {f'the {name}' if name else 'a class'} of openlineage_facets, or parse_event for whole events"
    )


def _name_in_module(client_class: type) -> str:
    """Return the name of our class for a part of a facet, such as `facets.parent_run.Run`, "" for others.

    Our modules of facets have the names that those of the client have. Several have a class such as `Run`.
    """
    from importlib.util import find_spec  # Needed for an error only, and a package more to load.

    module = f"openlineage_facets.generated.{client_class.__module__.rpartition('.')[2]}"
    name = client_class.__name__
    if name.endswith("Facet") or find_spec(module) is None or not hasattr(import_module(module), name):
        return ""
    return f"facets.{module.rpartition('.')[2]}.{name}"
