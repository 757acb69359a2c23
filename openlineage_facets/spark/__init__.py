"""OpenLineage from PySpark jobs, and event archives of any size."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from openlineage_facets.base.lazy_imports import load_export
from openlineage_facets.version import install_command

if TYPE_CHECKING:
    from openlineage_facets.spark.datasets.plan_sources import inputs_of
    from openlineage_facets.spark.lineage.column_lineage import column_lineage_facet
    from openlineage_facets.spark.run.spark_run import SparkRun

__all__ = ["SparkRun", "column_lineage_facet", "inputs_of"]

_EXPORTS = {
    "SparkRun": "run.spark_run",
    "column_lineage_facet": "lineage.column_lineage",
    "inputs_of": "datasets.plan_sources",
}


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


def __getattr__(name: str) -> Any:
    return load_spark_export(__name__, name, _EXPORTS)


def __dir__() -> list[str]:
    return __all__
