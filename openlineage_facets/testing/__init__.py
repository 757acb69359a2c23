"""What tests of producers and backends of OpenLineage need.

`assert_valid` and the pytest fixture `lineage_events` look at what a producer says; `strategies` makes, with
hypothesis, everything that a backend may be told.

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
    from openlineage_facets.testing.capture import LineageEvents

_EXPORTS = {"LineageEvents": "capture", "assert_valid": "assertions"}

__all__ = ["LineageEvents", "assert_valid"]


def __getattr__(name: str) -> Any:
    from openlineage_facets.base.lazy import load_export

    return load_export(__name__, name, _EXPORTS)


def __dir__() -> list[str]:
    return __all__
