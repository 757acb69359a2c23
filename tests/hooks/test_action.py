"""The action installs the package from its checkout and annotates findings."""

from __future__ import annotations

import json
import platform
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from openlineage_facets import RunEventBuilder, __version__
from openlineage_facets.review import Naming, lock_text, renamed
from tests.conftest import ROOT
from tests.graphs.sample_graphs import dataset, folded, orders, orders_events, run_event
from tests.hooks.composite_action import Run, run_action
from tests.hooks.examples import INVALID, VALID, WARNING, write_events, write_valid_events

pytestmark = [
    pytest.mark.check,
    pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed"),
]

Action = Callable[..., Run]


@pytest.fixture
def action(installed: Path, tmp_path: Path, checkout: Path, offline: dict[str, str]) -> Action:
    """Return a function that runs the action without its installation step."""
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
    """Return the working directory of the action."""
    return tmp_path / "workspace"


@pytest.mark.thorough
def test_it_installs_the_code_of_its_checkout(installed: Path) -> None:
    (package,) = installed.glob("**/site-packages/openlineage_facets")
    own = (ROOT / "openlineage_facets" / "base" / "producer.py").read_text(encoding="utf-8")
    assert (package / "base" / "producer.py").read_text(encoding="utf-8") == own
    assert (package / "version.py").read_text(encoding="utf-8").count(__version__) == 1


def test_it_installs_with_the_python3_of_the_job(installed: Path) -> None:
    configuration = (installed / "pyvenv.cfg").read_text(encoding="utf-8")
    assert f"version = {platform.python_version()}\n" in configuration


def test_valid_events_pass(action: Action, workspace: Path) -> None:
    write_valid_events(workspace / "events" / "valid.ndjson")
    run = action(paths="events")
    assert (run.code, run.annotations()) == (0, [])
    assert run.outputs["validate"] == {"exit-code": "0"}
    assert "2 events of 1 file" in run.summary
    assert "mermaid" not in run.summary


def test_findings_are_annotated_on_the_summary_page_and_in_the_sarif_report(
    action: Action, workspace: Path
) -> None:
    write_valid_events(workspace / "a folder" / "valid.ndjson")
    write_events(workspace / "more" / "invalid.ndjson", VALID, INVALID)
    write_events(workspace / "more" / "good.json.other", INVALID)
    run = action(paths="\n  a folder\n\n  more/*.ndjson  \n", sarif="reports.sarif")
    assert run.code == 1
    assert run.outputs["validate"] == {"exit-code": "1"}
    ((level, properties, message),) = run.annotations()
    assert (level, properties["file"], properties["line"]) == ("error", "more/invalid.ndjson", "2")
    assert properties["title"].startswith("OL012")
    assert message.startswith("/run/runId: expected a UUID")
    assert run.summary.startswith("### OpenLineage events\n\n")
    assert "OL012" in run.summary
    assert "\n    1 error and 0 warnings in 4 events of 2 files\n" in run.summary
    assert all(line.startswith("    ") for line in run.summary.splitlines()[2:] if line)
    report = json.loads((workspace / "reports.sarif").read_text(encoding="utf-8"))
    assert [result["ruleId"] for result in report["runs"][0]["results"]] == ["OL012"]


def test_args_are_passed_to_the_command_and_strict_fails_on_warnings(action: Action, workspace: Path) -> None:
    write_events(workspace / "invalid.ndjson", INVALID, WARNING)
    args = "--ignore OL012\n  --jobs 2"
    assert action(paths="invalid.ndjson", args=args).code == 0
    assert action(paths="invalid.ndjson", args=args, strict="true").code == 1


