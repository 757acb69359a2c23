"""Hypothesis strategies for valid and invalid events, facets and other objects of the specification.

Example:
    >>> from hypothesis import given
    >>> from openlineage_facets.testing import strategies
    >>> @given(strategies.events())
    ... def test_my_backend_accepts_every_event(event):
    ...     assert backend.post(event.to_json()).status_code == 201
"""

from __future__ import annotations

from openlineage_facets.version import install_command

try:
    import hypothesis  # noqa: F401
except ImportError:
    raise ImportError(
        f"strategies need hypothesis, which is not installed: {install_command('testing')}"
    ) from None

from openlineage_facets.testing.strategies.invalid import InvalidDocument, invalid_documents
from openlineage_facets.testing.strategies.valid import documents, events, facets, models

__all__ = ["InvalidDocument", "documents", "events", "facets", "invalid_documents", "models"]
