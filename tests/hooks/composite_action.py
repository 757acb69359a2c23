"""Run the steps of a composite action like a GitHub runner: with bash, its files and variables."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml


@dataclass
class Run:
    """Result of an action.

    Attributes:
        code: Exit code of the last step.
        log: Output of all steps.
        summary: Content of the summary page.
        outputs: Outputs of each step with an id.
    """

    code: int = 0
    log: str = ""
    summary: str = ""
    outputs: dict[str, dict[str, str]] = field(default_factory=dict)

    def annotations(self) -> list[tuple[str, dict[str, str], str]]:
        """Return the level, properties and message of each annotation."""
        found = re.findall(r"^::(error|warning|notice) ?([^:\n]*)::(.*)$", self.log, re.MULTILINE)
        return [
            (level, {name: unescaped(value) for name, value in _pairs(properties)}, unescaped(message))
            for level, properties, message in found
        ]


def unescaped(text: str) -> str:
    for code, char in (("%3A", ":"), ("%2C", ","), ("%0A", "\n"), ("%0D", "\r"), ("%25", "%")):
        text = text.replace(code, char)
    return text


def _pairs(properties: str) -> list[tuple[str, str]]:
    pairs = (one.partition("=") for one in properties.split(",") if one)
    return [(name, value) for name, _, value in pairs]


def run_action(
    action: Path, inputs: Mapping[str, str], *, workspace: Path, temp: Path, environment: Mapping[str, str]
) -> Run:
    """Run the steps of an action whose condition is true.

    Args:
        action: Folder of `action.yml`.
        inputs: Inputs. Others have their defaults.
        workspace: Working directory of the steps.
        temp: Folder for temporary files of the runner.
        environment: Environment variables of the job.
    """
    metadata = yaml.safe_load((action / "action.yml").read_text(encoding="utf-8"))
    unknown = inputs.keys() - metadata["inputs"].keys()
    missing = {name for name, one in metadata["inputs"].items() if one.get("required")} - inputs.keys()
    assert not unknown, f"the action has no inputs {unknown}"
    assert not missing, f"the action needs {missing}"
    all_inputs = {name: one.get("default", "") for name, one in metadata["inputs"].items()} | dict(inputs)
    values = {f"inputs.{name}": value for name, value in all_inputs.items()}
    values["github.action_path"] = str(action)
    run = Run()
    variables = dict(environment)
    for number, step in enumerate(metadata["runs"]["steps"]):
        if "if" in step and not _is_true(step["if"], values):
            continue
        assert "uses" not in step, "steps that use other actions are not supported"
        files = temp / f"step-{number}"
        files.mkdir(parents=True)
        _run_step(run, step, values, workspace, {**variables, "RUNNER_TEMP": str(temp)}, files)
        variables.update(_assignments(files / "GITHUB_ENV"))
        if run.code:
            break
    return run


def _run_step(
    run: Run,
    step: Mapping[str, Any],
    values: Mapping[str, str],
    workspace: Path,
    variables: Mapping[str, str],
    files: Path,
) -> None:
    assert step["shell"] == "bash", "composite steps name their shell"
    assert "${{" not in step["run"], "an expression in a script allows code injection"
    names = ("GITHUB_ENV", "GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")
    for name in names:
        (files / name).touch()
    (files / "script.sh").write_text(step["run"], encoding="utf-8")
    done = subprocess.run(
        [
            shutil.which("bash") or "bash",
            "--noprofile",
            "--norc",
            "-e",
            "-o",
            "pipefail",
            files / "script.sh",
        ],
        cwd=workspace,
        env={
            **variables,
            **{name: _substituted(str(value), values) for name, value in step.get("env", {}).items()},
            **{name: str(files / name) for name in names},
            "GITHUB_ACTIONS": "true",
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    run.code = done.returncode
    run.log += done.stdout
    run.summary += (files / "GITHUB_STEP_SUMMARY").read_text(encoding="utf-8")
    run.outputs[step.get("id", "")] = _assignments(files / "GITHUB_OUTPUT")


def _substituted(text: str, values: Mapping[str, str]) -> str:
    return re.sub(r"\$\{\{ *([\w.-]+) *\}\}", lambda found: values[found[1]], text)


def _is_true(condition: str, values: Mapping[str, str]) -> bool:
    found = re.fullmatch(r"(inputs\.[\w-]+) != ''", condition)
    assert found is not None, f"unsupported condition {condition!r}"
    return values[found[1]] != ""


def _assignments(file: Path) -> dict[str, str]:
    pairs = (line.partition("=") for line in file.read_text(encoding="utf-8").splitlines())
    return {name: value for name, _, value in pairs}
