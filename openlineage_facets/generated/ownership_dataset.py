# Generated from https://openlineage.io/spec/facets/1-0-1/OwnershipDatasetFacet.json (facets/OwnershipDatasetFacet.json) by `make regen`.
# Do not edit: change the schema and generate again.
"""Who owns a dataset."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from pydantic import StrictStr

from openlineage_facets.base.model import Model
from openlineage_facets.base.types import Maybe
from openlineage_facets.generated.open_lineage import DatasetFacet


class Owner(Model):
    """One person, team or application to turn to about the data."""

    name: StrictStr
    """Identifier of the owner, best prefixed with its kind: `user:`, `team:` or `application:`.

    Catalogs match it against their own directory of people and groups. Examples:
    `"team:order-analytics"`, `"user:mkeller"`.
    """
    type: Maybe[StrictStr] = None
    """Role in which the owner is responsible for the dataset.

    An open string; usual values are `OWNER`, `MAINTAINER` and `STEWARD`. Examples:
    `"STEWARD"`, `"OWNER"`.
    """

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            name: str,
            type: str | None = None,
        ) -> None: ...


class OwnershipDatasetFacet(DatasetFacet):
    """People, teams or applications responsible for a dataset.

    Integrations take it from the owners recorded in the tool that manages the dataset;
    catalogs and alerting use it to route questions about the data.
    """

    __schema_url__: ClassVar[str] = (
        "https://openlineage.io/spec/facets/1-0-1/OwnershipDatasetFacet.json#/$defs/OwnershipDatasetFacet"
    )
    __facet_key__: ClassVar[str | None] = "ownership"

    owners: Maybe[tuple[Owner, ...]] = None
    """Everyone responsible for the dataset, one entry per owner and type of ownership."""

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            owners: Iterable[Owner] | None = None,
            deleted: bool | None = None,
            producer: str | None = None,
            schema_url: str | None = None,
        ) -> None: ...
