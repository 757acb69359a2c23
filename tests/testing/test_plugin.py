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

RIGHT = """
from openlineage_facets import Job, JobEvent
def test_job(lineage_events):
    lineage_events.emit(JobEvent(job=Job(namespace="etl", name="orders.daily")))
"""


def run_pytest(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run pytest in a folder of its own, with this plugin and no other."""
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    environment.pop("PYTEST_ADDOPTS", None)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "openlineage_facets",
        "--strict-markers",
        "--strict-config",
        "-q",
    ]
    return subprocess.run([*command, *arguments], cwd=folder, env=environment, capture_output=True, text=True)


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


def test_invalid_events_pass_by_default(tmp_path: Path) -> None:
    code, printed = outcome(tmp_path, WRONG)
    assert code == 0, printed


def test_the_option_fails_tests_with_invalid_events(tmp_path: Path) -> None:
    code, printed = outcome(tmp_path, WRONG, "openlineage_facets_strict = true")
    assert code == 1
    assert "event 1 (RunEvent None/None): OL012 error /run/runId: expected a UUID" in printed


def test_the_option_lets_valid_events_pass(tmp_path: Path) -> None:
    code, printed = outcome(tmp_path, RIGHT, "openlineage_facets_strict = true")
    assert code == 0, printed


def test_the_marker_fails_one_test(tmp_path: Path) -> None:
    marked = f"import pytest\n@pytest.mark.openlineage_facets_strict{WRONG}"
    code, printed = outcome(tmp_path, marked + WRONG.replace("test_job", "test_other"))
    assert code == 1
    assert "1 failed, 1 passed" in printed
    assert "plugin.py" not in printed


@pytest.mark.check
def test_the_option_fails_tests_of_each_kind_once(tmp_path: Path) -> None:
    test = (
        "import pytest, unittest\n"
        "WRONG = {'run': {'runId': 'seven'}}\n"
        "class TestJob(unittest.TestCase):\n"
        "    @pytest.fixture(autouse=True)\n"
        "    def events(self, request):\n"
        "        self.emit = request.getfixturevalue('lineage_events')\n"
        "    def test_job(self):\n"
        "        self.emit(WRONG)\n"
        "@pytest.mark.xfail\n"
        "def test_expected(lineage_events):\n"
        "    lineage_events(WRONG)\n"
        "def test_cut_off(lineage_events):\n"
        "    lineage_events.file.write_text('{')\n"
        "@pytest.fixture\n"
        "def emit_at_the_end(lineage_events):\n"
        "    yield\n"
        "    lineage_events(WRONG)\n"
        "def test_end(emit_at_the_end):\n"
        "    pass\n"
        "def test_other(lineage_events):\n"
        "    assert lineage_events.readings == []\n"
    )
    printed = outcome(tmp_path, test, "openlineage_facets_strict = true")[1]
    assert "2 failed, 2 passed, 1 xfailed, 1 error" in printed


def test_the_marker_exempts_one_test(tmp_path: Path) -> None:
    marked = f"import pytest\n@pytest.mark.openlineage_facets_strict(False){WRONG}"
    code, printed = outcome(tmp_path, marked, "openlineage_facets_strict = true")
    assert code == 0, printed


def test_marker_fixture_and_option_are_documented(tmp_path: Path) -> None:
    assert "@pytest.mark.openlineage_facets_strict(enabled=True):" in run_pytest(tmp_path, "--markers").stdout
    assert "Capture the OpenLineage events that the code" in run_pytest(tmp_path, "--fixtures").stdout
    assert "openlineage_facets_strict (bool):" in run_pytest(tmp_path, "--help").stdout


def test_the_documented_test_of_a_job_passes(tmp_path: Path) -> None:
    (example,) = (block.text for block in blocks("docs/testing.md") if "def test_daily_orders" in block.text)
    code, printed = outcome(tmp_path, example, "openlineage_facets_strict = true")
    assert code == 0, printed
    assert "1 passed" in printed
