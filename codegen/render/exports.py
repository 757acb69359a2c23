"""Render `__init__.py`: the names that the package exports."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from openlineage_facets.version import __version__

from .. import ir
from .source_text import first_lines, library_module


def render_exports(
    library: ir.Library, package: str, others: Mapping[str, str] = MappingProxyType({})
) -> str:
    """Return the source of the package's `__init__`: every facet class and module, loaded on first use.

    Args:
        library: Everything to render.
        package: The import path of the package.
        others: The modules of other names to export.
    """
    exported: dict[str, str] = {**others}
    for module in library.own_modules:
        for definition in module.definitions:
            if module.is_core or (isinstance(definition, ir.Class) and definition.schema_url):
                exported[definition.name] = module.name
    for container in library.containers if not library.is_extension else ():
        exported[container.name] = "containers"
    modules = sorted(module.name for module in library.own_modules)
    content = "The generated classes: the core, every facet"
    if library.is_extension:
        content = "Custom facets: every facet class"
    lines = [
        *first_lines(library, f"{content}, and a module for each schema file."),
        "from typing import TYPE_CHECKING, Any",
        "",
        f"from {library_module('openlineage_facets.base.lazy_imports', library)} "
        "import load_export as _load_export",
        "",
        "if TYPE_CHECKING:",
        *(f"    from {package} import {name} as {name}" for name in modules),
        *(
            f"    from {package}.{module} import {name} as {name}"
            for name, module in sorted(exported.items())
        ),
        "",
        *(_requirement() if library.is_extension else ()),
        "_MODULES = (",
        *(f"    {name!r}," for name in modules),
        ")",
        '"""The module of each schema file."""',
        "",
        "_EXPORTS = {",
        *(f"    {name!r}: {module!r}," for name, module in sorted(exported.items())),
        "}",
        '"""The module of each class."""',
        "",
        "__all__ = [",
        *(f"    {name!r}," for name in sorted([*exported, *modules])),
        "]",
        "",
        "",
        "def __getattr__(name: str) -> Any:",
        "    return _load_export(__name__, name, _EXPORTS, _MODULES)",
        "",
        "",
        "def __dir__() -> list[str]:",
        "    return __all__",
    ]
    return "\n".join(lines) + "\n"


def _requirement() -> list[str]:
    """Return the version that generates a package, and the requirement to declare for it."""
    return [
        f"__generated_with__ = 'openlineage-facets {__version__}'",
        f"__requires__ = 'openlineage-facets>={__version__}'",
        '"""The dependency to declare in `pyproject.toml`."""',
        "",
    ]
