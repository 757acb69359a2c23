# Generated from https://openlineage.io/spec/facets/1-1-0/DocumentationDatasetFacet.json (facets/DocumentationDatasetFacet.json) by `make regen`.
# Do not edit: change the schema and generate again.
"""Human-written documentation of a dataset."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

from pydantic import Field, StrictStr, model_validator

from openlineage_facets.base.rules import keep_unknown_apart
from openlineage_facets.base.types import Maybe
from openlineage_facets.generated.open_lineage import DatasetFacet


class DocumentationDatasetFacet(DatasetFacet):
    """Text that explains to people what a dataset contains and how to use it.

    Integrations forward it from table comments, dbt model descriptions and the like; catalogs
    display it on the dataset's page.
    """

    __schema_url__: ClassVar[str] = (
        "https://openlineage.io/spec/facets/1-1-0/DocumentationDatasetFacet.json#/$defs/DocumentationDatasetFacet"
    )
    __facet_key__: ClassVar[str | None] = "documentation"

    description: StrictStr
    """Documentation text to show to readers of the dataset.

    Its markup, if any, is named by `contentType`; column-level texts go in the `schema`
    facet. Examples: `"One row per order line; cancelled orders stay in with status
    `cancelled`."`, `"**Flights** flown by our own fleet, refreshed hourly."`.
    """
    content_type: Annotated[Maybe[StrictStr], Field(alias="contentType")] = None
    """MIME type that tells a display how to render `description`.

    Usual values are `text/plain`, `text/markdown` and `text/html`; without it, plain text is
    the safe assumption. Examples: `"text/markdown"`, `"text/plain"`.
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
