"""Project settings from the nearest `pyproject.toml`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from openlineage_facets.cli.command_error import CommandError
from openlineage_facets.toml_file import read_toml

TABLE = "openlineage-facets"
"""Name of the table under `[tool]`."""


@dataclass(frozen=True)
class Config:
    """Settings in `[tool.openlineage-facets]`. Command-line options take precedence.

    Args:
        paths: Paths to check if none is passed.
        select: Codes to report.
        ignore: Codes to ignore.
        strict: Whether to treat warnings as errors.
        jobs: Number of worker processes.
        schemas: Folders of additional JSON Schemas.
        id_base: URL of these folders, for schemas without `$id`.
        baseline: File of known findings.
        null_is_absent: Whether to read fields that are null as absent.
        backends: Names of the backends that receive the events, or paths of profiles.
        naming: File with rules for the names of datasets.
        lenient: Whether `generate` and `diff` accept keywords that classes cannot enforce.
    """

    paths: tuple[str, ...] = ()
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    strict: bool = False
    jobs: int = 1
    schemas: tuple[str, ...] = ()
    id_base: str | None = None
    baseline: str | None = None
    null_is_absent: bool = False
    backends: tuple[str, ...] = ()
    naming: str | None = None
    lenient: bool = False


def read_config(start: Path) -> Config:
    """Return the settings of the first `pyproject.toml` with our table, in `start` or a parent folder.

    Paths in the table are relative to the file.

    Args:
        start: Folder to start from.

    Raises:
        CommandError: The file is not valid TOML, or the table has an unknown key or an invalid value.
    """
    found = next(_tables(start), None)
    return Config() if found is None else _config(*found)


def project_file(start: Path) -> Path | None:
    """Return the first `pyproject.toml` with our table, in `start` or a parent folder.

    Raises:
        CommandError: A file on the way is not valid TOML, or our table is no table.
    """
    return next((path for path, _ in _tables(start)), None)


def _tables(start: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Yield each `pyproject.toml` with our table, and the table, from `start` upwards."""
    for folder in (start, *start.parents):
        path = folder / "pyproject.toml"
        table = _table(path) if path.is_file() else None
        if table is not None:
            yield path, table


def _table(path: Path) -> dict[str, Any] | None:
    """Return our table in a file, or None."""
    try:
        document = read_toml(path)
    except ModuleNotFoundError as error:
        raise CommandError(str(error)) from None
    except (OSError, ValueError) as error:
        raise CommandError(f"{path}: {error}") from None
    tool = document.get("tool")
    table = tool.get(TABLE) if isinstance(tool, dict) else None
    if table is not None and not isinstance(table, dict):
        raise CommandError(f"{path}: [tool.{TABLE}]: expected a table, found {table!r}")
    return table


def _config(path: Path, table: dict[str, Any]) -> Config:
    unknown = sorted(set(table) - {*_KEYS, "policies"})
    if unknown:
        raise CommandError(
            f"{path}: [tool.{TABLE}]: unknown key {', '.join(unknown)}; known keys: {', '.join(_KEYS)}"
        )
    values: dict[str, Any] = {}
    for key, value in table.items():
        if key == "policies":
            continue  # `check` reads them.
        expected, is_valid = _KEYS[key]
        if not is_valid(value):
            raise CommandError(f"{path}: [tool.{TABLE}] {key}: expected {expected}, found {value!r}")
        if isinstance(value, list):
            value = tuple(_relative_to(path.parent, item) if _is_path(key, item) else item for item in value)
        elif _is_path(key, value):
            value = _relative_to(path.parent, value)
        values[key.replace("-", "_")] = value
    return Config(**values)


def _is_path(key: str, value: object) -> bool:
    """Return whether a value is a path. Backends are names, or paths of profiles."""
    is_profile = key == "backends" and str(value).endswith(".toml")
    return is_profile or key in ("paths", "schemas", "baseline", "naming")


def _relative_to(folder: Path, path: str) -> str:
    """Return a path in `folder` relative to the working folder, as if it had been passed: reports name it."""
    return path if Path(path).is_absolute() else os.path.relpath(folder / path)


def _is_string(value: object) -> bool:
    return isinstance(value, str)


_VALUES: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "tuple[str, ...]": (
        "a list of strings",
        lambda value: isinstance(value, list) and all(map(_is_string, value)),
    ),
    "str | None": ("a string", _is_string),
    "bool": ("true or false", lambda value: isinstance(value, bool)),
    "int": (
        "an integer of at least 0",
        lambda value: isinstance(value, int) and not isinstance(value, bool) and value >= 0,
    ),
}
"""For the annotation of a setting: the description of its value in TOML, and a check of it."""

_KEYS = {field.name.replace("_", "-"): _VALUES[str(field.type)] for field in fields(Config)}
"""For each key, the description of its value and a check of it."""
