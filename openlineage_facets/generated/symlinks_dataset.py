# Generated from https://openlineage.io/spec/facets/1-0-1/SymlinksDatasetFacet.json (facets/SymlinksDatasetFacet.json) by `make regen`.
# Do not edit: change the schema and generate again.
"""Dataset facet for the other names of a dataset, such as a table name beside a storage path."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from pydantic import StrictStr

from openlineage_facets.base.model import Model
from openlineage_facets.base.types import Maybe
from openlineage_facets.generated.open_lineage import DatasetFacet


class Identifier(Model):
    """One further name of the dataset.

    Its namespace and name are compared with those of datasets in other events, and a match
    means the same data.
    """

    namespace: StrictStr
    """Namespace of this further name: the catalog or storage system that it is valid in.

    Examples: `"hive://metastore.example.com:9083"`, `"s3://lake"`.
    """
    name: StrictStr
    """Name of the dataset within that namespace, such as a qualified table or a path.

    Examples: `"sales.orders"`, `"warehouse/sales/orders"`.
    """
    type: StrictStr
    """What this further name refers to.

    Usual values are `TABLE` for a catalog table and `LOCATION` for a storage path. Examples:
    `"TABLE"`, `"LOCATION"`.
    """

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            namespace: str,
            name: str,
            type: str,
        ) -> None: ...


class SymlinksDatasetFacet(DatasetFacet):
    """Other names under which one and the same dataset is known.

    An engine that knows both the storage path and the catalog table of a dataset names it by
    one and lists the other here; lineage backends join the names into a single node.
    """

    __schema_url__: ClassVar[str] = (
        "https://openlineage.io/spec/facets/1-0-1/SymlinksDatasetFacet.json#/$defs/SymlinksDatasetFacet"
    )
    __facet_key__: ClassVar[str | None] = "symlinks"

    identifiers: Maybe[tuple[Identifier, ...]] = None
    """The other names, one entry each.

    The name that the dataset itself carries in the event need not be repeated.
    """

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            identifiers: Iterable[Identifier] | None = None,
            deleted: bool | None = None,
            producer: str | None = None,
            schema_url: str | None = None,
        ) -> None: ...
