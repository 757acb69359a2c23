"""The modules that generated code imports names of the library from."""

from __future__ import annotations

from .. import ir

CUSTOM_FACETS_API = "openlineage_facets.custom_facets_v1"
"""The module whose names keep their meaning in later versions of the library."""


def library_module(module: str, library: ir.Library) -> str:
    """Return the module to import a name from that `module` of the library defines.

    The generated part of the library imports it from there. Packages of custom facets are not generated again
    when the library changes, and use the module that is made for them.
    """
    return CUSTOM_FACETS_API if library.is_extension else module


def definition_module(name: ir.Named, library: ir.Library, package: str) -> str:
    """Return the module to import a generated definition from."""
    path = ir.import_path(package, name.module)
    definition = library.index[name]
    is_exported = isinstance(definition, ir.Class) and definition.schema_url
    if path == name.module and (name.module == library.core.name or is_exported):
        return library_module(path, library)
    return path
