"""The passes in order: JSON Schemas in, the files of a Python package out."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from . import ir
from .assemble import assemble
from .documents import Spec
from .format import formatted
from .load import load
from .name import name
from .normalize import normalize
from .render.builders import render_builders
from .render.constructors import render_constructors
from .render.containers import render_containers
from .render.exports import render_exports
from .render.index import render_index
from .render.models import render_module
from .render.registry import render_registry
from .verify import verify


def generate(spec: Path | Spec, package: str) -> dict[str, str]:
    """Return the generated files by name.

    Args:
        spec: The schemas, or their folder.
        package: The import path of the generated package.

    Raises:
        SchemaError: A schema cannot be turned into code.
        GeneratorError: The generator is at fault.
    """
    normalized = normalize(load(spec) if isinstance(spec, Path) else spec)
    library = assemble(normalized, name(normalized))
    sources = {f"{module.name}.py": render_module(module, library, package) for module in library.modules}
    sources["containers.py"] = render_containers(library, package)
    sources["constructors.py"] = render_constructors(library)
    sources["builders.py"] = render_builders(library, package)
    sources["registry.py"] = render_registry(library)
    sources["index.py"] = render_index(library)
    sources["__init__.py"] = render_exports(library, package)
    return verified_and_formatted(sources, library)


def verified_and_formatted(sources: Mapping[str, str], library: ir.Library) -> dict[str, str]:
    """Return generated files as ruff formats them, verified before, because ruff parses them, and after.

    Raises:
        GeneratorError: The generator is at fault.
    """
    verify(sources, library)
    files = formatted(sources)
    verify(files, library)
    return files
