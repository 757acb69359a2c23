"""OpenLineage from PySpark jobs, and event archives of any size."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from openlineage_facets.spark.spark_exports import load_spark_export

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


def __getattr__(name: str) -> Any:
    return load_spark_export(__name__, name, _EXPORTS)


def __dir__() -> list[str]:
    return __all__
