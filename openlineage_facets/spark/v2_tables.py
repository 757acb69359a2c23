"""The datasets behind tables of catalogs other than Spark's own: Iceberg, Delta."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from openlineage_facets.facets import DatasetFacet, DatasetVersionDatasetFacet
from openlineage_facets.spark.jvm import JavaObject, entry, option
from openlineage_facets.spark.notices import notice
from openlineage_facets.spark.spark_dataset import SparkDataset, dataset, dataset_at, storage_facet
from openlineage_facets.spark.table_names import Catalog, catalog_of_config, session_catalog

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.types import StructType

__all__ = ["v2_datasets"]


def v2_datasets(
    spark: SparkSession, leaf: JavaObject, table: JavaObject, schema: StructType
) -> list[SparkDataset]:
    """Return the dataset of a DataSourceV2Relation; none, logged once, for an unknown kind."""
    kind = str(table.getClass().getName())
    framework = next((name for name in ("iceberg", "delta") if f".{name}." in kind), None)
    location: str | None
    facets: list[DatasetFacet]
    if framework == "iceberg":
        location, facets = _iceberg(table)
    elif framework == "delta":
        location, facets = _delta(table)
    else:
        location, facets = entry(table.properties(), "location"), []
    catalog, parts = named_in(spark, leaf, framework or "spark")
    if location:
        found = dataset_at(location, schema, [*facets, *(catalog.facets(parts) if catalog else [])])
        return [replace(found, table=sql_name([catalog.name, *parts])) if catalog else found]
    if catalog is not None:
        return [dataset(*catalog.table(parts), schema, catalog.facets(parts, symlink=False))]
    notice(
        f"the dataset of a {kind.rpartition('.')[2]} is left out of the lineage: this kind of table is not "
        "known; name it yourself with dataset=(namespace, name)"
    )
    return []


def named_in(spark: SparkSession, leaf: JavaObject, framework: str) -> tuple[Catalog | None, list[str]]:
    """Return the catalog that a relation was found in, and the parts of its name there."""
    plugin, identifier = option(leaf.catalog()), option(leaf.identifier())
    if plugin is None or identifier is None:
        return None, []
    parts = [*(str(part) for part in identifier.namespace()), str(identifier.name())]
    if "/" in parts[-1]:  # a path in the place of a name
        return None, []
    return catalog_named(spark, str(plugin.name()), framework), parts


def sql_name(parts: Iterable[str]) -> str:
    """Return the name of a table as SQL takes it, whatever its parts are like."""
    return ".".join("`" + part.replace("`", "``") + "`" for part in parts)


def catalog_named(spark: SparkSession, name: str, framework: str) -> Catalog:
    """Return a catalog by its name in Spark's configuration."""
    if name == "spark_catalog":
        return session_catalog(spark)

    def setting(key: str) -> str | None:
        return spark.conf.get(f"spark.sql.catalog.{name}.{key}", None)

    return catalog_of_config(name, setting, framework)


def _iceberg(table: JavaObject) -> tuple[str, list[DatasetFacet]]:
    inner = table.table()
    file_format = entry(inner.properties(), "write.format.default") or "parquet"
    facets: list[DatasetFacet] = [storage_facet("iceberg", file_format)]
    snapshot = _first(table.snapshotId, lambda: inner.currentSnapshot().snapshotId())
    if snapshot is not None:
        facets.append(DatasetVersionDatasetFacet(dataset_version=str(snapshot)))
    return str(inner.location()), facets


def _delta(table: JavaObject) -> tuple[str, list[DatasetFacet]]:
    version = DatasetVersionDatasetFacet(dataset_version=str(table.initialSnapshot().version()))
    return str(table.path().toString()), [storage_facet("delta", "parquet"), version]


def _first(*ways: Callable[[], JavaObject]) -> JavaObject | None:
    """Return the first value that there is; versions of a connector differ in where they keep it."""
    for way in ways:
        try:
            value = way()
        except Exception:  # py4j raises for a method that is not there, and for a call on null
            continue
        if value is not None:
            return value
    return None
