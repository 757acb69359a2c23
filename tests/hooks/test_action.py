"""The action installs the package from its checkout and annotates findings."""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from openlineage_facets import RunEventBuilder, __version__
from openlineage_facets.review import Naming, lock_text, renamed
from tests.conftest import ROOT
from tests.events import folded, job_event
from tests.hooks.composite_action import Run, run_action
from tests.hooks.examples import INVALID, VALID, WARNING, write_events, write_valid_events

pytestmark = [
    pytest.mark.check,
    pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed"),
]

Action = Callable[..., Run]
VARIABLES = {name: value for name, value in os.environ.items() if not name.startswith("GITHUB_")}
COMMAND = Path(sys.executable).with_name("openlineage-facets")
"""The command of this environment."""


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """Return the working directory of the action."""
    (tmp_path / "workspace").mkdir()
    return tmp_path / "workspace"


@pytest.fixture
def action(workspace: Path, tmp_path: Path) -> Action:
    """Return a function that runs the step of the action after the installation."""

    def run(**inputs: str) -> Run:
        named = {name.replace("_", "-"): value for name, value in inputs.items()}
        variables = {**VARIABLES, "OPENLINEAGE_FACETS": str(COMMAND)}
        return run_action(ROOT, named, folder=tmp_path, variables=variables, only="Validate")

    return run


def lineage(*names: str) -> list[Any]:
    """Return the events of a job for each name, which reads a folder of this name and writes its copy."""
    events = []
    for name in names:
        build = RunEventBuilder("etl", f"job of {name}", producer="https://example.com/v7/etl")
        table = {"namespace": "hive://meta:9083", "name": f"shop.{name}", "type": "TABLE"}
        build.input("file", f"/warehouse/{name}").symlinks(identifiers=[table])
        source = {"namespace": "file", "name": f"/warehouse/{name}", "field": "id", "transformations": []}
        build.output("db", f"copy of {name}").column_lineage(fields={"key": {"inputFields": [source]}})
        events += [build.start().to_dict(), build.complete().to_dict()]
    return events


