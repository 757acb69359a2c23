"""The entries of the generated facet registry."""

from __future__ import annotations

from typing import NamedTuple


class FacetEntry(NamedTuple):
    """One facet of one container."""

    container: str
    """Name of the container class, such as `RunFacets`."""
    key: str
    """The facet key."""
    module: str
    """The generated module that defines it."""
    name: str
    """The class of the facet."""
    schema_url: str
    """URL of the schema that defines it, with its version."""
    proposal: str | None
    """The schema file in the `_schemaURL` of a proposed wire format; None for a released facet."""
