# Generated from https://openlineage.io/spec/facets/1-0-1/TestRunFacet.json (facets/TestRunFacet.json) by `make regen`.
# Do not edit: change the schema and generate again.
"""Run facet for the results of the data tests that a run executed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from pydantic import Field, StrictStr, model_validator

from openlineage_facets.base.model import Model
from openlineage_facets.base.rules import keep_unknown_apart
from openlineage_facets.base.types import JsonObject, Maybe
from openlineage_facets.generated.open_lineage import RunFacet


class TestExecution(Model):
    """Result of one test: what was checked, what came out, and how grave a failure is."""

    name: StrictStr
    """Name of the test, stable between runs so that its results form a history.

    Example: `"orders_total_is_positive"`.
    """
    status: StrictStr
    """Outcome of the test: `pass`, `fail` (it found a problem) or `skip` (it did not run).

    A failed test stops nothing by itself; see `severity`. Examples: `"pass"`, `"fail"`.
    """
    severity: Maybe[StrictStr] = None
    """Configured weight of a failure: `error` stops the pipeline, `warn` only reports.

    Read it with `status`: `fail` and `warn` together mean a problem was found and the run
    went on. Examples: `"warn"`, `"error"`.
    """
    type: Maybe[StrictStr] = None
    """Kind of check, for grouping tests.

    Usual values are `unique`, `not_null`, `freshness`, `row_count` and `custom_sql`. Example:
    `"freshness"`.
    """
    description: Maybe[StrictStr] = None
    """Explanation of the check for human readers.

    Example: `"No flight may land before it departs."`.
    """
    expected: Maybe[StrictStr] = None
    """Value or threshold that the test asks for, as text.

    It is compared with `actual`. Example: `"0"`.
    """
    actual: Maybe[StrictStr] = None
    """Value that the test found, as text.

    It is compared with `expected`. Example: `"17"`.
    """
    content: Maybe[StrictStr] = None
    """Body of the test, such as its SQL query or expression; `contentType` says how to read it.

    Example: `"SELECT count(*) FROM flights WHERE landed_at < departed_at"`.
    """
    content_type: Annotated[Maybe[StrictStr], Field(alias="contentType")] = None
    """Notation of the text in `content`.

    Usual values are `sql`, `json` and `expression`. Example: `"sql"`.
    """
    params: Maybe[JsonObject] = None
    """Settings of this check by name, with values of any JSON type.

    Which names exist depends on the test tool. Example: `{"column": "landed_at",
    "max_age_minutes": 90}`.
    """

    _keep_unknown_apart = model_validator(mode="after")(keep_unknown_apart)

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            name: str,
            status: str,
            severity: str | None = None,
            type: str | None = None,
            description: str | None = None,
            expected: str | None = None,
            actual: str | None = None,
            content: str | None = None,
            content_type: str | None = None,
            params: Mapping[str, Any] | None = None,
        ) -> None: ...


class TestRunFacet(RunFacet):
    """Outcomes of the tests that one run executed, whichever datasets they looked at.

    Test tools such as dbt emit it with the run; quality dashboards and alerts read it.
    Results tied to one input dataset go in the `dataQualityAssertions` facet.
    """

    __schema_url__: ClassVar[str] = (
        "https://openlineage.io/spec/facets/1-0-1/TestRunFacet.json#/$defs/TestRunFacet"
    )
    __facet_key__: ClassVar[str | None] = "test"

    tests: tuple[TestExecution, ...]
    """Results of the run, one entry per executed or skipped test."""

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            tests: Iterable[TestExecution],
            producer: str | None = None,
            schema_url: str | None = None,
        ) -> None: ...
