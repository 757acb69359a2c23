"""Workflows call make targets that exist, run all of `make check`, and use actions pinned by commit."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.conftest import ROOT

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
TARGETS = set(re.findall(r"^([a-z0-9-]+):", MAKEFILE, re.MULTILINE))


def steps_of(workflow: Path) -> list[dict[str, Any]]:
    document = yaml.safe_load(workflow.read_text(encoding="utf-8"))
    return [step for job in document["jobs"].values() for step in job["steps"]]


def matrix_of(workflow: str) -> set[str]:
    document = yaml.safe_load((ROOT / ".github" / "workflows" / workflow).read_text(encoding="utf-8"))
    targets = [job["strategy"]["matrix"]["target"] for job in document["jobs"].values() if "strategy" in job]
    return {name for group in targets for entry in group for name in entry.split()}


def test_workflows_exist() -> None:
    assert [path.stem for path in WORKFLOWS] == ["checks", "nightly", "release"]


@pytest.mark.parametrize("path", [*WORKFLOWS, ROOT / "action.yml"], ids=lambda path: path.stem)
def test_actions_are_pinned_by_commit(path: Path) -> None:
    used = re.findall(r"uses: (\S+)(.*)", path.read_text(encoding="utf-8"))
    assert [
        name
        for name, version in used
        if not re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", name) or "# v" not in version
    ] == []


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_steps_only_call_make_targets(workflow: Path) -> None:
    commands = [step["run"] for step in steps_of(workflow) if "run" in step]
    for command in commands:
        target = command.split()[1]
        assert command.startswith("make ")
        assert target in TARGETS or target == "${{"  # of the matrix, see below


def test_each_target_of_a_matrix_exists() -> None:
    assert matrix_of("checks.yml") | matrix_of("nightly.yml") <= TARGETS


def test_the_workflow_runs_all_that_make_check_runs() -> None:
    targets = re.findall(r"^CHECKS := (.+)$", MAKEFILE, re.MULTILINE)
    assert {*" ".join(targets).split()} == matrix_of("checks.yml")


def test_the_nightly_run_is_that_of_test_thorough() -> None:
    (parts,) = re.findall(r"^test-thorough: (.+) ##", MAKEFILE, re.MULTILINE)
    assert set(parts.split()) == matrix_of("nightly.yml")


def test_the_documented_workflow_uploads_a_report_only_if_the_check_has_written_it() -> None:
    page = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```yaml\n(on: .*?)```", page, re.DOTALL)
    (steps,) = (job["steps"] for job in yaml.safe_load(block)["jobs"].values())
    (upload,) = (step for step in steps if "sarif_file" in step.get("with", {}))
    assert upload["if"] == f"always() && hashFiles('{upload['with']['sarif_file']}') != ''"
