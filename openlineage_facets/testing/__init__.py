"""Test producers and backends of OpenLineage events.

`assert_valid` and the pytest fixture `lineage_events` check the events of a producer; `strategies` contains
hypothesis strategies for the events that a backend may receive.

Example:
    >>> from openlineage_facets.testing import assert_valid
    >>> assert_valid('{"run": {"runId": "seven"}}')
    Traceback (most recent call last):
    ...
    AssertionError: ...
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from openlineage_facets.testing.assertions import assert_valid
    from openlineage_facets.testing.event_capture import LineageEvents
    from openlineage_facets.testing.lineage_lock import LineageLock

_EXPORTS = {"LineageEvents": "event_capture", "LineageLock": "lineage_lock", "assert_valid": "assertions"}

__all__ = ["LineageEvents", "LineageLock", "assert_valid"]


def __getattr__(name: str) -> Any:
    from openlineage_facets.base.lazy_imports import load_export

    return load_export(__name__, name, _EXPORTS)


def __dir__() -> list[str]:
    return __all__
