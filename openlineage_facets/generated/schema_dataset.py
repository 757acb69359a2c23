# Generated from https://openlineage.io/spec/facets/1-2-0/SchemaDatasetFacet.json (facets/SchemaDatasetFacet.json) by `make regen`.
# Do not edit: change the schema and generate again.
"""Columns of a dataset with their types, including nested ones."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from pydantic import StrictStr

from openlineage_facets.base.model import Model
from openlineage_facets.base.types import Integer, Maybe
from openlineage_facets.generated.open_lineage import DatasetFacet


class SchemaDatasetFacetFields(Model):
    """One column of a dataset, or one member of a nested column."""

    name: StrictStr
    """Name of the column, as the source system spells it.

    Inside an array the element is conventionally named `_element`; inside a map the members
    are `key` and `value`. Examples: `"departure_airport"`, `"line_items"`.
    """
    type: Maybe[StrictStr] = None
    """Data type of the column in the vocabulary of the source system.

    Not normalized: the same type may be called `INT`, `int64` or `NUMBER(38,0)`; nested
    columns often use `struct`, `array` or `map`. Examples: `"decimal(12,2)"`, `"timestamp"`.
    """
    description: Maybe[StrictStr] = None
    """What the column means, for people; often the column comment of the source system.

    Example: `"Airport code of the place of departure, three letters."`.
    """
    ordinal_position: Maybe[Integer] = None
    """1-based position of the column among its siblings, so the first one has `1`.

    Readers sort by it where the order of the list is not reliable. Example: `14`.
    """
    fields: Maybe[tuple[SchemaDatasetFacetFields, ...]] = None
    """Members of a struct, array, map or union column; absent for scalar columns.

    Members can themselves be nested, to any depth.
    """

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            name: str,
            type: str | None = None,
            description: str | None = None,
            ordinal_position: int | None = None,
            fields: Iterable[SchemaDatasetFacetFields] | None = None,
        ) -> None: ...


class SchemaDatasetFacet(DatasetFacet):
    """Structure of a dataset: its columns in the state an event observed them.

    Almost all integrations emit it; catalogs display it and compare it between events to
    detect schema changes.
    """

    __schema_url__: ClassVar[str] = (
        "https://openlineage.io/spec/facets/1-2-0/SchemaDatasetFacet.json#/$defs/SchemaDatasetFacet"
    )
    __facet_key__: ClassVar[str | None] = "schema"

    fields: Maybe[tuple[SchemaDatasetFacetFields, ...]] = None
    """Top-level columns of the dataset, normally in table order.

    Other facets, such as `columnLineage`, refer to them by name.
    """

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            fields: Iterable[SchemaDatasetFacetFields] | None = None,
            deleted: bool | None = None,
            producer: str | None = None,
            schema_url: str | None = None,
        ) -> None: ...
