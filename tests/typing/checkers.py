"""Run mypy and pyright on a few files and return what they report."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

from tests.conftest import ROOT

MARK = "# error"
"""What a line with a mistake ends with."""

Place = tuple[str, int]
"""File and line."""


@cache
def mypy(files: tuple[Path, ...]) -> dict[Place, str]:
    """Return what mypy reports, by file and line."""
    reports = map(json.loads, _run(files, "mypy", "--strict", "--output", "json").splitlines())
    return {
        (Path(one["file"]).name, one["line"]): one["message"] for one in reports if one["severity"] == "error"
    }


@cache
def pyright(files: tuple[Path, ...]) -> dict[Place, str]:
    """Return what pyright reports, by file and line."""
    reports = json.loads(_run(files, "pyright", "--outputjson", "--pythonpath", sys.executable))
    assert reports["summary"]["filesAnalyzed"] == len(files)
    return {
        (Path(one["file"]).name, one["range"]["start"]["line"] + 1): one["message"]
        for one in reports["generalDiagnostics"]
        if one["severity"] in ("error", "warning")
    }


def marked(files: tuple[Path, ...]) -> set[Place]:
    """Return the lines that hold a mistake."""
    return {
        (file.name, number)
        for file in files
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1)
        if line.endswith(MARK)
    }


def _run(files: tuple[Path, ...], *command: str) -> str:
    # Modules and packages in one folder import each other; pyright asks Python for its path.
    folders = {file.parent for file in files if not (file.parent / "__init__.py").exists()}
    path = os.pathsep.join(map(str, folders))
    done = subprocess.run(
        [sys.executable, "-m", *command, *map(str, files)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "MYPYPATH": path, "PYTHONPATH": path},
        check=False,
    )
    # 0: no errors, 1: errors; anything else is the checker's own failure.
    assert done.returncode in (0, 1), done.stderr or done.stdout
    return done.stdout
