"""Import classes on first use."""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping
from contextlib import suppress
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


def load_export(package: str, name: str, exports: Mapping[str, str], modules: Collection[str] = ()) -> Any:
    """Return the module or class `name` of `package`, and set it there for the next use.

    Raises:
        AttributeError: The package does not export this name.
    """
    if name in exports:
        value: Any = getattr(import_module(f"{package}.{exports[name]}"), name)
    elif name in modules:
        value = import_module(f"{package}.{name}")
    else:
        places = _modules_with(package, name, modules)
        hint = f"; use {' or '.join(f'{package}.{module}.{name}' for module in places)}" if places else ""
        raise AttributeError(f"module {package!r} has no attribute {name!r}{hint}")
    setattr(sys.modules[package], name, value)
    return value


def _modules_with(package: str, name: str, modules: Collection[str]) -> list[str]:
    """Return the modules that define a class nested in a facet, which packages do not export."""
    found = []
    for module in modules if name[:1].isupper() else ():
        with suppress(Exception):  # Of a module that cannot be imported, its own use reports why.
            path = f"{package}.{module}"
            if getattr(getattr(import_module(path), name, None), "__module__", None) == path:
                found.append(module)
    return found
