# Generated from https://openlineage.io/spec/facets/1-0-1/LifecycleStateChangeDatasetFacet.json (facets/LifecycleStateChangeDatasetFacet.json) by `make regen`.
# Do not edit: change the schema and generate again.
"""What an operation did to a dataset as an object: created, altered, renamed, emptied or dropped
it.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from pydantic import Field, StrictStr, model_validator

from openlineage_facets.base.model import Model
from openlineage_facets.base.rules import keep_unknown_apart
from openlineage_facets.base.types import Maybe
from openlineage_facets.generated.open_lineage import DatasetFacet


class LifecycleStateChange(str, Enum):
    """Operation the dataset went through.

    `CREATE` made it, `ALTER` changed its definition, `OVERWRITE` replaced its contents,
    `TRUNCATE` removed all rows and kept the table, `RENAME` gave it the name it now has and
    `DROP` removed it. Examples: `"TRUNCATE"`, `"RENAME"`.
    """

    ALTER = "ALTER"
    CREATE = "CREATE"
    DROP = "DROP"
    OVERWRITE = "OVERWRITE"
    RENAME = "RENAME"
    TRUNCATE = "TRUNCATE"


class PreviousIdentifier(Model):
    """Namespace and name the dataset had before a `RENAME`.

    The dataset that carries the facet has the new ones; readers join the two histories by
    this.
    """

    name: StrictStr
    """Dataset name before the rename.

    Example: `"warehouse.staging.orders_tmp"`.
    """
    namespace: StrictStr
    """Dataset namespace before the rename; often the same as the current one.

    Example: `"postgres://db.example.com:5432"`.
    """

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            name: str,
            namespace: str,
        ) -> None: ...


class LifecycleStateChangeDatasetFacet(DatasetFacet):
    """Marks that an operation changed the dataset as such and not just its rows.

    Engines emit it for DDL statements and overwriting writes; backends use it to add, retire
    or rename the dataset and to start a new version of it.
    """

    __schema_url__: ClassVar[str] = (
        "https://openlineage.io/spec/facets/1-0-1/LifecycleStateChangeDatasetFacet.json#/$defs/LifecycleStateChangeDatasetFacet"
    )
    __facet_key__: ClassVar[str | None] = "lifecycleStateChange"

    lifecycle_state_change: Annotated[LifecycleStateChange, Field(alias="lifecycleStateChange")]
    """Operation the dataset went through.

    `CREATE` made it, `ALTER` changed its definition, `OVERWRITE` replaced its contents,
    `TRUNCATE` removed all rows and kept the table, `RENAME` gave it the name it now has and
    `DROP` removed it. Examples: `"TRUNCATE"`, `"RENAME"`.
    """
    previous_identifier: Annotated[Maybe[PreviousIdentifier], Field(alias="previousIdentifier")] = None
    """Namespace and name the dataset had before a `RENAME`.

    The dataset that carries the facet has the new ones; readers join the two histories by
    this.
    """

    _keep_unknown_apart = model_validator(mode="after")(keep_unknown_apart)

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            lifecycle_state_change: LifecycleStateChange
            | Literal["ALTER", "CREATE", "DROP", "OVERWRITE", "RENAME", "TRUNCATE"],
            previous_identifier: PreviousIdentifier | None = None,
            deleted: bool | None = None,
            producer: str | None = None,
            schema_url: str | None = None,
        ) -> None: ...
