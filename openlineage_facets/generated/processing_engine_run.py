# Generated from https://openlineage.io/spec/facets/1-1-1/ProcessingEngineRunFacet.json (facets/ProcessingEngineRunFacet.json) by `make regen`.
# Do not edit: change the schema and generate again.
"""The engine that executed a run, and the OpenLineage integration that observed it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

from pydantic import Field, StrictStr, model_validator

from openlineage_facets.base.rules import keep_unknown_apart
from openlineage_facets.base.types import Maybe
from openlineage_facets.generated.open_lineage import RunFacet


class ProcessingEngineRunFacet(RunFacet):
    """Engine and integration behind a run, with their versions.

    Integrations for Spark, Airflow, Flink and others emit it; readers use it to find runs on
    outdated versions and to explain differences in lineage quality.
    """

    __schema_url__: ClassVar[str] = (
        "https://openlineage.io/spec/facets/1-1-1/ProcessingEngineRunFacet.json#/$defs/ProcessingEngineRunFacet"
    )
    __facet_key__: ClassVar[str | None] = "processing_engine"

    version: StrictStr
    """Version of the engine named in `name`.

    Examples: `"3.5.4"`, `"1.20.1"`.
    """
    name: Maybe[StrictStr] = None
    """Product name of the engine.

    An open string; usual values are `spark`, `Airflow`, `flink` and `dbt`, so compare it
    without regard to case. Examples: `"spark"`, `"flink"`.
    """
    openlineage_adapter_version: Annotated[Maybe[StrictStr], Field(alias="openlineageAdapterVersion")] = None
    """Version of the OpenLineage integration that produced the event, which is separate from the
    engine's.

    Quote it when reporting wrong or missing lineage. Example: `"1.31.0"`.
    """

    _keep_unknown_apart = model_validator(mode="after")(keep_unknown_apart)

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            version: str,
            name: str | None = None,
            openlineage_adapter_version: str | None = None,
            producer: str | None = None,
            schema_url: str | None = None,
        ) -> None: ...
