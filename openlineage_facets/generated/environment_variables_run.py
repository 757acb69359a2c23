# Generated from https://openlineage.io/spec/facets/1-0-0/EnvironmentVariablesRunFacet.json (facets/EnvironmentVariablesRunFacet.json) by `make regen`.
# Do not edit: change the schema and generate again.
"""Selected environment variables of the process that executed a run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, ClassVar

from pydantic import Field, StrictStr

from openlineage_facets.base.model import Model
from openlineage_facets.generated.open_lineage import RunFacet


class EnvironmentVariable(Model):
    """One environment variable with the value it had during the run."""

    name: StrictStr
    """Name of the variable, exactly as the process sees it.

    Examples: `"DEPLOY_STAGE"`, `"AWS_REGION"`.
    """
    value: StrictStr
    """Text the variable was set to.

    It is sent as it stands, so do not collect variables that hold secrets. Examples:
    `"production"`, `"eu-central-1"`.
    """

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            name: str,
            value: str,
        ) -> None: ...


class EnvironmentVariablesRunFacet(RunFacet):
    """Environment variables that were set while the run executed.

    A client emits the ones it was configured to collect; people read them to compare a run
    with another one or to see where it was deployed.
    """

    __schema_url__: ClassVar[str] = (
        "https://openlineage.io/spec/facets/1-0-0/EnvironmentVariablesRunFacet.json#/$defs/EnvironmentVariablesRunFacet"
    )
    __facet_key__: ClassVar[str | None] = "environmentVariables"

    environment_variables: Annotated[tuple[EnvironmentVariable, ...], Field(alias="environmentVariables")]
    """Variables that were collected, one entry per name.

    List only what was deliberately selected, never the whole environment.
    """

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            environment_variables: Iterable[EnvironmentVariable],
            producer: str | None = None,
            schema_url: str | None = None,
        ) -> None: ...
