"""The passes in order: JSON Schemas in, the files of a Python package out.

A formatter that runs in the folder of generated code would import it: a schema file `types.json` becomes
`types.py`, which shadows the standard library. So ruff runs in Python's isolated mode, from an empty working
folder, on files whose names do not come from schemas.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from . import ir
from .assemble import assemble
from .documents import Spec
from .errors import GeneratorError
from .load import load
from .name import name
from .normalize import normalize
from .render.builders import render_builders
from .render.constructors import render_constructors
from .render.containers import render_containers
from .render.exports import render_exports
from .render.models import render_module
from .render.registry import render_index, render_registry
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


_OPTIONS = ("--isolated", "--no-cache", "--quiet", "--line-length=110", "--target-version=py310")
_IMPORTS = (
    *("--fix", "--select=F401,I"),
    '--config=lint.isort.known-first-party = ["openlineage_facets"]',
    # Puts names on one line if unused ones were removed before them.
    "--config=lint.isort.split-on-trailing-comma = false",
)


def formatted(sources: Mapping[str, str]) -> dict[str, str]:
    """Return the sources as ruff formats them, imports sorted, unused ones removed.

    Args:
        sources: Source text by file name.

    Raises:
        GeneratorError: A source is not valid Python.
    """
    with tempfile.TemporaryDirectory() as name:
        working_folder, code = Path(name, "empty"), Path(name, "code")
        working_folder.mkdir()
        code.mkdir()
        paths = {file: code / f"source_{number}.py" for number, file in enumerate(sources)}
        for file, source in sources.items():
            paths[file].write_text(source, encoding="utf-8", newline="\n")
        _ruff(working_folder, "check", *_IMPORTS, *_OPTIONS, str(code))
        _ruff(working_folder, "format", *_OPTIONS, str(code))
        return {file: path.read_text(encoding="utf-8") for file, path in paths.items()}


def _ruff(working_folder: Path, *arguments: str) -> None:
    command = [sys.executable, "-I", "-m", "ruff", *arguments]
    try:
        done = subprocess.run(command, cwd=working_folder, capture_output=True, text=True, check=False)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise GeneratorError(f"{sys.executable} cannot be started to run ruff: {reason}") from None
    if done.returncode != 0:
        output = " ".join((done.stdout or done.stderr).split())
        raise GeneratorError(f"ruff {arguments[0]} failed on the generated code: {output}")
