# Generated from https://openlineage.io/spec/facets/1-0-1/ErrorMessageRunFacet.json (facets/ErrorMessageRunFacet.json) by `make regen`.
# Do not edit: change the schema and generate again.
"""The error that made a run fail."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

from pydantic import Field, StrictStr, model_validator

from openlineage_facets.base.rules import keep_unknown_apart
from openlineage_facets.base.types import Maybe
from openlineage_facets.generated.open_lineage import RunFacet


class ErrorMessageRunFacet(RunFacet):
    """Error raised by the observed job, normally attached to the event that reports the run as
    failed.

    Integrations emit it from the exception they caught; people on call read it to find the
    cause. Trouble in collecting the lineage itself goes in `ExtractionErrorRunFacet`.
    """

    __schema_url__: ClassVar[str] = (
        "https://openlineage.io/spec/facets/1-0-1/ErrorMessageRunFacet.json#/$defs/ErrorMessageRunFacet"
    )
    __facet_key__: ClassVar[str | None] = "errorMessage"

    message: StrictStr
    """Error text from the failed system, meant for people to read.

    Examples: `"Column orders.discount does not exist"`, `"FileNotFoundError: no flights file
    for 2026-03-01"`.
    """
    programming_language: Annotated[StrictStr, Field(alias="programmingLanguage")]
    """Language of the code that failed, which tells readers how to parse `stackTrace`.

    An open string; usual values are `JAVA`, `PYTHON`, `SCALA` and `SQL`, and producers differ
    in upper and lower case. Examples: `"PYTHON"`, `"SQL"`.
    """
    stack_trace: Annotated[Maybe[StrictStr], Field(alias="stackTrace")] = None
    """Call stack at the moment of the error, in the usual layout of the programming language.

    It may span many lines; leave it out for languages that have none, such as SQL.
    """

    _keep_unknown_apart = model_validator(mode="after")(keep_unknown_apart)

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            message: str,
            programming_language: str,
            stack_trace: str | None = None,
            producer: str | None = None,
            schema_url: str | None = None,
        ) -> None: ...
