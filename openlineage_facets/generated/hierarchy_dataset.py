# Generated from https://openlineage.io/spec/facets/1-0-0/HierarchyDatasetFacet.json (facets/HierarchyDatasetFacet.json) by `make regen`.
# Do not edit: change the schema and generate again.
"""The path of containers that leads to a dataset, such as database, schema and table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from pydantic import StrictStr

from openlineage_facets.base.model import Model
from openlineage_facets.generated.open_lineage import DatasetFacet


class HierarchyDatasetFacetLevel(Model):
    """One step on the path from the outermost container down to the dataset."""

    type: StrictStr
    """Kind of thing at this step, in upper case.

    Usual values are `CATALOG`, `DATABASE`, `SCHEMA`, `TABLE` and `VIEW`. Examples:
    `"SCHEMA"`, `"VIEW"`.
    """
    name: StrictStr
    """Name of this step alone, without the containers above it.

    Examples: `"sales"`, `"orders"`.
    """

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            type: str,
            name: str,
        ) -> None: ...


class HierarchyDatasetFacet(DatasetFacet):
    """Spells out where a dataset sits in the containers of its source system.

    Database integrations emit it; backends use it to show a browsable tree without splitting
    the dataset name, whose format differs from system to system.
    """

    __schema_url__: ClassVar[str] = (
        "https://openlineage.io/spec/facets/1-0-0/HierarchyDatasetFacet.json#/$defs/HierarchyDatasetFacet"
    )
    __facet_key__: ClassVar[str | None] = "hierarchy"

    hierarchy: tuple[HierarchyDatasetFacetLevel, ...]
    """Steps in order from the outermost container to the innermost one, usually the dataset
    itself.

    Example: `[{"type": "DATABASE", "name": "warehouse"}, {"type": "SCHEMA", "name": "sales"},
    {"type": "TABLE", "name": "orders"}]`.
    """

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            hierarchy: Iterable[HierarchyDatasetFacetLevel],
            deleted: bool | None = None,
            producer: str | None = None,
            schema_url: str | None = None,
        ) -> None: ...
