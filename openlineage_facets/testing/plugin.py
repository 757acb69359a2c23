"""Pytest plugin with the fixtures `lineage_events` and `lineage_lock`.

Every pytest run in an environment with this package imports this module, so it imports nothing else until
a fixture is used.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from openlineage_facets.testing.event_capture import LineageEvents
    from openlineage_facets.testing.lineage_lock import LineageLock

_STRICT = "openlineage_facets_strict"
_LOCK = "openlineage_facets_lock"
_NAMING = "openlineage_facets_naming"

_CAPTURED = pytest.StashKey["LineageEvents | None"]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options: whether to validate every captured event, the lock file, the naming file."""
    parser.addini(
        _STRICT,
        "Whether a test fails if its fixture lineage_events captured an invalid event (true or false).",
        type="bool",
        default=False,
    )
    parser.addini(
        _LOCK, "The lock file of the fixture lineage_lock, relative to the root.", default="lineage.lock.json"
    )
    parser.addini(
        _NAMING, "Rules for the names of datasets in lineage_lock, relative to the root.", default=""
    )


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker."""
    config.addinivalue_line(
        "markers",
        f"{_STRICT}(enabled=True): whether the test fails if lineage_events captured an invalid event. "
        "Overrides the option of this name.",
    )


@pytest.fixture
def lineage_events(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[LineageEvents]:
    """Capture the OpenLineage events that the code under test emits.

    Pass it as an emitter or a function, or use its `file`, its `url` or `use_environment()`. Then check
    `events`, `runs()` and `assert_valid()`.
    """
    from openlineage_facets.testing.event_capture import LineageEvents

    captured = LineageEvents(tmp_path_factory.mktemp("lineage"))
    request.node.stash[_CAPTURED] = captured
    try:
        yield captured
        _validate(request.node)  # What fixtures emitted when they ended.
    finally:
        captured.stop()
        request.node.stash[_CAPTURED] = None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Fail a strict test that captured an invalid event; the fixture could only add an error to it."""
    __tracebackhide__ = True
    result = yield
    _validate(item)
    return result


@pytest.fixture
def lineage_lock(request: pytest.FixtureRequest, lineage_events: LineageEvents) -> LineageLock:
    """Compare the events of `lineage_events` with the lock file of the repository."""
    from openlineage_facets.testing.lineage_lock import LineageLock

    root, naming = request.config.rootpath, str(request.config.getini(_NAMING))
    lock = root / str(request.config.getini(_LOCK))
    return LineageLock(lineage_events, lock, root / naming if naming else None)


def _validate(item: pytest.Item) -> None:
    """Validate the events of a strict test, unless it has failed for that reason."""
    __tracebackhide__ = True
    captured = item.stash.get(_CAPTURED, None)
    if captured is not None and _is_strict(item) and captured.has_captured:
        item.stash[_CAPTURED] = None
        captured.assert_valid()
        item.stash[_CAPTURED] = captured


def _is_strict(item: pytest.Item) -> bool:
    marker = item.get_closest_marker(_STRICT)
    if marker is None:
        return bool(item.config.getini(_STRICT))
    enabled = marker.args[0] if marker.args else marker.kwargs.get("enabled", True)
    return bool(enabled)
