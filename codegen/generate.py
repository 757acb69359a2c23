"""The passes in order: schemas in, the files of a Python package out."""

from __future__ import annotations

from pathlib import Path

from codegen.analyze import analyze
from codegen.builders import render_builders
from codegen.load import load
from codegen.models import render_module
from codegen.output import formatted
from codegen.render import render_containers, render_exports, render_registry
from codegen.verify import verify


def generate(spec: Path, package: str) -> dict[str, str]:
    """Return the generated files, by name.

    Args:
        spec: The folder of schemas.
        package: The import path of the package the files will form.

    Raises:
        SchemaError: A schema cannot be turned into code.
    """
    library = analyze(load(spec))
    sources = {f"{module.name}.py": render_module(module, library, package) for module in library.modules}
    sources["containers.py"] = render_containers(library, package)
    sources["builders.py"] = render_builders(library, package)
    sources["registry.py"] = render_registry(library)
    sources["__init__.py"] = render_exports(library, package)
    files = formatted(sources)
    verify(files, library)
    return files
