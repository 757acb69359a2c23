"""The action installs the package from its own checkout, and says of each wrong line where it is."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from openlineage_facets import __version__
from tests.conftest import ROOT
from tests.hooks.composite_action import Run, run_action
from tests.hooks.examples import RIGHT, UNWISE, WRONG, good_events, write_events

pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="no bash: the action is not run")

Action = Callable[..., Run]


@pytest.fixture(scope="module")
def installed(checkout: Path, offline: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the runner's folder after the action has installed the package, in a run of its own."""
    temp = tmp_path_factory.mktemp("runner")
    workspace = tmp_path_factory.mktemp("installing")
    good_events(workspace / "events.ndjson")
    run = run_action(
        checkout, {"paths": "events.ndjson"}, workspace=workspace, temp=temp / "1", environment=offline
    )
    assert run.code == 0, run.log
    return temp / "1" / "openlineage-facets"


@pytest.fixture
def action(installed: Path, tmp_path: Path, checkout: Path, offline: dict[str, str]) -> Action:
    """Return what runs the action in `tmp_path`, with the package installed before."""
    steps = yaml.safe_load((checkout / "action.yml").read_text(encoding="utf-8"))
    steps["runs"]["steps"] = [step for step in steps["runs"]["steps"] if step["name"] == "Validate"]
    reduced = tmp_path / "reduced action"
    reduced.mkdir()
    (reduced / "action.yml").write_text(yaml.safe_dump(steps, sort_keys=False), encoding="utf-8")
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    command = next(installed.glob("*/openlineage-facets*"))
    runs = iter(range(100))

    def run(**inputs: str) -> Run:
        return run_action(
            reduced,
            {name.replace("_", "-"): value for name, value in inputs.items()},
            workspace=workspace,
            temp=tmp_path / f"temp {next(runs)}",
            environment={**offline, "OPENLINEAGE_FACETS": str(command)},
        )

    return run


@pytest.fixture
def workspace(action: Action, tmp_path: Path) -> Path:
    """Return the folder of the repository that the action checks."""
    return tmp_path / "workspace"


def test_it_installs_the_very_code_it_was_checked_out_with(installed: Path) -> None:
    (package,) = installed.glob("**/site-packages/openlineage_facets")
    own = (ROOT / "openlineage_facets" / "base" / "model.py").read_text(encoding="utf-8")
    assert (package / "base" / "model.py").read_text(encoding="utf-8") == own
    assert (package / "version.py").read_text(encoding="utf-8").count(__version__) == 1


def test_valid_events_pass(action: Action, workspace: Path) -> None:
    good_events(workspace / "events" / "good.ndjson")
    run = action(paths="events")
    assert (run.code, run.annotations()) == (0, [])
    assert run.outputs["validate"] == {"exit-code": "0"}
    assert "2 events of 1 file" in run.summary


def test_a_wrong_line_is_annotated(action: Action, workspace: Path) -> None:
    write_events(workspace / "events" / "bad.ndjson", RIGHT, WRONG)
    run = action(paths="events")
    assert run.code == 1
    ((level, properties, message),) = run.annotations()
    assert level == "error"
    assert properties["file"] == "events/bad.ndjson"
    assert properties["line"] == "2"
    assert properties["title"].startswith("OL012")
    assert message.startswith("/run/runId: expected a UUID")
    assert run.outputs["validate"] == {"exit-code": "1"}


def test_the_summary_page_tells_what_was_found(action: Action, workspace: Path) -> None:
    write_events(workspace / "bad.ndjson", RIGHT, WRONG)
    run = action(paths="bad.ndjson")
    assert run.summary.startswith("### OpenLineage events\n\n")
    assert "OL012" in run.summary
    assert "\n    1 error and 0 warnings in 2 events of 1 file\n" in run.summary
    assert all(line.startswith("    ") for line in run.summary.splitlines()[2:] if line)


def test_warnings_fail_where_the_check_is_strict(action: Action, workspace: Path) -> None:
    write_events(workspace / "unwise.ndjson", UNWISE)
    assert action(paths="unwise.ndjson").code == 0
    assert action(paths="unwise.ndjson", strict="true").code == 1


def test_further_options_are_passed_on(action: Action, workspace: Path) -> None:
    write_events(workspace / "bad.ndjson", WRONG, UNWISE)
    assert action(paths="bad.ndjson", args="--ignore OL012\n  --jobs 2").code == 0


def test_paths_stand_one_a_line_and_may_be_patterns(action: Action, workspace: Path) -> None:
    good_events(workspace / "a folder" / "good.ndjson")
    write_events(workspace / "more" / "bad.ndjson", WRONG)
    good_events(workspace / "more" / "good.json.other")
    run = action(paths="\n  a folder\n\n  more/*.ndjson  \n")
    assert [properties["file"] for _, properties, _ in run.annotations()] == ["more/bad.ndjson"]
    assert "3 events of 2 files" in run.summary


def test_a_sarif_report_is_written_where_asked_for(action: Action, workspace: Path) -> None:
    write_events(workspace / "bad.ndjson", WRONG)
    run = action(paths="bad.ndjson", sarif="reports.sarif")
    assert run.code == 1
    report = json.loads((workspace / "reports.sarif").read_text(encoding="utf-8"))
    assert [result["ruleId"] for result in report["runs"][0]["results"]] == ["OL012"]


def test_what_cannot_run_fails_with_its_reason(action: Action) -> None:
    run = action(paths="nowhere.ndjson")
    assert run.code == 2
    assert run.outputs["validate"] == {"exit-code": "2"}
    assert "nowhere.ndjson: no such file or folder" in run.annotations()[-1][2]
    assert "nowhere.ndjson" in run.summary


@pytest.mark.parametrize(
    ("inputs", "why"),
    [
        ({"paths": " \n "}, "expected files, folders or patterns in the input 'paths', found none"),
        ({"paths": "x", "strict": "yes"}, "expected true or false for the input 'strict', found 'yes'"),
    ],
)
def test_wrong_inputs_are_told(action: Action, inputs: dict[str, str], why: str) -> None:
    run = action(**inputs)
    assert run.code == 2
    assert run.annotations() == [("error", {}, why)]
    assert run.outputs["validate"] == {"exit-code": "2"}


def test_inputs_are_never_run(action: Action, workspace: Path) -> None:
    write_events(workspace / "$(touch ran).ndjson", WRONG)
    hostile = {"args": "--ignore $(touch${IFS}ran)`touch ran`", "sarif": "$(touch ran).sarif"}
    action(paths="$(touch ran).ndjson\n; touch ran", **hostile)
    action(paths="$(touch ran).ndjson", sarif="$(touch ran).sarif")
    assert not (workspace / "ran").exists()
    assert (workspace / "$(touch ran).sarif").exists()


def test_a_path_is_never_an_option(action: Action, workspace: Path) -> None:
    write_events(workspace / "--strict", UNWISE)
    assert "--strict" in action(paths="--strict").log


def test_every_input_is_described() -> None:
    described = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    assert all(one["description"] for one in described["inputs"].values())
    assert set(described["inputs"]) == {"paths", "strict", "args", "sarif", "version", "python-version"}
