# Generated from https://openlineage.io/spec/facets/1-0-0/TagsRunFacet.json (facets/TagsRunFacet.json) by `make regen`.
# Do not edit: change the schema and generate again.
"""Run facet for tags: free labels on one execution of a job."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from pydantic import StrictStr

from openlineage_facets.base.model import Model
from openlineage_facets.base.types import Maybe
from openlineage_facets.generated.open_lineage import RunFacet


class TagsRunFacetFields(Model):
    """One tag of a single run, as a key with a text value."""

    key: StrictStr
    """Name of the tag, spelt as in the system it comes from.

    Key and `source` together tell one tag of the run from another. Examples: `"environment"`,
    `"backfill"`.
    """
    value: StrictStr
    """Value of the tag, always text.

    A tag that is a mere word, such as `backfill`, has the word as key and `true` here.
    Examples: `"staging"`, `"true"`.
    """
    source: Maybe[StrictStr] = None
    """Origin of the tag: a person, an integration or the monitored tool.

    Usual values are `USER`, `INTEGRATION` and names of tools such as `DBT CORE` or `SPARK`;
    absent, the origin is unknown. Examples: `"USER"`, `"DBT CORE"`.
    """

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            key: str,
            value: str,
            source: str | None = None,
        ) -> None: ...


class TagsRunFacet(RunFacet):
    """Labels on one run, such as an environment, a release or the mark of a manual start.

    They may differ from run to run, unlike the tags of the job; integrations and users supply
    them, and readers filter runs by them.
    """

    __schema_url__: ClassVar[str] = (
        "https://openlineage.io/spec/facets/1-0-0/TagsRunFacet.json#/$defs/TagsRunFacet"
    )
    __facet_key__: ClassVar[str | None] = "tags"

    tags: Maybe[tuple[TagsRunFacetFields, ...]] = None
    """Every tag that the run has at the time of the event.

    Readers take the newest list as complete: a tag that is gone from it was removed.
    """

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            tags: Iterable[TagsRunFacetFields] | None = None,
            producer: str | None = None,
            schema_url: str | None = None,
        ) -> None: ...
