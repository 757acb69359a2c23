"""A facet that is not a JSON object."""

from __future__ import annotations

from typing import Any

from pydantic import model_serializer

from openlineage_facets.generated.open_lineage import BaseFacet


class RawFacet(BaseFacet):
    """An invalid facet that is not a JSON object, kept unchanged.

    Created by `read_event` only. Its `producer` and `schema_url` are None.
    """

    __schema_url__ = ""

    value: Any = None
    """The JSON value."""

    @model_serializer
    def _serialize(self) -> Any:
        return self.value
