# Generated from https://openlineage.io/spec/facets/1-0-2/OutputStatisticsOutputDatasetFacet.json (facets/OutputStatisticsOutputDatasetFacet.json) by `make regen`.
# Do not edit: change the schema and generate again.
"""How much data a run wrote to one of its outputs, in rows, bytes and files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

from pydantic import Field, model_validator

from openlineage_facets.base.rules import keep_unknown_apart
from openlineage_facets.base.types import Integer, Maybe
from openlineage_facets.generated.open_lineage import OutputDatasetFacet


class OutputStatisticsOutputDatasetFacet(OutputDatasetFacet):
    """Counts what a run wrote to one output dataset.

    Engines emit it with their metrics, mostly on the last event of a run; monitoring alerts
    on a sudden drop or on empty results. An absent count is unknown, a zero means nothing was
    written.
    """

    __schema_url__: ClassVar[str] = (
        "https://openlineage.io/spec/facets/1-0-2/OutputStatisticsOutputDatasetFacet.json#/$defs/OutputStatisticsOutputDatasetFacet"
    )
    __facet_key__: ClassVar[str | None] = "outputStatistics"

    row_count: Annotated[Maybe[Integer], Field(alias="rowCount")] = None
    """Rows the run wrote.

    For an appending job this is the growth, not the rows the dataset holds afterwards.
    Examples: `15980`, `0`.
    """
    size: Maybe[Integer] = None
    """Bytes the run wrote.

    Engines differ in counting before or after compression, so compare only values from the
    same producer. Example: `2621440`.
    """
    file_count: Annotated[Maybe[Integer], Field(alias="fileCount")] = None
    """Files the run wrote to the dataset.

    A high count next to a small `size` points to many small files. Example: `8`.
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
