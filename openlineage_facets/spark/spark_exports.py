"""Import the public classes and functions of this package, or name the extra to install."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from openlineage_facets.base.lazy_imports import load_export
from openlineage_facets.version import install_command

_PACKAGES = ("py4j", "pyarrow", "pyspark")
"""Packages that the extra `spark` installs, with their dependencies."""


def load_spark_export(package: str, name: str, exports: Mapping[str, str]) -> Any:
    """Return the class or function `name` of a package.

    Raises:
        AttributeError: The package does not export this name.
        ModuleNotFoundError: PySpark, or another package of the extra `spark`, is not installed.
    """
    try:
        return load_export(package, name, exports)
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing not in _PACKAGES:
            raise
        needed = f"{package}.{name} needs {missing}: {install_command('spark')}"
        raise ModuleNotFoundError(needed, name=missing) from None
