# Generated from https://openlineage.io/spec/facets/1-0-1/StorageDatasetFacet.json (facets/StorageDatasetFacet.json) by `make regen`.
# Do not edit: change the schema and generate again.
"""Dataset facet for the table format and the file format that a dataset is stored in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

from pydantic import Field, StrictStr, model_validator

from openlineage_facets.base.rules import keep_unknown_apart
from openlineage_facets.base.types import Maybe
from openlineage_facets.generated.open_lineage import DatasetFacet


class StorageDatasetFacet(DatasetFacet):
    """How a dataset is stored: its table format and the format of its files.

    Engines that read or write lake tables attach it to inputs and outputs; catalogs use it to
    tell managed tables from plain files. Further properties are allowed.
    """

    __schema_url__: ClassVar[str] = (
        "https://openlineage.io/spec/facets/1-0-1/StorageDatasetFacet.json#/$defs/StorageDatasetFacet"
    )
    __facet_key__: ClassVar[str | None] = "storage"

    storage_layer: Annotated[StrictStr, Field(alias="storageLayer")]
    """Table format that manages the dataset's files, in lower case.

    Usual values are `iceberg` and `delta`. Examples: `"iceberg"`, `"delta"`.
    """
    file_format: Annotated[Maybe[StrictStr], Field(alias="fileFormat")] = None
    """Format of the data files below the table format, in lower case.

    Usual values are `parquet`, `avro`, `orc`, `csv`, `json`, `xml` and `text`. Example:
    `"parquet"`.
    """

    _keep_unknown_apart = model_validator(mode="after")(keep_unknown_apart)

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            storage_layer: str,
            file_format: str | None = None,
            deleted: bool | None = None,
            producer: str | None = None,
            schema_url: str | None = None,
        ) -> None: ...
