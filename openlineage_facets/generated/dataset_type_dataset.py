# Generated from https://openlineage.io/spec/facets/1-0-1/DatasetTypeDatasetFacet.json (facets/DatasetTypeDatasetFacet.json) by `make regen`.
# Do not edit: change the schema and generate again.
"""What kind of object a dataset is, for instance a table, a view or a topic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

from pydantic import Field, StrictStr, model_validator

from openlineage_facets.base.rules import keep_unknown_apart
from openlineage_facets.base.types import Maybe
from openlineage_facets.generated.open_lineage import DatasetFacet


class DatasetTypeDatasetFacet(DatasetFacet):
    """Classification of a dataset by the kind of object behind its name.

    Integrations emit it for whatever they read or write; catalogs use it to pick icons and
    filters, and to tell a view from the tables beneath it.
    """

    __schema_url__: ClassVar[str] = (
        "https://openlineage.io/spec/facets/1-0-1/DatasetTypeDatasetFacet.json#/$defs/DatasetTypeDatasetFacet"
    )
    __facet_key__: ClassVar[str | None] = "datasetType"

    dataset_type: Annotated[StrictStr, Field(alias="datasetType")]
    """Main kind of the dataset, conventionally in upper case.

    An open string; usual values are `TABLE`, `VIEW`, `FILE`, `TOPIC`, `STREAM`, `MODEL` and
    `JOB_OUTPUT`. Examples: `"TABLE"`, `"TOPIC"`.
    """
    sub_type: Annotated[Maybe[StrictStr], Field(alias="subType")] = None
    """Finer kind within `datasetType`, for example which sort of view or table it is.

    An open string; usual values are `MATERIALIZED`, `EXTERNAL` and `TEMPORARY`. Examples:
    `"EXTERNAL"`, `"TEMPORARY"`.
    """

    _keep_unknown_apart = model_validator(mode="after")(keep_unknown_apart)

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            dataset_type: str,
            sub_type: str | None = None,
            deleted: bool | None = None,
            producer: str | None = None,
            schema_url: str | None = None,
        ) -> None: ...
