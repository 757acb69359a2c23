"""Read TOML files, on Python 3.10 with the package tomli."""

from __future__ import annotations

import sys
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
