"""Run the programs of other systems, each in its own environment."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.conftest import ROOT
from tests.interop.exchanges import Reply

ENVIRONMENTS = ROOT / ".venv-interop"
"""What `make interop` has installed: an environment for each system, and a folder of jars."""

_SETTINGS = re.compile("AIRFLOW|OPENLINEAGE_(?!FACETS_)")

TIMEOUT = 240.0
"""Maximum duration of a program in seconds."""


class NotInstalled(Exception):
    """A system is not installed; the text says why."""


def python_of(name: str) -> Path:
    """Return the interpreter of the environment `.venv-interop/NAME`.

    Raises:
        NotInstalled: The environment does not exist.
    """
    folder = ENVIRONMENTS / name
    python = folder / "bin" / "python"
    if not (folder / ".ready").exists():
        raise NotInstalled(f"it could not be installed, see .venv-interop/{name}.log")
    return python


def version_in(python: Path, package: str) -> str:
    """Return the version of a package in another environment."""
    code = f"from importlib.metadata import version; print(version({package!r}))"
    return run([python, "-c", code]).strip()


def replies_of(
    command: Sequence[str | Path], events: Iterable[Any], environment: Mapping[str, str] | None = None
) -> list[Reply]:
    """Return the replies of a program that reads one event per line."""
    lines = "".join(f"{json.dumps(event)}\n" for event in events)
    printed = run(command, text=lines, environment=environment)
    return [Reply(**json.loads(line)) for line in printed.splitlines() if line.startswith("{")]


def run(
    command: Sequence[str | Path],
    *,
    text: str = "",
    cwd: Path = ROOT,
    environment: Mapping[str, str] | None = None,
) -> str:
    """Return the output of a program, without settings of OpenLineage and Airflow in its environment.

    Raises:
        RuntimeError: It failed.
    """
    own = {name: value for name, value in os.environ.items() if not _SETTINGS.match(name)}
    done = subprocess.run(
        [str(part) for part in command],
        input=text,
        cwd=cwd,
        env={**own, "PYTHONPATH": str(ROOT), **(environment or {})},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=TIMEOUT,
        check=False,
    )
    if done.returncode != 0:
        raise RuntimeError(f"{command[0]} failed: {(done.stdout + done.stderr)[-2000:]}")
    return done.stdout
