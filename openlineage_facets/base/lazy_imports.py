"""Import classes on first use."""

from __future__ import annotations

import sys
from collections.abc import Container, Mapping
from functools import cache
from importlib import import_module
from typing import Any


@cache
def load_class(package: str, path: str) -> Any:
    """Import a generated class or table, named `module:Name` within `package`.

    A module with a dot in its name is one of another package, such as that of custom facets.
    """
    module, _, name = path.partition(":")
    return getattr(import_module(module if "." in module else f"{package}.{module}"), name)


def load_export(package: str, name: str, exports: Mapping[str, str], modules: Container[str] = ()) -> Any:
    """Return the module or class `name` of `package`, and set it there for the next use.

    Raises:
        AttributeError: The package does not export this name.
    """
    if name in exports:
        value: Any = getattr(import_module(f"{package}.{exports[name]}"), name)
    elif name in modules:
        value = import_module(f"{package}.{name}")
    else:
        raise AttributeError(f"module {package!r} has no attribute {name!r}")
    setattr(sys.modules[package], name, value)
    return value
