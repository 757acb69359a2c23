"""Installed from this tree as pre-commit does, the hook judges the events among the files it is given."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.conftest import ROOT
from tests.hooks.conftest import committed
from tests.hooks.examples import RIGHT, WRONG, good_events, write_events

(HOOK,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Return a user's repository with a good file, a bad one, and one that is none of the hook's business."""
    folder = tmp_path / "repository"
    good_events(folder / "lineage" / "good.ndjson")
    write_events(folder / "lineage" / "bad.ndjson", RIGHT, WRONG)
    (folder / "package.json").write_text('{"name": "no event"}')
    return committed(folder)


@pytest.mark.parametrize(
    ("path", "is_matched"),
    [
        ("events/orders.json", True),
        ("tests/lineage/2026/run.ndjson", True),
        ("openlineage/all.jsonl.gz", True),
        ("package.json", False),
        ("events/readme.md", False),
        ("prevents/orders.json", False),
    ],
)
def test_the_hook_looks_at_files_of_events(path: str, is_matched: bool) -> None:
    assert bool(re.search(HOOK["files"], path)) == is_matched


def test_the_hook_runs_where_it_is_installed_as_pre_commit_installs_it(
    checkout: Path, offline: dict[str, str], repository: Path, tmp_path: Path
) -> None:
    environment = tmp_path / "environment"
    subprocess.run([sys.executable, "-m", "venv", str(environment)], check=True, env=offline)
    programs = environment / ("Scripts" if sys.platform == "win32" else "bin")
    install = [programs / "python", "-m", "pip", "install", "--quiet", ".", *HOOK["additional_dependencies"]]
    subprocess.run(install, cwd=checkout, env=offline, check=True)
    command = [*shlex.split(HOOK["entry"]), *HOOK.get("args", ())]
    path = f"{programs}{os.pathsep}{offline['PATH']}"

    def hook(*files: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [programs / command[0], *command[1:], *files],
            cwd=repository,
            env={**offline, "PATH": path},
            capture_output=True,
            text=True,
            check=False,
        )

    assert hook("lineage/good.ndjson").returncode == 0
    told = hook("lineage/good.ndjson", "lineage/bad.ndjson")
    assert told.returncode == 1
    assert "lineage/bad.ndjson:2: error OL012 /run/runId: " in told.stdout


def test_pre_commit_itself_installs_and_runs_the_hook(
    checkout: Path, offline: dict[str, str], repository: Path, tmp_path: Path
) -> None:
    pytest.importorskip("pre_commit", reason="no pre-commit: the hook is run without it alone")

    head = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=checkout, capture_output=True, text=True, check=True
    )
    config = {"repos": [{"repo": str(checkout), "rev": head.stdout.strip(), "hooks": [{"id": HOOK["id"]}]}]}
    (repository / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")

    def pre_commit(*files: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "pre_commit", "run", "--files", *files],
            cwd=repository,
            env={**offline, "PRE_COMMIT_HOME": str(tmp_path / "cache"), "VIRTUALENV_NO_DOWNLOAD": "1"},
            capture_output=True,
            text=True,
            check=False,
        )

    good = pre_commit("lineage/good.ndjson", "package.json")
    assert good.returncode == 0, good.stdout + good.stderr
    assert "Passed" in good.stdout
    bad = pre_commit("lineage/good.ndjson", "lineage/bad.ndjson", "package.json")
    assert bad.returncode == 1
    assert "lineage/bad.ndjson:2: error OL012 /run/runId: " in bad.stdout
    assert "package.json" not in bad.stdout
