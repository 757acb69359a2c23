# Generated from https://openlineage.io/spec/facets/1-0-1/DatasourceDatasetFacet.json (facets/DatasourceDatasetFacet.json) by `make regen`.
# Do not edit: change the schema and generate again.
"""The system that holds a dataset, by name and address."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from pydantic import StrictStr

from openlineage_facets.base.types import Maybe
from openlineage_facets.generated.open_lineage import DatasetFacet


class DatasourceDatasetFacet(DatasetFacet):
    """Database, cluster or bucket in which the dataset lives.

    Integrations fill it from the connection they used; catalogs use it to group datasets by
    system and to show where they are hosted.
    """

    __schema_url__: ClassVar[str] = (
        "https://openlineage.io/spec/facets/1-0-1/DatasourceDatasetFacet.json#/$defs/DatasourceDatasetFacet"
    )
    __facet_key__: ClassVar[str | None] = "dataSource"

    name: Maybe[StrictStr] = None
    """Label of the data source, often identical to the dataset's namespace.

    Examples: `"postgres://warehouse-db.example.com:5432"`, `"flight-archive"`.
    """
    uri: Maybe[StrictStr] = None
    """Address at which the data source is reached, as a URI.

    Strip user names, passwords and tokens from a connection string before sending it.
    Examples: `"postgres://warehouse-db.example.com:5432/warehouse"`, `"s3://flight-archive"`.
    """

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            name: str | None = None,
            uri: str | None = None,
            deleted: bool | None = None,
            producer: str | None = None,
            schema_url: str | None = None,
        ) -> None: ...
