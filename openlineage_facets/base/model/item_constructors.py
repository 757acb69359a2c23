"""What the generated constructors of nested items call, and how their classes get them.

Most objects of an event are nested items, such as the columns of a schema: a few scalars, and other items.
For such a class, the general constructor takes twice the time of a plain pydantic model. The generator writes
one that composes fields of exactly the expected types (`generated/constructors.py`). It passes everything
else to the general one, so that both accept the same and raise the same errors.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from math import isfinite
from typing import Any

from pydantic import BaseModel

from openlineage_facets.base.wire.pydantic_internals import called_only_to_compose, declared_fields

_GENERATED = "openlineage_facets.generated"

ABSENT: Any = object()
"""The default of required fields: None may be wrong, which the general constructor reports."""


def use_generated_constructor(cls: type[BaseModel], general: Callable[..., None]) -> None:
    """Replace the constructor of a generated class by the one that was generated for it, if there is one.

    Classes of users keep the general one: Spark pickles those of a script with all attributes.

    Args:
        cls: A class that is built.
        general: The constructor of all classes.
    """
    package, _, module = cls.__module__.rpartition(".")
    if package != _GENERATED or cls.__init__ is not general:
        return
    constructors = import_module(f"{_GENERATED}.constructors").CONSTRUCTORS
    create, item_classes = constructors.get(f"{module}:{cls.__name__}", (None, ()))
    if create is None:
        return

    def compose(value: Any, positional: Any, others: dict[str, Any], fields: dict[str, Any]) -> None:
        # The default of optional fields is None: it may be passed under the wire name, too.
        known = declared_fields(cls)
        present = {
            name: field
            for name, field in fields.items()
            if field is not ABSENT and (field is not None or known[name].is_required())
        }
        general(value, *positional, **present, **others)

    names = vars(sys.modules[cls.__module__])
    constructor: Any = called_only_to_compose(create(cls, compose, *(names[name] for name in item_classes)))
    constructor.__module__, constructor.__qualname__ = general.__module__, general.__qualname__
    constructor.__signature__ = vars(general)["__signature__"]
    type.__setattr__(cls, "__init__", constructor)


def are_items(values: Any, item_class: type[Any]) -> bool:
    """Return whether `values` is a list or tuple of instances of exactly one class."""
    if type(values) is not list and type(values) is not tuple:
        return False
    for item in values:  # noqa: SIM110  # A generator expression would take longer than most lists.
        if type(item) is not item_class:
            return False
    return True


def is_integer(value: Any) -> bool:
    """Return whether `value` is an integer of 64 bits, which needs no further check."""
    return type(value) is int and -(2**63) <= value < 2**63


def is_number(value: Any) -> bool:
    """Return whether `value` is a finite number that needs no further check."""
    return isfinite(value) if type(value) is float else is_integer(value)
