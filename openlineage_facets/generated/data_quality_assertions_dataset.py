# Generated from https://openlineage.io/spec/facets/1-1-0/DataQualityAssertionsDatasetFacet.json (facets/DataQualityAssertionsDatasetFacet.json) by `make regen`.
# Do not edit: change the schema and generate again.
"""Results of data quality tests that a run applied to one of its input datasets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from pydantic import Field, StrictBool, StrictStr, model_validator

from openlineage_facets.base.model import Model
from openlineage_facets.base.rules import keep_unknown_apart
from openlineage_facets.base.types import JsonObject, Maybe
from openlineage_facets.generated.open_lineage import InputDatasetFacet


class Assertion(Model):
    """A single data quality test together with its verdict.

    It covers one column when `column` is set and the dataset as a whole otherwise.
    """

    assertion: StrictStr
    """Kind of check that was made, so that equal checks can be grouped across datasets.

    An open string in the test tool's vocabulary; usual values are `not_null`, `unique`,
    `row_count`, `freshness` and `custom_sql`. Examples: `"not_negative"`, `"freshness"`.
    """
    success: StrictBool
    """True if the data met the check, false if at least one problem turned up.

    It says nothing about consequences: whether a failed check stops the pipeline depends on
    `severity`.
    """
    column: Maybe[StrictStr] = None
    """Name of the one column under test, spelled like the field in the dataset's `schema` facet.

    Leave it out for a check on the whole dataset, such as a row count. Examples:
    `"booking_ref"`, `"departure_time"`.
    """
    severity: Maybe[StrictStr] = None
    """How seriously a failure of this check is taken, as configured in the test tool.

    Usual values are `error` (a failure stops the pipeline) and `warn` (a failure is only
    reported). Examples: `"warn"`, `"error"`.
    """
    name: Maybe[StrictStr] = None
    """Name of this particular test, as its authors know it in the test suite.

    Keep it stable between runs, so that readers can follow the test's history; `assertion`
    gives the kind of check instead. Examples: `"flights_arrive_after_departure"`,
    `"orders_status_is_known"`.
    """
    description: Maybe[StrictStr] = None
    """Plain-language explanation of the rule being checked, for people who read the test report.

    Example: `"No flight may land before it took off."`.
    """
    expected: Maybe[StrictStr] = None
    """Value or limit the data had to meet, written as text whatever its original type.

    Shown beside `actual` to explain a failure. Examples: `"0"`, `">= 50000"`.
    """
    actual: Maybe[StrictStr] = None
    """Value found in the data, written as text whatever its original type.

    Shown beside `expected` to explain a failure. Examples: `"17"`, `"48211"`.
    """
    content: Maybe[StrictStr] = None
    """Source of the check itself, for instance the SQL statement or expression that was
    evaluated.

    `contentType` says how to read it. Example: `"SELECT count(*) FROM flights WHERE landed_at
    < departed_at"`.
    """
    content_type: Annotated[Maybe[StrictStr], Field(alias="contentType")] = None
    """Language or format in which `content` is written.

    Usual values are `sql`, `json` and `expression`; readers use it for highlighting or to
    skip what they cannot interpret. Examples: `"expression"`, `"sql"`.
    """
    params: Maybe[JsonObject] = None
    """Arguments the check was configured with, keyed by argument name.

    Names and value types are up to the test tool. Examples: `{"values": ["placed", "shipped",
    "returned"], "quote": true}`, `{"max_age_hours": 6}`.
    """

    _keep_unknown_apart = model_validator(mode="after")(keep_unknown_apart)

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            assertion: str,
            success: bool,
            column: str | None = None,
            severity: str | None = None,
            name: str | None = None,
            description: str | None = None,
            expected: str | None = None,
            actual: str | None = None,
            content: str | None = None,
            content_type: str | None = None,
            params: Mapping[str, Any] | None = None,
        ) -> None: ...


class DataQualityAssertionsDatasetFacet(InputDatasetFacet):
    """Outcome of each data quality test that a run executed against this input dataset.

    Test tools such as dbt or Great Expectations emit it; catalogs and alerting read it to
    show which checks a dataset passes and when it began to fail.
    """

    __schema_url__: ClassVar[str] = (
        "https://openlineage.io/spec/facets/1-1-0/DataQualityAssertionsDatasetFacet.json#/$defs/DataQualityAssertionsDatasetFacet"
    )
    __facet_key__: ClassVar[str | None] = "dataQualityAssertions"

    assertions: tuple[Assertion, ...]
    """Every test the run evaluated on this dataset, one entry per test.

    Passed tests are listed too, so an empty list means that nothing was tested.
    """

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            assertions: Iterable[Assertion],
            producer: str | None = None,
            schema_url: str | None = None,
        ) -> None: ...
