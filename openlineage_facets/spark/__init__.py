"""OpenLineage from PySpark jobs, and event archives of any size."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from openlineage_facets.spark.spark_exports import load_spark_export

if TYPE_CHECKING:
    from openlineage_facets.spark.run.spark_run import SparkRun

__all__ = ["SparkRun"]

_EXPORTS = {"SparkRun": "run.spark_run"}


def __getattr__(name: str) -> Any:
    return load_spark_export(__name__, name, _EXPORTS)


def __dir__() -> list[str]:
    return __all__
