"""The pytest plugin: the fixture `lineage_events`.

Every pytest run in an environment with this package loads this module, so it loads nothing else before
the fixture is used.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from openlineage_facets.testing.capture import LineageEvents

_STRICT = "openlineage_facets_strict"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that has every captured event checked."""
    parser.addini(
        _STRICT,
        "Whether each test that uses lineage_events fails where an event in it is not valid (true or false).",
        type="bool",
        default=False,
    )


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker known."""
    config.addinivalue_line(
        "markers",
        f"{_STRICT}(enabled=True): whether the test fails where an event that lineage_events captured is "
        "not valid, whatever the option of this name says.",
    )


@pytest.fixture
def lineage_events(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[LineageEvents]:
    """Capture the OpenLineage events that the code under test emits.

    It is an emitter and may be called with an event; its `file`, its `url` and `use_environment()` are
    further ways in. `events`, `runs()` and `assert_valid()` tell what came.
    """
    from openlineage_facets.testing.capture import LineageEvents

    captured = LineageEvents(tmp_path_factory.mktemp("lineage"))
    try:
        yield captured
        if _is_strict(request):
            captured.assert_valid()
    finally:
        captured.stop()


def _is_strict(request: pytest.FixtureRequest) -> bool:
    marker = request.node.get_closest_marker(_STRICT)
    if marker is None:
        return bool(request.config.getini(_STRICT))
    enabled = marker.args[0] if marker.args else marker.kwargs.get("enabled", True)
    return bool(enabled)
