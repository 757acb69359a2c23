"""Run the steps of a composite action like a GitHub runner: with bash, its files and variables."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterable, Mapping
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
        variables: Environment variables of the job after the last step.
    """

    code: int = 0
    log: str = ""
    summary: str = ""
    outputs: dict[str, dict[str, str]] = field(default_factory=dict)
    variables: dict[str, str] = field(default_factory=dict)

    def annotations(self) -> list[tuple[str, dict[str, str], str]]:
        """Return the level, properties and message of each annotation."""
        found = re.findall(r"^::(error|warning|notice) ?([^:\n]*)::(.*)$", self.log, re.MULTILINE)
        return [
            (
                level,
                {name: unescaped(value) for name, value in _pairs(properties.split(",")).items()},
                unescaped(message),
            )
            for level, properties, message in found
        ]


def unescaped(text: str) -> str:
    for code, char in (("%3A", ":"), ("%2C", ","), ("%0A", "\n"), ("%0D", "\r"), ("%25", "%")):
        text = text.replace(code, char)
    return text


def run_action(
    action: Path, inputs: Mapping[str, str], *, folder: Path, variables: Mapping[str, str], only: str = ""
) -> Run:
    """Run the steps of an action whose condition is true.

    Args:
        action: Folder of `action.yml`.
        inputs: Inputs. Others have their defaults.
        folder: The working directory of the steps is `workspace` in this folder; temporary files of the
            runner are in `temp`.
        variables: Environment variables of the job.
        only: The name of the only step to run, by default all.
    """
    metadata = yaml.safe_load((action / "action.yml").read_text(encoding="utf-8"))
    unknown = inputs.keys() - metadata["inputs"].keys()
    missing = {name for name, one in metadata["inputs"].items() if one.get("required")} - inputs.keys()
    assert not unknown, f"the action has no inputs {unknown}"
    assert not missing, f"the action needs {missing}"
    all_inputs = {name: one.get("default", "") for name, one in metadata["inputs"].items()} | dict(inputs)
    values = {f"inputs.{name}": value for name, value in all_inputs.items()}
    values["github.action_path"] = str(action)
    run = Run(variables={**variables, "RUNNER_TEMP": str(folder / "temp")})
    for number, step in enumerate(metadata["runs"]["steps"]):
        if ("if" in step and not _is_true(step["if"], values)) or only not in ("", step["name"]):
            continue
        assert "uses" not in step, "steps that use other actions are not supported"
        files = folder / "temp" / f"step-{number}"
        shutil.rmtree(files, ignore_errors=True)  # Of an earlier run.
        files.mkdir(parents=True)
        _run_step(run, step, values, folder / "workspace", files)
        if run.code:
            break
    return run


def _run_step(
    run: Run, step: Mapping[str, Any], values: Mapping[str, str], workspace: Path, files: Path
) -> None:
    assert step["shell"] == "bash", "composite steps name their shell"
    assert "${{" not in step["run"], "an expression in a script allows code injection"
    own = {name: str(files / name) for name in ("GITHUB_ENV", "GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    written = {name: Path(file) for name, file in own.items()}
    for file in written.values():
        file.touch()
    (files / "script.sh").write_text(step["run"], encoding="utf-8")
    inputs = {name: _substituted(str(value), values) for name, value in step.get("env", {}).items()}
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", files / "script.sh"],
        cwd=workspace,
        env={**run.variables, **inputs, **own, "GITHUB_ACTIONS": "true"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    run.code = done.returncode
    run.log += done.stdout
    run.summary += written["GITHUB_STEP_SUMMARY"].read_text(encoding="utf-8")
    run.outputs[step.get("id", "")] = _pairs(written["GITHUB_OUTPUT"].read_text().splitlines())
    run.variables |= _pairs(written["GITHUB_ENV"].read_text().splitlines())


def _substituted(text: str, values: Mapping[str, str]) -> str:
    return re.sub(r"\$\{\{ *([\w.-]+) *\}\}", lambda found: values[found[1]], text)


def _is_true(condition: str, values: Mapping[str, str]) -> bool:
    found = re.fullmatch(r"(inputs\.[\w-]+) != ''", condition)
    assert found is not None, f"unsupported condition {condition!r}"
    return values[found[1]] != ""


def _pairs(assignments: Iterable[str]) -> dict[str, str]:
    parts = (one.partition("=") for one in assignments if one)
    return {name: value for name, _, value in parts}
