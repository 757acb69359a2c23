# Generated from https://openlineage.io/spec/facets/1-0-0/TagsJobFacet.json (facets/TagsJobFacet.json) by `make regen`.
# Do not edit: change the schema and generate again.
"""Job facet for tags: free labels that stay with a job from run to run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from pydantic import StrictStr

from openlineage_facets.base.model import Model
from openlineage_facets.base.types import Maybe
from openlineage_facets.generated.open_lineage import JobFacet


class TagsJobFacetFields(Model):
    """One tag of a job, as a key with a text value."""

    key: StrictStr
    """Name of the tag, spelt as in the system it comes from.

    Key and `source` together tell one tag of the job from another. Examples: `"team"`,
    `"alert_channel"`.
    """
    value: StrictStr
    """Value of the tag, always text.

    A tag that is a mere word, such as `critical`, has the word as key and `true` here.
    Examples: `"order-management"`, `"true"`.
    """
    source: Maybe[StrictStr] = None
    """Origin of the tag: a person, an integration or the monitored tool.

    Usual values are `USER`, `INTEGRATION` and names of tools such as `DBT CORE` or `SPARK`;
    absent, the origin is unknown. Examples: `"USER"`, `"AIRFLOW"`.
    """

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            key: str,
            value: str,
            source: str | None = None,
        ) -> None: ...


class TagsJobFacet(JobFacet):
    """Labels on a job, such as its team, environment or alert channel, the same for every run.

    Schedulers, integrations and users supply them; catalogs filter by them and automation
    acts on them.
    """

    __schema_url__: ClassVar[str] = (
        "https://openlineage.io/spec/facets/1-0-0/TagsJobFacet.json#/$defs/TagsJobFacet"
    )
    __facet_key__: ClassVar[str | None] = "tags"

    tags: Maybe[tuple[TagsJobFacetFields, ...]] = None
    """Every tag that the job has at the time of the event.

    Readers take the newest list as complete: a tag that is gone from it was removed.
    """

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            tags: Iterable[TagsJobFacetFields] | None = None,
            deleted: bool | None = None,
            producer: str | None = None,
            schema_url: str | None = None,
        ) -> None: ...