def test_changes_of_lineage_are_annotated_and_on_the_summary_page(action: Action, workspace: Path) -> None:
    (workspace / "main.lock.json").write_text(lock_text(orders()), encoding="utf-8")
    first, *others = orders_events()
    write_events(workspace / "a.ndjson", first)
    write_events(workspace / "b.ndjson", *others)
    same = action(paths="a.ndjson\nb.ndjson", compare="main.lock.json")
    assert same.code == 0
    assert "#### Changes of lineage\n\n\nno differences in lineage\n" in same.summary
    run = action(paths="a.ndjson", compare="main.lock.json")
    assert run.code == 1
    assert "| dataset `db reports/weekly` | removed dataset | yes |" in run.summary
    assert run.outputs["validate"] == {"exit-code": "1"}
    assert {properties["file"] for _, properties, _ in run.annotations()} == {"a.ndjson"}
    missing = action(paths="a.ndjson", compare="other.lock.json")
    assert missing.code == 2
    assert "other.lock.json" in missing.annotations()[-1][2]


def test_options_of_compare_also_apply_to_names_of_events(action: Action, workspace: Path) -> None:
    """The lock file of the main branch has the names of tables, those of the events are paths."""
    table = {"namespace": "hive://meta:9083", "name": "shop.orders", "type": "TABLE"}
    orders = {**dataset("/warehouse/orders", ("id",)), "namespace": "file"}
    orders["facets"]["symlinks"] = {**orders["facets"]["schema"], "identifiers": [table]}
    del orders["facets"]["symlinks"]["fields"]
    event = run_event("load", [], [orders])
    write_events(workspace / "events" / "all.ndjson", event)
    lock = lock_text(renamed(folded([event]), Naming(main_name="table")))
    assert lock != lock_text(folded([event]))
    (workspace / "main.lock.json").write_text(lock, encoding="utf-8")
    (workspace / "my rules").mkdir()
    (workspace / "my rules" / "naming.toml").write_text('main_name = "table"\n')
    options = "--fail-on any\n --naming 'my rules/naming.toml'"
    assert action(paths="events", compare="main.lock.json", compare_args=options).code == 0


def write_lineage(path: Path, *names: str) -> None:
    """Write an event of a job for each name, which reads a dataset of this name and writes its copy."""
    events = []
    for name in names:
        build = RunEventBuilder("etl", f"job of {name}", producer="https://example.com/v7/etl")
        build.input("db", name).schema(fields=[{"name": "id", "type": "long"}])
        source = {"namespace": "db", "name": name, "field": "id", "transformations": []}
        build.output("db", f"copy of {name}").column_lineage(fields={"key": {"inputFields": [source]}})
        events.append(build.start().to_json())
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"\n".join(events))


def test_the_summary_page_shows_the_graph_with_columns_if_wanted(action: Action, workspace: Path) -> None:
    write_lineage(workspace / "lineage" / "one.ndjson", "orders")
    write_lineage(workspace / "lineage" / "two.ndjson", "customers")
    run = action(paths="lineage/one.ndjson\nlineage/two.ndjson", graph="columns")
    assert (run.code, run.annotations()) == (0, [])
    _, diagram = run.summary.split("\n#### Lineage\n\n```mermaid\n")
    assert diagram.startswith("flowchart LR\n")
    assert diagram.rstrip().endswith("```")
    assert {"orders", "copy of customers"} <= set(re.findall(r'"([^"]+)"', diagram))
    assert "-.->" in diagram


def test_the_graph_has_its_own_options_and_is_also_drawn_if_events_have_errors(
    action: Action, workspace: Path
) -> None:
    write_lineage(workspace / "lineage.ndjson", "orders", "customers")
    (workspace / "invalid.ndjson").write_text('{"eventTime": "2026-03-29T01:00:00"}')
    options = "--focus orders\n --down 2"
    run = action(paths="lineage.ndjson\ninvalid.ndjson", graph="true", graph_args=options)
    assert run.code == 1
    assert "job of orders" in run.summary
    assert "copy of orders" in run.summary
    assert "customers" not in run.summary
    assert "-.->" not in run.summary
    (skipped,) = [message for level, _, message in run.annotations() if message.startswith("graph: ")]
    assert skipped.startswith("graph: invalid.ndjson:1: skipped: ")


