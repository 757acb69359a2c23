"""What the registry of facets holds."""

from __future__ import annotations

from typing import NamedTuple


class FacetEntry(NamedTuple):
    """One facet of one container."""

    container: str
    """Name of the container class, such as `RunFacets`."""
    key: str
    """The wire key the facet stands under."""
    module: str
    """The generated module that defines it."""
    name: str
    """The class that reads it."""
    schema_url: str
    """The schema, in this version, that defines it."""
    proposal: str | None
    """The schema file a `_schemaURL` must name for this spelling, None for a released facet."""
