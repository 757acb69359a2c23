"""The first lines of every generated file."""

from __future__ import annotations

from codegen import ir
from codegen.docstring import docstring

COMMAND = "make regen"


def header(module: ir.Module) -> str:
    """Return the header of the module of one schema file."""
    doc = "\n".join(docstring(module.doc or f"The definitions of {module.path}.", indent=0))
    return f"{notice(f'{ascii(module.schema_id)[1:-1]} ({ascii(module.path)[1:-1]})')}\n{doc}"


def notice(source: str) -> str:
    """Return the comment that names the source and forbids editing."""
    return f"# Generated from {source} by `{COMMAND}`.\n# Do not edit: change the schema and generate again."
