"""Settings of a project, from the nearest `pyproject.toml`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from openlineage_facets.cli.failure import CommandError

__all__ = ["TABLE", "Config", "read_config"]

TABLE = "openlineage-facets"
"""The table below `[tool]`."""


@dataclass(frozen=True)
class Config:
    """What `[tool.openlineage-facets]` says; options on the command line come first.

    Args:
        paths: What to check where no path is given.
        select: Codes to report.
        ignore: Codes not to report.
        strict: Whether warnings are errors.
        jobs: Processes to check in.
        schemas: Folders of JSON Schemas to judge by.
        baseline: The file of known findings.
    """

    paths: tuple[str, ...] = ()
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    strict: bool = False
    jobs: int = 1
    schemas: tuple[str, ...] = ()
    baseline: str | None = None


def read_config(start: Path) -> Config:
    """Return the settings that hold in a folder: the table of the first `pyproject.toml` upwards that has it.

    Paths in it are relative to it.

    Args:
        start: The folder.

    Raises:
        CommandError: The file is no TOML, or its table holds what nobody knows.
    """
    for folder in (start, *start.parents):
        path = folder / "pyproject.toml"
        table = _table(path) if path.is_file() else None
        if table is not None:
            return _config(path, table)
    return Config()


def _table(path: Path) -> dict[str, Any] | None:
    """Return our table in a file, None where it has none."""
    name = "tomllib" if sys.version_info >= (3, 11) else "tomli"
    try:
        tomllib = import_module(name)
    except ModuleNotFoundError:
        raise CommandError(f'{path} needs {name}: pip install "openlineage-facets[cli]"') from None
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise CommandError(f"{path}: {error}") from None
    tool = document.get("tool")
    table = tool.get(TABLE) if isinstance(tool, dict) else None
    if table is not None and not isinstance(table, dict):
        raise CommandError(f"{path}: [tool.{TABLE}]: expected a table, found {table!r}")
    return table


def _config(path: Path, table: dict[str, Any]) -> Config:
    unknown = sorted(set(table) - set(_KEYS))
    if unknown:
        raise CommandError(
            f"{path}: [tool.{TABLE}]: expected keys out of {', '.join(_KEYS)}, found {', '.join(unknown)}"
        )
    values: dict[str, Any] = {}
    for key, value in table.items():
        expected, fits = _KEYS[key]
        if not fits(value):
            raise CommandError(f"{path}: [tool.{TABLE}] {key}: expected {expected}, found {value!r}")
        if key in ("paths", "schemas"):
            value = [_below(path.parent, item) for item in value]
        elif key == "baseline":
            value = _below(path.parent, value)
        values[key] = tuple(value) if isinstance(value, list) else value
    return Config(**values)


def _below(folder: Path, path: str) -> str:
    return str(folder / path)


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


_TEXTS = "a list of strings"
_KEYS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "paths": (_TEXTS, _is_texts),
    "select": (_TEXTS, _is_texts),
    "ignore": (_TEXTS, _is_texts),
    "strict": ("true or false", lambda value: isinstance(value, bool)),
    "jobs": (
        "a number from 0 on",
        lambda value: isinstance(value, int) and not isinstance(value, bool) and value >= 0,
    ),
    "schemas": (_TEXTS, _is_texts),
    "baseline": ("a string", lambda value: isinstance(value, str)),
}
"""Each key with what it takes."""