@pytest.mark.parametrize(
    ("version", "package"), [("", f"{ROOT}[cli]"), ("0.2", "openlineage-facets[cli]==0.2")]
)
def test_it_installs_its_checkout_or_a_version_with_the_python3_of_the_job(
    version: str, package: str, workspace: Path, tmp_path: Path
) -> None:
    """A `python3` prints its arguments, and creates an environment with itself."""
    python = tmp_path / "python3"
    python.write_text(
        '#!/bin/sh\necho "$@"\n[ "$2" != venv ] || { mkdir -p "$3/bin" && cp "$0" "$3/bin/python"; }\n'
    )
    python.chmod(0o755)
    variables = {**VARIABLES, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    inputs = {"paths": "x", "version": version}
    run = run_action(ROOT, inputs, folder=tmp_path, variables=variables, only="Install openlineage-facets")
    environment = tmp_path / "temp" / "openlineage-facets"
    assert run.log.splitlines() == [
        f"-m venv {environment}",
        f"-m pip install --quiet --disable-pip-version-check {package}",
    ]
    assert run.variables["OPENLINEAGE_FACETS"] == f"{environment}/bin/openlineage-facets"


@pytest.mark.thorough
def test_the_installed_code_is_that_of_the_checkout(
    checkout: Path, offline: dict[str, str], workspace: Path, tmp_path: Path
) -> None:
    write_valid_events(workspace / "events.ndjson")
    run = run_action(checkout, {"paths": "events.ndjson"}, folder=tmp_path, variables=offline)
    assert run.code == 0, run.log
    environment = tmp_path / "temp" / "openlineage-facets"
    assert f"version = {platform.python_version()}\n" in (environment / "pyvenv.cfg").read_text()
    (package,) = environment.glob("**/site-packages/openlineage_facets")
    own = (ROOT / "openlineage_facets" / "base" / "producer.py").read_text(encoding="utf-8")
    assert (package / "base" / "producer.py").read_text(encoding="utf-8") == own
    assert (package / "version.py").read_text(encoding="utf-8").count(__version__) == 1


def test_valid_events_pass_and_their_graph_and_unchanged_lineage_are_on_the_summary_page(
    action: Action, workspace: Path
) -> None:
    """The naming file, whose path has a space, renames the events, too: the lock file has names of tables."""
    events = lineage("orders", "customers")
    write_events(workspace / "a folder" / "valid.ndjson", *events[:2])
    write_events(workspace / "more" / "valid.ndjson", *events[2:])
    graph = folded(*events).lineage()
    lock = lock_text(renamed(graph, Naming(main_name="table")))
    assert lock != lock_text(graph)
    (workspace / "main.lock.json").write_text(lock, encoding="utf-8")
    (workspace / "my rules").mkdir()
    (workspace / "my rules" / "naming.toml").write_text('main_name = "table"\n')
    run = action(
        paths="\n  a folder\n\n  more/*.ndjson  \n",
        graph="columns",
        compare="main.lock.json",
        compare_args="--fail-on any\n --naming 'my rules/naming.toml'",
    )
    assert (run.code, run.annotations()) == (0, [])
    assert run.outputs["validate"] == {"exit-code": "0"}
    assert "4 events of 2 files" in run.summary
    assert "#### Changes of lineage\n\n\nno differences in lineage\n" in run.summary
    _, diagram = run.summary.split("\n#### Lineage\n\n```mermaid\n")
    assert diagram.startswith("flowchart LR\n")
    assert {"job of orders", "copy of customers"} <= set(re.findall(r'"([^"]+)"', diagram))
    assert "-.->" in diagram


HOSTILE = "$(touch${IFS}ran)`touch ran`; touch ran"


def test_findings_and_changes_are_annotated_on_the_summary_page_and_in_the_sarif_report(
    action: Action, workspace: Path
) -> None:
    """Inputs are never executed, and a path is never an option."""
    events = lineage("orders", "customers")
    write_events(workspace / "--strict", *events, VALID, INVALID)
    write_events(workspace / f"{HOSTILE}.ndjson", job_event())
    lock = lock_text(folded(*events, *lineage("refunds")).lineage())
    (workspace / HOSTILE).write_text(lock, encoding="utf-8")
    (workspace / f"{HOSTILE}.toml").touch()
    naming = f"--naming '{HOSTILE}.toml'"
    run = action(
        paths=f"--strict\n{HOSTILE}.ndjson",
        args="--jobs 2",
        sarif=f"{HOSTILE}.sarif",
        graph="true",
        graph_args=f"--focus 'job of orders'\n --down 2 {naming}",
        compare=HOSTILE,
        compare_args=naming,
    )
    assert not (workspace / "ran").exists()
    assert run.code == 1
    assert run.outputs["validate"] == {"exit-code": "1"}
    (level, properties, message), *changes = run.annotations()
    assert (level, properties["file"], properties["line"]) == ("error", "--strict", "6")
    assert properties["title"].startswith("OL012")
    assert message.startswith("/run/runId: expected a UUID")
    assert "db copy of refunds: removed dataset" in [message for *_, message in changes]
    validated, graph, changed = re.split(r"#### .*", run.summary)
    assert validated.startswith("### OpenLineage events\n\n")
    assert "OL012" in validated
    assert "\n    1 error and 0 warnings in 7 events of 2 files\n" in validated
    assert all(line.startswith("    ") for line in validated.splitlines()[2:] if line)
    assert "job of orders" in graph
    assert not any(other in graph for other in ("customers", "-.->"))
    assert "| dataset `db copy of refunds` | removed dataset | yes |" in changed
    report = json.loads((workspace / f"{HOSTILE}.sarif").read_text(encoding="utf-8"))
    assert [result["ruleId"] for result in report["runs"][0]["results"]] == ["OL012"]


def test_args_are_passed_to_the_command_and_strict_fails_on_warnings(action: Action, workspace: Path) -> None:
    write_events(workspace / "invalid.ndjson", INVALID, WARNING)
    run = action(paths="invalid.ndjson", args="--ignore OL012\n  --jobs 2", strict="true")
    assert run.code == 1
    assert "OL012" not in run.log


@pytest.mark.thorough
def test_a_graph_that_cannot_be_drawn_is_a_warning_and_a_missing_lock_file_an_error(
    action: Action, workspace: Path
) -> None:
    write_events(workspace / "lineage.ndjson", *lineage("orders"))
    options = {"graph_args": "--focus nothing", "compare": "other.lock.json"}
    run = action(paths="lineage.ndjson", graph="true", **options)
    assert run.code == 2
    (warning, _, message), *_, (error, _, missing) = run.annotations()
    assert (warning, error) == ("warning", "error")
    assert "expected the name of a job or dataset, found 'nothing'" in message
    assert "other.lock.json" in missing
    assert "#### Lineage" not in run.summary


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
        ({"strict": "yes"}, "expected true or false for the input 'strict', found 'yes'"),
        ({"graph": "yes"}, "expected true, false or columns for the input 'graph', found 'yes'"),
        (
            {"args": '--ignore "OL016'},
            "expected options with closed quotes for the input 'args', found '--ignore \"OL016'",
        ),
        (
            {"strict": "1%0A\n::warning::mine"},
            "expected true or false for the input 'strict', found '1%0A\n::warning::mine'",
        ),
    ],
)
def test_invalid_inputs_are_annotated(action: Action, inputs: dict[str, str], message: str) -> None:
    run = action(**{"paths": "x", **inputs})
    assert run.code == 2
    assert run.annotations() == [("error", {}, message)]
    assert run.outputs["validate"] == {"exit-code": "2"}


def test_every_input_is_described() -> None:
    described = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    assert all(one["description"] for one in described["inputs"].values())
    assert set(described["inputs"]) == {
        *("paths", "strict", "args", "sarif", "graph", "graph-args", "compare", "compare-args"),
        *("version", "python-version"),
    }
