"""What stands where a facet belongs and is none: kept, so that nothing is lost."""

from __future__ import annotations

from typing import Any

from pydantic import model_serializer

from openlineage_facets.generated.open_lineage import BaseFacet

__all__ = ["RawFacet"]


class RawFacet(BaseFacet):
    """A value that stands under a facet's key and is no object, kept as it came.

    Only tolerant reading makes one. Its `producer` and `schema_url` are None.
    """

    __schema_url__ = ""

    value: Any = None
    """The JSON value."""

    @model_serializer
    def _as_it_came(self) -> Any:
        return self.value
