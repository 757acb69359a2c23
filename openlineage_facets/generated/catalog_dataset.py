# Generated from https://openlineage.io/spec/facets/1-1-0/CatalogDatasetFacet.json (facets/CatalogDatasetFacet.json) by `make regen`.
# Do not edit: change the schema and generate again.
"""The catalog that a dataset is registered in, such as a Hive metastore or an Iceberg REST
catalog.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, ClassVar

from pydantic import Field, StrictStr, model_validator

from openlineage_facets.base.rules import keep_unknown_apart
from openlineage_facets.base.types import Maybe
from openlineage_facets.generated.open_lineage import DatasetFacet


class CatalogDatasetFacet(DatasetFacet):
    """Names the catalog through which a job found the dataset, and how to reach it.

    Engines with pluggable catalogs (Spark, Flink) emit it; backends and catalog vendors use
    it to match the dataset with the entry in that catalog.
    """

    __schema_url__: ClassVar[str] = (
        "https://openlineage.io/spec/facets/1-1-0/CatalogDatasetFacet.json#/$defs/CatalogDatasetFacet"
    )
    __facet_key__: ClassVar[str | None] = "catalog"

    framework: StrictStr
    """Table format or storage framework the catalog serves.

    Usual values are `iceberg`, `delta`, `hive` and `hudi`. Examples: `"delta"`, `"hudi"`.
    """
    type: StrictStr
    """Kind of catalog implementation behind the name.

    Usual values are `hive`, `glue`, `jdbc`, `rest`, `hadoop`, `polaris` and `unity`.
    Examples: `"rest"`, `"hive"`.
    """
    name: StrictStr
    """Name the catalog has in the configuration of the system that uses it.

    In Spark, it is the part after `spark.sql.catalog.` and the first part of a full table
    name. Examples: `"lakehouse"`, `"flights_prod"`.
    """
    metadata_uri: Annotated[Maybe[StrictStr], Field(alias="metadataUri")] = None
    """Address of the catalog service or its database, as a URI or a connection string.

    Leave it out when the catalog has no address of its own, and never put a password into it.
    Examples: `"https://catalog.example.com/api/v1"`, `"thrift://metastore.example.com:9083"`.
    """
    warehouse_uri: Annotated[Maybe[StrictStr], Field(alias="warehouseUri")] = None
    """Root location under which the catalog keeps the data files of its tables.

    Examples: `"s3://example-lake/warehouse"`, `"abfss://lake@store.example.com/warehouse"`.
    """
    source: Maybe[StrictStr] = None
    """System in whose configuration the catalog is declared.

    Usual values are `spark`, `flink` and `hive`. Example: `"flink"`.
    """
    catalog_properties: Annotated[Maybe[dict[str, StrictStr]], Field(alias="catalogProperties")] = None
    """Further configuration of the catalog, as text by property name.

    Copy only what helps to identify the catalog, such as a region or a branch; leave out
    tokens and passwords. Example: `{"region": "eu-west-1", "branch": "main"}`.
    """

    _keep_unknown_apart = model_validator(mode="after")(keep_unknown_apart)

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            framework: str,
            type: str,
            name: str,
            metadata_uri: str | None = None,
            warehouse_uri: str | None = None,
            source: str | None = None,
            catalog_properties: Mapping[str, str] | None = None,
            deleted: bool | None = None,
            producer: str | None = None,
            schema_url: str | None = None,
        ) -> None: ...
