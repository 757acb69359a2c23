# Generated from https://openlineage.io/spec/facets/1-1-0/DocumentationJobFacet.json (facets/DocumentationJobFacet.json) by `make regen`.
# Do not edit: change the schema and generate again.
"""Human-written documentation of a job."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

from pydantic import Field, StrictStr, model_validator

from openlineage_facets.base.rules import keep_unknown_apart
from openlineage_facets.base.types import Maybe
from openlineage_facets.generated.open_lineage import JobFacet


class DocumentationJobFacet(JobFacet):
    """Text that explains to people what a job does and why.

    Schedulers and integrations forward it from places such as an Airflow DAG's description;
    catalogs display it on the job's page.
    """

    __schema_url__: ClassVar[str] = (
        "https://openlineage.io/spec/facets/1-1-0/DocumentationJobFacet.json#/$defs/DocumentationJobFacet"
    )
    __facet_key__: ClassVar[str | None] = "documentation"

    description: StrictStr
    """Documentation text to show to readers of the job.

    Its markup, if any, is named by `contentType`. Examples: `"Loads yesterday's orders from
    the shop database into the warehouse."`, `"Rebuilds `flight_delays`. On failure, see the
    **runbook** first."`.
    """
    content_type: Annotated[Maybe[StrictStr], Field(alias="contentType")] = None
    """MIME type that tells a display how to render `description`.

    Usual values are `text/plain`, `text/markdown` and `text/html`; without it, plain text is
    the safe assumption. Examples: `"text/plain"`, `"text/markdown"`.
    """

    _keep_unknown_apart = model_validator(mode="after")(keep_unknown_apart)

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            description: str,
            content_type: str | None = None,
            deleted: bool | None = None,
            producer: str | None = None,
            schema_url: str | None = None,
        ) -> None: ...
