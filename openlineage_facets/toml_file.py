"""Read TOML files, on Python 3.10 with the package tomli, and report invalid values with their lines."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ValidationError

from openlineage_facets.base.errors.findings import describe
from openlineage_facets.version import install_command

M = TypeVar("M", bound=BaseModel)

_ENCODING = "utf-8-sig"
"""UTF-8, also after a byte order mark."""


def read_toml(path: Path) -> dict[str, Any]:
    """Return the document in a TOML file.

    Raises:
        OSError: The file cannot be read.
        ValueError: It is not valid TOML.
        ModuleNotFoundError: On Python 3.10, tomli is not installed.
    """
    name = "tomllib" if sys.version_info >= (3, 11) else "tomli"
    try:
        parser = import_module(name)
    except ModuleNotFoundError:
        raise ModuleNotFoundError(f"{path} needs {name}: {install_command('cli')}") from None
    try:
        document: dict[str, Any] = parser.loads(path.read_text(encoding=_ENCODING))
    except RecursionError:
        raise ValueError("values are nested too deeply; use fewer levels") from None
    return document


def line_of(lines: Sequence[str], keys: Iterable[str | int], prefix: str = "") -> int | None:
    """Return the line of a key, or of the table that should contain it, which TOML parsers do not return.

    Args:
        lines: The lines of the document, without texts and comments.
        keys: The keys that lead to it, and the positions in arrays of tables.
        prefix: What the names of tables begin with, such as "tool.mypy.".

    Example:
        >>> line_of(["[[tag]]", "[[tag]]", 'reason = "GDPR"'], ["tag", 1, "reason"])
        3
    """
    found, header = None, ""
    for key in keys:
        if isinstance(key, int):
            tables = [at for at, line in enumerate(lines) if re.match(header, line)]
            found = tables[key] if key < len(tables) else found
            continue
        name = rf"[\"']?{re.escape(key)}[\"']?"
        header = rf"\s*\[+\s*{re.escape(prefix)}{name}\s*\]"
        pattern = re.compile(rf"{header}|\s*(?:.*[{{,]\s*)?{name}\s*[=.]")
        for at in range(found or 0, len(lines)):
            if pattern.match(lines[at]):
                found = at
                break
            if found is not None and at > found and _TABLE.match(lines[at]):
                break  # Its keys are before the next table.
    return None if found is None else found + 1


_TABLE = re.compile(r"\s*\[")

_TEXT = re.compile(
    r"""
    (?P<kept> ^[ \t]*\[[^\n=]*\][^\n]*$                      # the header of a table
      | (?:"(?:\\.|[^"\\\n])*"|'[^'\n]*')[ \t]*[=.] )        # a key
    | \"{3}(?:\\.|[^\\])*?\"{3} | '{3}.*?'{3} | "(?:\\.|[^"\\\n])*" | '[^'\n]*' | \#[^\n]*
    """,
    re.VERBOSE | re.MULTILINE | re.DOTALL,
)
"""Texts and comments, which may contain what looks like a key."""


def _without_texts(document: str) -> str:
    """Return a document with the same keys on the same lines, without texts and comments."""
    return _TEXT.sub(lambda match: match["kept"] or "\n" * match[0].count("\n"), document)


class TomlTable:
    """A table of a TOML file, and the lines of what is in it.

    Args:
        path: The file.
        name: The table, such as "tool.mypy"; "" for the whole document.

    Raises:
        OSError: The file cannot be read.
        ValueError: It is not valid TOML.
        ModuleNotFoundError: On Python 3.10, tomli is not installed.
    """

    def __init__(self, path: Path, name: str = "") -> None:
        self._path, self._prefix = path, f"{name}." if name else ""
        try:
            self._table: Any = read_toml(path)
        except ValueError as error:
            raise ValueError(f"{path}: expected TOML: {error}") from None
        for key in filter(None, name.split(".")):
            self._table = self._table.get(key, {}) if isinstance(self._table, dict) else {}
        self._lines = _without_texts(path.read_text(encoding=_ENCODING)).split("\n")

    def line_of(self, keys: Sequence[str | int]) -> int | None:
        """Return the line of a key, or of the table that should contain it."""
        known = [key for place, key in enumerate(keys) if place < 2 or isinstance(key, str)]
        return line_of(self._lines, known, self._prefix)

    def location_of(self, keys: Sequence[str | int]) -> str:
        """Return the file and the line of a key, such as `policies.toml:2`."""
        line = self.line_of(keys)
        return str(self._path) if line is None else f"{self._path}:{line}"

    def read_as(self, model: type[M]) -> M:
        """Return the table as an object.

        Raises:
            ValueError: It is invalid. There is a line for each problem.
        """
        try:
            return model.model_validate(self._table)
        except ValidationError as error:
            problems = (self._problem(one, model) for one in error.errors(include_url=False))
            raise ValueError("\n".join(problems)) from None

    def _problem(self, error: Any, model: type[BaseModel]) -> str:
        keys: Sequence[int | str] = error["loc"]
        kind, value = error["type"], error["input"]
        path = ".".join(key for key in keys if isinstance(key, str)) or "(root)"
        where = f"{self.location_of(keys[:-1] if kind == 'missing' else keys)}: {path}: expected"
        if kind == "extra_forbidden":
            known = _known_keys(model, keys)
            close = get_close_matches(str(keys[-1]), known, n=1)
            hint = f"did you mean {close[0]}?" if close else f"known: {', '.join(known)}"
            return f"{where} a known key; {hint}"
        if kind == "missing":
            return f"{where} a value, found none; add {keys[-1]} = ..."
        if kind in ("too_short", "string_too_short"):
            return f"{where} at least one {'item' if kind == 'too_short' else 'character'}"
        fix = ""
        if kind == "list_type" and len(keys) == 1 and isinstance(value, dict):
            fix = f"; write [[{self._prefix}{path}]] instead of [{self._prefix}{path}]"
        elif kind == "list_type" and isinstance(value, str):
            fix = f"; write {keys[-1]} = [{json.dumps(value, ensure_ascii=False)}]"
        text = error["msg"].removeprefix("Value error, ").removeprefix("Input should ").removeprefix("be ")
        return f"{where} {text.removeprefix('expected ')}, found {describe(value)}{fix}"


def _known_keys(model: type[BaseModel], keys: Sequence[int | str]) -> list[str]:
    """Return the keys of the table that contains an unknown one."""
    for key in keys[:-1]:
        fields = {field.alias or name: field.annotation for name, field in model.model_fields.items()}
        if key in fields:
            kind: Any = fields[str(key)]
            model = next(iter(get_args(kind)), kind)
    return [field.alias or name for name, field in model.model_fields.items()]