def test_a_graph_that_cannot_be_drawn_is_a_warning(action: Action, workspace: Path) -> None:
    write_lineage(workspace / "lineage.ndjson", "orders")
    run = action(paths="lineage.ndjson", graph="true", graph_args="--focus nothing")
    assert run.code == 0
    ((level, _, message),) = run.annotations()
    assert level == "warning"
    assert "expected the name of a job or dataset, found 'nothing'" in message
    assert "#### Lineage" not in run.summary


def test_a_large_graph_stays_within_the_limits_of_github(action: Action, workspace: Path) -> None:
    write_lineage(workspace / "lineage.ndjson", *(f"orders-{number}" for number in range(400)))
    run = action(paths="lineage.ndjson", graph="columns")
    diagram = run.summary.split("```mermaid\n")[1].split("```")[0]
    assert len(diagram) <= 50_000
    assert diagram.count("-->") + diagram.count("-.->") <= 500
    assert "not shown: " in diagram
    assert "left out" in run.annotations()[-1][2]


def test_failures_are_annotated_with_their_reason(action: Action) -> None:
    run = action(paths="nowhere.ndjson")
    assert run.code == 2
    assert run.outputs["validate"] == {"exit-code": "2"}
    assert "nowhere.ndjson: no such file or folder" in run.annotations()[-1][2]
    assert "nowhere.ndjson" in run.summary


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"paths": " \n "}, "missing files, folders or patterns in the input 'paths'"),
        ({"paths": "x", "strict": "yes"}, "expected true or false for the input 'strict', found 'yes'"),
        (
            {"paths": "x", "graph": "yes"},
            "expected true, false or columns for the input 'graph', found 'yes'",
        ),
        (
            {"paths": "x", "args": '--ignore "OL016'},
            "expected options with closed quotes for the input 'args', found '--ignore \"OL016'",
        ),
        (
            {"paths": "x", "strict": "1%0A\n::warning::mine"},
            "expected true or false for the input 'strict', found '1%0A\n::warning::mine'",
        ),
    ],
)
def test_invalid_inputs_are_annotated(action: Action, inputs: dict[str, str], message: str) -> None:
    run = action(**inputs)
    assert run.code == 2
    assert run.annotations() == [("error", {}, message)]
    assert run.outputs["validate"] == {"exit-code": "2"}


def test_other_actions_are_pinned_by_commit(checkout: Path) -> None:
    used = re.findall(r"uses: (\S+)", (checkout / "action.yml").read_text(encoding="utf-8"))
    assert used
    assert [one for one in used if not re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", one)] == []


def test_inputs_are_never_executed(action: Action, workspace: Path) -> None:
    write_events(workspace / "$(touch ran).ndjson", INVALID)
    hostile = {"args": "--ignore $(touch${IFS}ran)`touch ran`", "sarif": "$(touch ran).sarif"}
    action(paths="$(touch ran).ndjson\n; touch ran", **hostile)
    words = "--focus $(touch${IFS}ran)`touch ran`"
    hostile = {"graph": "true", "graph_args": words, "sarif": "$(touch ran).sarif"}
    action(paths="$(touch ran).ndjson", compare="$(touch ran).json", compare_args=words, **hostile)
    assert not (workspace / "ran").exists()
    assert (workspace / "$(touch ran).sarif").exists()


def test_a_path_is_never_an_option(action: Action, workspace: Path) -> None:
    write_events(workspace / "--strict", WARNING)
    assert "--strict" in action(paths="--strict").log


def test_every_input_is_described() -> None:
    described = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    assert all(one["description"] for one in described["inputs"].values())
    assert set(described["inputs"]) == {
        *("paths", "strict", "args", "sarif", "graph", "graph-args", "compare", "compare-args"),
        *("version", "python-version"),
    }
