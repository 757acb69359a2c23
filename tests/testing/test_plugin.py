"""The plugin imports nothing until it is used, and validates every event on request."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.examples import blocks

PLUGIN = "openlineage_facets.testing.plugin"

WRONG = """
def test_job(lineage_events):
    lineage_events.emit({"run": {"runId": "seven"}})
"""


def run_pytest(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run pytest in a folder of its own, with this plugin and no other."""
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    environment.pop("PYTEST_ADDOPTS", None)
    options = ["-p", "openlineage_facets", "--strict-markers", "--strict-config", "-q", *arguments]
    command = [sys.executable, "-m", "pytest", *options]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


def outcome(folder: Path, test: str, ini: str = "") -> tuple[int, str]:
    (folder / "test_it.py").write_text(test)
    (folder / "pytest.ini").write_text(f"[pytest]\n{ini}")
    run = run_pytest(folder)
    return run.returncode, run.stdout


def test_pytest_discovers_the_plugin(pytestconfig: pytest.Config) -> None:
    found = {
        plugin.__name__ for plugin in pytestconfig.pluginmanager.get_plugins() if hasattr(plugin, "__name__")
    }
    assert PLUGIN in found


def test_the_package_is_not_imported_without_the_fixture(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(
        "import sys\n"
        "def pytest_unconfigure():\n"
        "    heavy = ('pydantic', 'pydantic_core', 'hypothesis', 'http.server', 'openlineage', 'pyspark')\n"
        "    print('loaded:', [name for name in heavy if name in sys.modules])\n"
        "    own = sorted(name for name in sys.modules if name.startswith('openlineage_facets'))\n"
        "    print('own:', own)\n"
    )
    printed = run_pytest(tmp_path, "--collect-only").stdout
    assert "loaded: []" in printed
    own = ["openlineage_facets", "openlineage_facets.testing", PLUGIN, "openlineage_facets.version"]
    assert f"own: {own}" in printed


def test_without_the_option_the_marker_fails_a_test_with_invalid_events(tmp_path: Path) -> None:
    marked = f"import pytest\n@pytest.mark.openlineage_facets_strict{WRONG}"
    code, printed = outcome(tmp_path, marked + WRONG.replace("test_job", "test_other"))
    assert code == 1
    assert "1 failed, 1 passed" in printed
    assert "event 1 (RunEvent None/None): OL012 error /run/runId: expected a UUID" in printed
    assert "plugin.py" not in printed


OF_EACH_KIND = """
import pytest, unittest
from openlineage_facets import Job, JobEvent

WRONG = {"run": {"runId": "seven"}}

class TestJob(unittest.TestCase):
    @pytest.fixture(autouse=True)
    def events(self, request):
        self.emit = request.getfixturevalue("lineage_events")
    def test_failed_job(self):
        self.emit(WRONG)

@pytest.mark.xfail
def test_expected(lineage_events):
    lineage_events(WRONG)

def test_failed_because_it_is_cut_off(lineage_events):
    lineage_events.file.write_text("{")

@pytest.fixture
def emit_at_the_end(lineage_events):
    yield
    lineage_events(WRONG)

def test_passed_before_an_error_at_its_end(emit_at_the_end):
    pass

def test_passed_without_events(lineage_events):
    assert lineage_events.readings == []

def test_passed_with_a_valid_event(lineage_events):
    lineage_events.emit(JobEvent(job=Job(namespace="etl", name="orders.daily")))

@pytest.mark.openlineage_facets_strict(False)
def test_passed_because_it_is_exempt(lineage_events):
    lineage_events(WRONG)
"""


def test_the_option_fails_tests_with_invalid_events_once(tmp_path: Path) -> None:
    (example,) = (block.text for block in blocks("docs/testing.md") if "def test_daily_orders" in block.text)
    (tmp_path / "test_of_the_documentation.py").write_text(example)
    printed = outcome(tmp_path, OF_EACH_KIND, "openlineage_facets_strict = true")[1]
    assert "2 failed, 5 passed, 1 xfailed, 1 error" in printed


def test_marker_and_option_are_registered(pytestconfig: pytest.Config) -> None:
    markers = pytestconfig.getini("markers")
    assert any(marker.startswith("openlineage_facets_strict(enabled=True):") for marker in markers)
    assert pytestconfig.getini("openlineage_facets_strict") is False
