"""Read TOML files, on Python 3.10 with the package tomli."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from openlineage_facets.version import install_command


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
    document: dict[str, Any] = parser.loads(path.read_text(encoding="utf-8"))
    return document


def line_of(lines: Sequence[str], keys: Iterable[str | int], prefix: str = "") -> int | None:
    """Return the line of a key, or of the table that should contain it, which TOML parsers do not return.

    Args:
        lines: The lines of the document.
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
