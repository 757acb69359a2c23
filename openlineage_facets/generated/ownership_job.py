# Generated from https://openlineage.io/spec/facets/1-0-1/OwnershipJobFacet.json (facets/OwnershipJobFacet.json) by `make regen`.
# Do not edit: change the schema and generate again.
"""Who owns a job."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from pydantic import StrictStr

from openlineage_facets.base.model import Model
from openlineage_facets.base.types import Maybe
from openlineage_facets.generated.open_lineage import JobFacet


class Owner(Model):
    """One person, team or application to turn to when the job fails."""

    name: StrictStr
    """Identifier of the owner, best prefixed with its kind: `user:`, `team:` or `application:`.

    Catalogs match it against their own directory of people and groups. Examples:
    `"team:flight-ops"`, `"application:warehouse-loader"`.
    """
    type: Maybe[StrictStr] = None
    """Role in which the owner is responsible for the job.

    An open string; usual values are `OWNER`, `MAINTAINER` and `STEWARD`. Example: `"OWNER"`.
    """

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            name: str,
            type: str | None = None,
        ) -> None: ...


class OwnershipJobFacet(JobFacet):
    """People, teams or applications responsible for a job.

    Schedulers and integrations take it from the owner configured on the job, such as the
    owner of an Airflow DAG; catalogs and alerting use it to route failures.
    """

    __schema_url__: ClassVar[str] = (
        "https://openlineage.io/spec/facets/1-0-1/OwnershipJobFacet.json#/$defs/OwnershipJobFacet"
    )
    __facet_key__: ClassVar[str | None] = "ownership"

    owners: Maybe[tuple[Owner, ...]] = None
    """Everyone responsible for the job, one entry per owner and type of ownership."""

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            owners: Iterable[Owner] | None = None,
            deleted: bool | None = None,
            producer: str | None = None,
            schema_url: str | None = None,
        ) -> None: ...
