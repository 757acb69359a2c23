# Generated from https://openlineage.io/spec/facets/1-1-1/TagFacet.json (proposals/TagFacet.json) by `make regen`.
# Do not edit: change the schema and generate again.
"""Proposed tag facets of runs, jobs and datasets, whose values may be text, numbers or booleans."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import StrictBool, StrictStr

from openlineage_facets.base.model import Model
from openlineage_facets.base.types import Maybe, Number
from openlineage_facets.generated.open_lineage import BaseFacet, DatasetFacet, JobFacet, RunFacet


class TagFacetFields(Model):
    """One tag: a key with a typed value, and optionally where it came from and which column it
    is about.
    """

    key: StrictStr
    """Name of the tag, spelt as close to its origin as possible.

    Keys of a nested source are joined by underscores, outermost first; key and `source`
    together should occur once for each entity or column. Examples: `"team"`,
    `"meta_alerting_channel"`.
    """
    value: StrictStr | Number | StrictBool
    """Value of the tag with its own JSON type: text, number or boolean.

    A tag that is a mere word, such as `pii`, has the word as key and `true` here. Examples:
    `"order-management"`, `20`, `true`.
    """
    source: Maybe[StrictStr] = None
    """Origin of the tag: a person, an integration or the monitored tool.

    Usual values are `USER`, `INTEGRATION` and names of tools such as `DBT CORE` or `SPARK`;
    absent, the origin is unknown. Examples: `"USER"`, `"AIRFLOW"`.
    """
    field: Maybe[StrictStr] = None
    """Column that the tag is about, named as in the dataset's `schema` facet.

    Meant for datasets; absent, the tag is about the entity as a whole. Example:
    `"passenger_email"`.
    """

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            key: str,
            value: str | int | float | bool,
            source: str | None = None,
            field: str | None = None,
        ) -> None: ...


class TagFacet(BaseFacet):
    """What the tag facets of runs, jobs and datasets have in common: the list of tags.

    Events carry one of the three facets built on it, never this one by itself.
    """

    __schema_url__: ClassVar[str] = "https://openlineage.io/spec/facets/1-1-1/TagFacet.json#/$defs/TagFacet"

    tags: Maybe[tuple[TagFacetFields, ...]] = None
    """Every tag that the entity has at the time of the event.

    Readers take the newest list as complete: a tag that is gone from it was removed.
    """

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            tags: Iterable[TagFacetFields] | None = None,
            producer: str | None = None,
            schema_url: str | None = None,
            **fields: Any,
        ) -> None: ...


class TagRunFacet(RunFacet, TagFacet):
    """Tags with typed values on one run, such as a release or the mark of a manual start.

    Emitters choose it over `TagsRunFacet` to keep numbers and booleans as such; readers that
    filter runs by tag should know both.
    """

    __schema_url__: ClassVar[str] = (
        "https://openlineage.io/spec/facets/1-1-1/TagFacet.json#/$defs/TagRunFacet"
    )
    __facet_key__: ClassVar[str | None] = "tags"

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            tags: Iterable[TagFacetFields] | None = None,
            producer: str | None = None,
            schema_url: str | None = None,
        ) -> None: ...


class TagJobFacet(JobFacet, TagFacet):
    """Tags with typed values on a job, such as its team or a retry limit, the same for every
    run.

    Emitters choose it over `TagsJobFacet` to keep numbers and booleans as such; catalogs and
    automation read it.
    """

    __schema_url__: ClassVar[str] = (
        "https://openlineage.io/spec/facets/1-1-1/TagFacet.json#/$defs/TagJobFacet"
    )
    __facet_key__: ClassVar[str | None] = "tags"

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            deleted: bool | None = None,
            tags: Iterable[TagFacetFields] | None = None,
            producer: str | None = None,
            schema_url: str | None = None,
        ) -> None: ...


class TagDatasetFacet(DatasetFacet, TagFacet):
    """Tags with typed values on a dataset or on its columns, such as sensitivity or a retention
    in days.

    Emitters choose it over `TagsDatasetFacet` to keep numbers and booleans as such;
    governance tools search by it.
    """

    __schema_url__: ClassVar[str] = (
        "https://openlineage.io/spec/facets/1-1-1/TagFacet.json#/$defs/TagDatasetFacet"
    )
    __facet_key__: ClassVar[str | None] = "tags"

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            deleted: bool | None = None,
            tags: Iterable[TagFacetFields] | None = None,
            producer: str | None = None,
            schema_url: str | None = None,
        ) -> None: ...
