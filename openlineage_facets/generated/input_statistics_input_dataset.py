# Generated from https://openlineage.io/spec/facets/1-0-0/InputStatisticsInputDatasetFacet.json (facets/InputStatisticsInputDatasetFacet.json) by `make regen`.
# Do not edit: change the schema and generate again.
"""How much data a run read from one of its inputs, in rows, bytes and files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

from pydantic import Field, model_validator

from openlineage_facets.base.rules import keep_unknown_apart
from openlineage_facets.base.types import Integer, Maybe
from openlineage_facets.generated.open_lineage import InputDatasetFacet


class InputStatisticsInputDatasetFacet(InputDatasetFacet):
    """Counts what a run read from one input dataset.

    Engines emit it with their metrics, mostly on the last event of a run; monitoring compares
    it from run to run and with the statistics of the outputs. An absent count is unknown, a
    zero means nothing was read.
    """

    __schema_url__: ClassVar[str] = (
        "https://openlineage.io/spec/facets/1-0-0/InputStatisticsInputDatasetFacet.json#/$defs/InputStatisticsInputDatasetFacet"
    )
    __facet_key__: ClassVar[str | None] = "inputStatistics"

    row_count: Annotated[Maybe[Integer], Field(alias="rowCount")] = None
    """Rows the run read from the dataset.

    After filters or partition pruning this can be far below the rows it holds. Examples:
    `48213`, `0`.
    """
    size: Maybe[Integer] = None
    """Bytes the run read from the dataset.

    Engines differ in counting before or after decompression, so compare only values from the
    same producer. Example: `7340032`.
    """
    file_count: Annotated[Maybe[Integer], Field(alias="fileCount")] = None
    """Files of the dataset that the run read.

    A high count next to a small `size` points to many small files. Example: `24`.
    """

    _keep_unknown_apart = model_validator(mode="after")(keep_unknown_apart)

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            row_count: int | None = None,
            size: int | None = None,
            file_count: int | None = None,
            producer: str | None = None,
            schema_url: str | None = None,
        ) -> None: ...
