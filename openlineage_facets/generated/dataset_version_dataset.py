# Generated from https://openlineage.io/spec/facets/1-0-1/DatasetVersionDatasetFacet.json (facets/DatasetVersionDatasetFacet.json) by `make regen`.
# Do not edit: change the schema and generate again.
"""Which version of a dataset a run read or wrote."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

from pydantic import Field, StrictStr

from openlineage_facets.generated.open_lineage import DatasetFacet


class DatasetVersionDatasetFacet(DatasetFacet):
    """Version of the dataset that an event refers to, as the storage layer counts it.

    Integrations with versioned storage such as Iceberg or Delta Lake emit it; readers use it
    to tell which snapshot went into a result and to reproduce it. Extra keys may be added
    next to the version.
    """

    __schema_url__: ClassVar[str] = (
        "https://openlineage.io/spec/facets/1-0-1/DatasetVersionDatasetFacet.json#/$defs/DatasetVersionDatasetFacet"
    )
    __facet_key__: ClassVar[str | None] = "version"

    dataset_version: Annotated[StrictStr, Field(alias="datasetVersion")]
    """Version in the storage system's own notation, such as a snapshot id or commit number.

    Compare it for equality only, because not every format's ids grow with time. Examples:
    `"27"`, `"4108276591823740012"`.
    """

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            dataset_version: str,
            deleted: bool | None = None,
            producer: str | None = None,
            schema_url: str | None = None,
        ) -> None: ...
