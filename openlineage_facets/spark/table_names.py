"""Names of the tables of a catalog: what the catalog is called, and the facets that say where it stands."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from openlineage_facets.facets import (
    CatalogDatasetFacet,
    DatasetFacet,
    DatasetTypeDatasetFacet,
    SymlinksDatasetFacet,
    symlinks_dataset,
)
from openlineage_facets.spark.jvm import hadoop_configuration
from openlineage_facets.spark.path_names import dataset_of_path

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["Catalog", "catalog_of_config", "session_catalog"]

_GLUE_CLIENT = "AWSGlueDataCatalogHiveClientFactory"


@dataclass(frozen=True)
class Catalog:
    """A catalog of tables.

    Args:
        name: Its name in Spark's configuration.
        namespace: The namespace of its tables' names.
        framework: The table format it serves.
        type: Which implementation it is.
        metadata_uri: Where its service answers.
        warehouse_uri: Where the files of its tables lie.
    """

    name: str
    namespace: str
    framework: str
    type: str
    metadata_uri: str | None = None
    warehouse_uri: str | None = None

    def table(self, parts: list[str]) -> tuple[str, str]:
        """Return namespace and name of a table, from its database and its own name."""
        if self.type == "glue":
            return self.namespace, "table/" + "/".join(parts)
        return self.namespace, ".".join(parts)

    def facets(self, parts: list[str], symlink: bool = True) -> list[DatasetFacet]:
        """Return the facets that tie a dataset to its table in this catalog."""
        uris: dict[str, Any] = {"metadata_uri": self.metadata_uri, "warehouse_uri": self.warehouse_uri}
        catalog = CatalogDatasetFacet(
            framework=self.framework,
            type=self.type,
            name=self.name,
            source="spark",
            **{key: uri for key, uri in uris.items() if uri},
        )
        if not symlink:
            return [catalog]
        namespace, name = self.table(parts)
        other = symlinks_dataset.Identifier(namespace=namespace, name=name, type="TABLE")
        return [SymlinksDatasetFacet(identifiers=[other]), catalog]


def table_type(managed: bool) -> DatasetTypeDatasetFacet:
    """Say that a dataset is a table, and whether the catalog owns its files."""
    return DatasetTypeDatasetFacet(dataset_type="TABLE", sub_type="MANAGED" if managed else "EXTERNAL")


def session_catalog(spark: SparkSession) -> Catalog:
    """Return the catalog that Spark calls spark_catalog: a Hive metastore, Glue, or a mere folder."""
    warehouse = _setting(spark, "spark.sql.warehouse.dir") or "spark-warehouse"
    uri = warehouse_uri(warehouse)
    if _setting(spark, "spark.sql.catalogImplementation") != "hive":
        return Catalog("spark_catalog", uri, "spark", "in-memory", None, uri)
    hadoop = hadoop_configuration(spark)
    glue = _glue(hadoop.get)
    if glue is not None:
        return Catalog("spark_catalog", glue, "hive", "glue", None, uri)
    metastore = (hadoop.get("hive.metastore.uris") or "").split(",")[0].strip()
    if metastore:
        return Catalog(
            "spark_catalog", hive_namespace(metastore), "hive", "hive", without_login(metastore), uri
        )
    return Catalog("spark_catalog", uri, "hive", "hive", None, uri)


def catalog_of_config(name: str, setting: Callable[[str], str | None], framework: str) -> Catalog:
    """Return a catalog that is configured under `spark.sql.catalog.NAME`.

    Args:
        name: Its name.
        setting: Gives a setting by what stands after `spark.sql.catalog.NAME.`.
        framework: The table format it serves.
    """
    implementation = (setting("catalog-impl") or "").rpartition(".")[2]
    kind = setting("type") or implementation.removesuffix("Catalog").lower()
    kind = kind or ("hive" if framework == "iceberg" else "other")
    address, warehouse = setting("uri"), setting("warehouse")
    warehouse = warehouse_uri(warehouse) if warehouse else None
    if address and kind == "hive":
        namespace = hive_namespace(address.split(",")[0].strip())
    elif address and kind in ("rest", "nessie"):
        namespace = without_login(address)
    elif kind == "glue":
        namespace = _glue(setting, always=True) or warehouse or name
    else:
        namespace = warehouse or name
    uri = without_login(address) if address else None
    return Catalog(name, namespace, framework, kind, uri, warehouse)


def warehouse_uri(warehouse: str) -> str:
    """Return the normal spelling of a warehouse folder: `file:/tmp/warehouse`, `s3://lake/warehouse`."""
    namespace, name = dataset_of_path(warehouse)
    if namespace == "file":
        return f"file:{name}"
    return namespace if name == "/" else f"{namespace}/{name.lstrip('/')}"


def hive_namespace(metastore: str) -> str:
    """Return the namespace of a Hive metastore's tables: `hive://host:9083`."""
    return "hive://" + (urlsplit(metastore).netloc or metastore).rpartition("@")[2]


def without_login(uri: str) -> str:
    """Return a URI without user, password, query and fragment, where a secret may stand."""
    scheme, slashes, rest = uri.partition("://")
    if not slashes:
        return uri.partition("?")[0]
    authority, slash, path = rest.partition("/")
    path = path.partition("?")[0].partition("#")[0]
    return f"{scheme}://{authority.rpartition('@')[2]}{slash}{path}".partition("?")[0]


def _glue(setting: Callable[[str], str | None], always: bool = False) -> str | None:
    """Return the namespace of the tables of a Glue catalog, where Spark is set up for one and says whose."""
    if not always and _GLUE_CLIENT not in (setting("hive.metastore.client.factory.class") or ""):
        return None
    account = setting("hive.metastore.glue.catalogid") or setting("glue.id") or setting("glue.account-id")
    region = setting("client.region") or os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION")
    return f"arn:aws:glue:{region}:{account}" if account and region else None


def _setting(spark: SparkSession, key: str) -> str | None:
    return spark.conf.get(key, None)
