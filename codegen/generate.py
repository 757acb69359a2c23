"""The passes in order: JSON Schemas in, the files of a Python package out."""

from __future__ import annotations

from pathlib import Path

from codegen.assemble import assemble
from codegen.format import formatted
from codegen.load import load
from codegen.name import name
from codegen.normalize import normalize
from codegen.render.builders import render_builders
from codegen.render.containers import render_containers
from codegen.render.exports import render_exports
from codegen.render.index import render_index
from codegen.render.models import render_module
from codegen.render.registry import render_registry
from codegen.verify import verify


def generate(spec: Path, package: str) -> dict[str, str]:
    """Return the generated files by name.

    Args:
        spec: The folder of schemas.
        package: The import path of the generated package.

    Raises:
        SchemaError: A schema cannot be turned into code.
        GeneratorError: The generator is at fault.
    """
    normalized = normalize(load(spec))
    library = assemble(normalized, name(normalized))
    sources = {f"{module.name}.py": render_module(module, library, package) for module in library.modules}
    sources["containers.py"] = render_containers(library, package)
    sources["builders.py"] = render_builders(library, package)
    sources["registry.py"] = render_registry(library)
    sources["index.py"] = render_index(library)
    sources["__init__.py"] = render_exports(library, package)
    verify(sources, library)
    files = formatted(sources)
    verify(files, library)
    return files
