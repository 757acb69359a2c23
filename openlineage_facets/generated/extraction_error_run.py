# Generated from https://openlineage.io/spec/facets/1-1-2/ExtractionErrorRunFacet.json (facets/ExtractionErrorRunFacet.json) by `make regen`.
# Do not edit: change the schema and generate again.
"""Problems met while collecting the lineage of a run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, ClassVar

from pydantic import Field, StrictStr, model_validator

from openlineage_facets.base.model import Model
from openlineage_facets.base.rules import keep_unknown_apart
from openlineage_facets.base.types import Integer, Maybe
from openlineage_facets.generated.open_lineage import RunFacet


class Error(Model):
    """One failure to extract lineage, with the piece of work that caused it."""

    error_message: Annotated[StrictStr, Field(alias="errorMessage")]
    """Error text from the parser or extractor.

    Example: `"Unexpected keyword QUALIFY at line 4, column 1"`.
    """
    stack_trace: Annotated[Maybe[StrictStr], Field(alias="stackTrace")] = None
    """Call stack of the integration at the moment of the error, for its maintainers.

    It may span many lines.
    """
    task: Maybe[StrictStr] = None
    """The piece of work as text, for instance the SQL statement that could not be parsed.

    Example: `"SELECT * FROM orders QUALIFY row_number() OVER (PARTITION BY order_id ORDER BY
    updated_at DESC) = 1"`.
    """
    task_number: Annotated[Maybe[Integer], Field(alias="taskNumber")] = None
    """0-based position of the piece of work within the run, so `0` is the first statement.

    Example: `7`.
    """

    _keep_unknown_apart = model_validator(mode="after")(keep_unknown_apart)

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            error_message: str,
            stack_trace: str | None = None,
            task: str | None = None,
            task_number: int | None = None,
        ) -> None: ...


class ExtractionErrorRunFacet(RunFacet):
    """Report that some parts of a run yielded no lineage, although the run itself may be fine.

    Integrations emit it, typically when a SQL statement cannot be parsed; readers learn from
    it that the inputs and outputs may be incomplete.
    """

    __schema_url__: ClassVar[str] = (
        "https://openlineage.io/spec/facets/1-1-2/ExtractionErrorRunFacet.json#/$defs/ExtractionErrorRunFacet"
    )
    __facet_key__: ClassVar[str | None] = "extractionError"

    total_tasks: Annotated[Integer, Field(alias="totalTasks")]
    """Number of separate pieces of work the integration examined in this run, failed ones
    included.

    A piece is often one SQL statement. Example: `12`.
    """
    failed_tasks: Annotated[Integer, Field(alias="failedTasks")]
    """Number of those pieces for which lineage extraction failed.

    Set against `totalTasks`, it shows how much of the lineage is missing. Example: `2`.
    """
    errors: tuple[Error, ...]
    """Details of the failed extractions, usually one entry for each piece counted in
    `failedTasks`.
    """

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            total_tasks: int,
            failed_tasks: int,
            errors: Iterable[Error],
            producer: str | None = None,
            schema_url: str | None = None,
        ) -> None: ...
