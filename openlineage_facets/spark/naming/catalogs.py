"""Namespaces of catalogs, names of their tables, and the facets that link datasets to them."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from openlineage_facets.base.redaction.redact import redact
from openlineage_facets.base.redaction.secret_urls import without_login
from openlineage_facets.facets import (
    CatalogDatasetFacet,
    DatasetFacet,
    SymlinksDatasetFacet,
    symlinks_dataset,
)
from openlineage_facets.naming.storage import uri_of_path
from openlineage_facets.naming.uris import as_uri, escaped
from openlineage_facets.spark.jvm.objects import hadoop_configuration

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_GLUE_CLIENT = "AWSGlueDataCatalogHiveClientFactory"


@dataclass(frozen=True)
class Catalog:
    """A catalog of tables.

    Args:
        name: The name in Spark's configuration.
        namespace: The namespace of its table names.
        framework: The table format, such as `iceberg`.
        type: The implementation, such as `hive`, `rest` or `glue`.
        metadata_uri: The address of its service.
        warehouse: The Hadoop path of the folder with its tables, not URL-encoded.
    """

    name: str
    namespace: str
    framework: str
    type: str
    metadata_uri: str | None = None
    warehouse: str | None = None

    def table(self, parts: list[str]) -> tuple[str, str]:
        """Return the namespace and name of a table from its database and table name."""
        if self.type == "glue":
            return self.namespace, "table/" + "/".join(parts)
        return self.namespace, ".".join(parts)

    def facets(self, parts: list[str], symlink: bool = True) -> list[DatasetFacet]:
        """Return the catalog facet of a table, preceded by a symlinks facet with its name in the catalog.

        Args:
            parts: Database and table name.
            symlink: Whether to include the symlinks facet.
        """
        uris: dict[str, Any] = {
            "metadata_uri": as_uri(self.metadata_uri) if self.metadata_uri else None,
            "warehouse_uri": uri_of_path(self.warehouse) if self.warehouse else None,
        }
        present: dict[str, Any] = {key: redact(uri) for key, uri in uris.items() if uri}
        catalog = CatalogDatasetFacet(
            framework=self.framework,
            type=self.type,
            name=self.name,
            source="spark",
            **present,
        )
        if not symlink:
            return [catalog]
        namespace, name = self.table(parts)
        identifier = symlinks_dataset.Identifier(namespace=redact(namespace), name=name, type="TABLE")
        return [SymlinksDatasetFacet(identifiers=[identifier]), catalog]


def session_catalog(spark: SparkSession) -> Catalog:
    """Return `spark_catalog`: a Hive metastore, Glue, or the warehouse folder."""
    warehouse = _setting(spark, "spark.sql.warehouse.dir") or "spark-warehouse"
    uri = uri_of_path(warehouse)
    if _setting(spark, "spark.sql.catalogImplementation") != "hive":
        return Catalog("spark_catalog", uri, "spark", "in-memory", None, warehouse)
    hadoop = hadoop_configuration(spark)
    glue = _glue_namespace(hadoop.get)
    if glue is not None:
        return Catalog("spark_catalog", glue, "hive", "glue", None, warehouse)
    metastore = (hadoop.get("hive.metastore.uris") or "").split(",")[0].strip()
    if metastore:
        return Catalog(
            "spark_catalog", _hive_namespace(metastore), "hive", "hive", without_login(metastore), warehouse
        )
    return Catalog("spark_catalog", uri, "hive", "hive", None, warehouse)


def catalog_named(spark: SparkSession, name: str, framework: str) -> Catalog:
    """Return a catalog by its name in Spark's configuration.

    Args:
        spark: The session.
        name: The name, such as `spark_catalog`.
        framework: The table format.
    """
    if name == "spark_catalog":
        return session_catalog(spark)
    return catalog_from_settings(
        name, lambda key: _setting(spark, f"spark.sql.catalog.{name}.{key}"), framework
    )


def catalog_from_settings(name: str, setting: Callable[[str], str | None], framework: str) -> Catalog:
    """Return a catalog that is configured under `spark.sql.catalog.NAME`.

    Args:
        name: The name.
        setting: Returns the value of `spark.sql.catalog.NAME.KEY` for a key.
        framework: The table format.
    """
    implementation = (setting("catalog-impl") or "").rpartition(".")[2]
    kind = setting("type") or implementation.removesuffix("Catalog").lower()
    kind = kind or ("hive" if framework == "iceberg" else "other")
    address, warehouse = setting("uri"), setting("warehouse")
    folder = uri_of_path(warehouse) if warehouse else None
    if address and kind == "hive":
        namespace = _hive_namespace(address.split(",")[0].strip())
    elif address and kind in ("rest", "nessie"):
        namespace = without_login(address)
    elif kind == "glue":
        namespace = _glue_namespace(setting, is_glue=True) or folder or name
    else:
        namespace = folder or name
    uri = without_login(address) if address else None
    return Catalog(name, namespace, framework, kind, uri, warehouse)


def _hive_namespace(metastore: str) -> str:
    """Return the namespace of a Hive metastore, such as `hive://host:9083`."""
    return escaped("hive://" + (urlsplit(metastore).netloc or metastore).rpartition("@")[2])


def _glue_namespace(setting: Callable[[str], str | None], is_glue: bool = False) -> str | None:
    """Return the ARN of a Glue catalog; None if Glue, the account or the region is not configured."""
    if not is_glue and _GLUE_CLIENT not in (setting("hive.metastore.client.factory.class") or ""):
        return None
    account = setting("hive.metastore.glue.catalogid") or setting("glue.id") or setting("glue.account-id")
    region = setting("client.region") or os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION")
    return f"arn:aws:glue:{region}:{account}" if account and region else None


def _setting(spark: SparkSession, key: str) -> str | None:
    return spark.conf.get(key, None)
