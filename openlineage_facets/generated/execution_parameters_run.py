# Generated from https://openlineage.io/spec/facets/1-0-0/ExecutionParametersRunFacet.json (facets/ExecutionParametersRunFacet.json) by `make regen`.
# Do not edit: change the schema and generate again.
"""Parameters that a run was started with."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from pydantic import StrictStr

from openlineage_facets.base.model import Model
from openlineage_facets.base.types import Maybe
from openlineage_facets.generated.open_lineage import RunFacet


class ExecutionParameter(Model):
    """One parameter of the run, with its value and an optional explanation.

    Keys other than those listed here are rejected.
    """

    model_config = {"extra": "forbid"}

    key: StrictStr
    """Technical identifier of the parameter, unique within the run.

    Readers use it to match the parameter between runs. Examples: `"orders.lookback_days"`,
    `"region"`.
    """
    name: Maybe[StrictStr] = None
    """Label of the parameter to show to people in place of `key`.

    Examples: `"Look-back window"`, `"Sales region"`.
    """
    description: Maybe[StrictStr] = None
    """Explanation of what the parameter controls, including its unit where it has one.

    Example: `"Days of past orders that are loaded again, counted back from the run date."`.
    """
    value: Maybe[StrictStr] = None
    """Value in effect for the run, always as text: numbers and booleans are written out.

    Mask passwords and tokens before sending. Examples: `"14"`, `"emea"`, `"true"`.
    """

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            key: str,
            name: str | None = None,
            description: str | None = None,
            value: str | None = None,
        ) -> None: ...


class ExecutionParametersRunFacet(RunFacet):
    """Arguments and settings handed to the job for one particular run.

    Schedulers and engines emit it at the start; people read it to see how two runs of a job
    differ or to start one again alike.
    """

    __schema_url__: ClassVar[str] = (
        "https://openlineage.io/spec/facets/1-0-0/ExecutionParametersRunFacet.json#/$defs/ExecutionParametersRunFacet"
    )
    __facet_key__: ClassVar[str | None] = "executionParameters"

    parameters: Maybe[tuple[ExecutionParameter, ...]] = None
    """Parameters the run received, one entry per key."""

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            parameters: Iterable[ExecutionParameter] | None = None,
            producer: str | None = None,
            schema_url: str | None = None,
        ) -> None: ...
