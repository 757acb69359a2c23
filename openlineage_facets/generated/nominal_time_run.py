# Generated from https://openlineage.io/spec/facets/1-0-1/NominalTimeRunFacet.json (facets/NominalTimeRunFacet.json) by `make regen`.
# Do not edit: change the schema and generate again.
"""The time a run was scheduled for, as opposed to when it really started."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, ClassVar

from pydantic import Field, model_validator

from openlineage_facets.base.rules import keep_unknown_apart
from openlineage_facets.base.timestamp import Timestamp
from openlineage_facets.base.types import Maybe
from openlineage_facets.generated.open_lineage import RunFacet


class NominalTimeRunFacet(RunFacet):
    """Period that a scheduled run stands for, according to its schedule.

    Schedulers such as Airflow emit it; readers compare it with the event times to spot late
    runs and use it to tell which day or hour a backfill belongs to.
    """

    __schema_url__: ClassVar[str] = (
        "https://openlineage.io/spec/facets/1-0-1/NominalTimeRunFacet.json#/$defs/NominalTimeRunFacet"
    )
    __facet_key__: ClassVar[str | None] = "nominalTime"

    nominal_start_time: Annotated[Timestamp, Field(alias="nominalStartTime")]
    """Scheduled time of the run and start of its period, inclusive.

    An RFC 3339 timestamp with UTC offset; the real start is the `eventTime` of the `START`
    event. Examples: `"2026-03-01T06:00:00Z"`, `"2026-03-01T00:00:00+01:00"`.
    """
    nominal_end_time: Annotated[Maybe[Timestamp], Field(alias="nominalEndTime")] = None
    """End of the run's period, exclusive.

    An RFC 3339 timestamp with UTC offset; on a regular schedule it equals the next run's
    `nominalStartTime`. Examples: `"2026-03-01T12:00:00Z"`, `"2026-03-02T00:00:00+01:00"`.
    """

    _keep_unknown_apart = model_validator(mode="after")(keep_unknown_apart)

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            nominal_start_time: datetime | str,
            nominal_end_time: datetime | str | None = None,
            producer: str | None = None,
            schema_url: str | None = None,
        ) -> None: ...
