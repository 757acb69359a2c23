# Generated from https://openlineage.io/spec/facets/1-0-0/GcpLineageJobFacet.json (registry/gcp/lineage/facets/GcpLineageJobFacet.json) by `make regen`.
# Do not edit: change the schema and generate again.
"""Job facet that tells Google Cloud's lineage service how to show and file a job."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

from pydantic import Field, StrictStr, model_validator

from openlineage_facets.base.model import Model
from openlineage_facets.base.rules import keep_unknown_apart
from openlineage_facets.base.types import Maybe
from openlineage_facets.generated.open_lineage import JobFacet


class Origin(Model):
    """System that the lineage comes from, in the terms of the Google Cloud lineage API."""

    source_type: Annotated[Maybe[StrictStr], Field(alias="sourceType")] = None
    """Kind of system that reports the lineage.

    Usual values are `CUSTOM`, `BIGQUERY`, `COMPOSER`, `DATAPROC`, `DATA_FUSION`,
    `LOOKER_STUDIO` and `VERTEX_AI`; own integrations use `CUSTOM`. Examples: `"DATAPROC"`,
    `"CUSTOM"`.
    """
    name: Maybe[StrictStr] = None
    """Name of the system that reports the lineage.

    Free text for `CUSTOM`; else the resource name of that system, in the same project and
    location as the lineage. Examples:
    `"projects/example-analytics/locations/europe-west3/environments/composer-analytics"`,
    `"warehouse-loader"`.
    """

    _keep_unknown_apart = model_validator(mode="after")(keep_unknown_apart)

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            source_type: str | None = None,
            name: str | None = None,
        ) -> None: ...


class GcpLineageJobFacet(JobFacet):
    """Display name and origin of a job for the lineage service of Google Cloud.

    Dataproc and Cloud Composer emit it; the service turns the job into a lineage process with
    this name and origin.
    """

    __schema_url__: ClassVar[str] = (
        "https://openlineage.io/spec/facets/1-0-0/GcpLineageJobFacet.json#/$defs/GcpLineageJobFacet"
    )
    __facet_key__: ClassVar[str | None] = "gcp_lineage"

    display_name: Annotated[Maybe[StrictStr], Field(alias="displayName")] = None
    """Name of the job for human readers, shown in the lineage graph instead of the technical
    name.

    Example: `"Daily orders load"`.
    """
    origin: Maybe[Origin] = None
    """System that the lineage comes from, in the terms of the Google Cloud lineage API."""

    _keep_unknown_apart = model_validator(mode="after")(keep_unknown_apart)

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            display_name: str | None = None,
            origin: Origin | None = None,
            deleted: bool | None = None,
            producer: str | None = None,
            schema_url: str | None = None,
        ) -> None: ...
