"""Format generated source with ruff, which only ever sees it as text.

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

from .errors import GeneratorError

_OPTIONS = ("--isolated", "--no-cache", "--quiet", "--line-length=110", "--target-version=py310")
_FIRST_PARTY = 'lint.isort.known-first-party = ["openlineage_facets"]'
_ONE_LINE = "lint.isort.split-on-trailing-comma = false"
"""Put names on one line if unused ones were removed before them."""


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
        _ruff(
            working_folder,
            "check",
            "--fix",
            "--select=F401,I",
            f"--config={_FIRST_PARTY}",
            f"--config={_ONE_LINE}",
            *_OPTIONS,
            str(code),
        )
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
