# Generated from https://openlineage.io/spec/facets/1-0-0/TagsDatasetFacet.json (facets/TagsDatasetFacet.json) by `make regen`.
# Do not edit: change the schema and generate again.
"""Dataset facet for tags: free labels on a dataset or on single columns of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from pydantic import StrictStr

from openlineage_facets.base.model import Model
from openlineage_facets.base.types import Maybe
from openlineage_facets.generated.open_lineage import DatasetFacet


class TagsDatasetFacetFields(Model):
    """One tag of a dataset or of one of its columns, as a key with a text value."""

    key: StrictStr
    """Name of the tag, spelt as in the system it comes from.

    Key, `source` and `field` together tell one tag of the dataset from another. Examples:
    `"sensitivity"`, `"grain"`.
    """
    value: StrictStr
    """Value of the tag, always text.

    A tag that is a mere word, such as `deprecated`, has the word as key and `true` here.
    Examples: `"confidential"`, `"true"`.
    """
    source: Maybe[StrictStr] = None
    """Origin of the tag: a person, an integration or the monitored tool.

    Usual values are `USER`, `INTEGRATION` and names of tools such as `DBT CORE` or `SPARK`;
    absent, the origin is unknown. Examples: `"USER"`, `"SNOWFLAKE"`.
    """
    field: Maybe[StrictStr] = None
    """Column that the tag is about, named as in the dataset's `schema` facet.

    Absent, the tag is about the dataset as a whole. Example: `"passenger_email"`.
    """

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            key: str,
            value: str,
            source: str | None = None,
            field: str | None = None,
        ) -> None: ...


class TagsDatasetFacet(DatasetFacet):
    """Labels that people or tools put on a dataset or its columns, such as sensitivity or owner
    team.

    Catalog and warehouse integrations emit them; governance tools search and enforce rules by
    them.
    """

    __schema_url__: ClassVar[str] = (
        "https://openlineage.io/spec/facets/1-0-0/TagsDatasetFacet.json#/$defs/TagsDatasetFacet"
    )
    __facet_key__: ClassVar[str | None] = "tags"

    tags: Maybe[tuple[TagsDatasetFacetFields, ...]] = None
    """Every tag that the dataset and its columns have at the time of the event.

    Readers take the newest list as complete: a tag that is gone from it was removed.
    """

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            tags: Iterable[TagsDatasetFacetFields] | None = None,
            deleted: bool | None = None,
            producer: str | None = None,
            schema_url: str | None = None,
        ) -> None: ...
