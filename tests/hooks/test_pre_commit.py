"""The pre-commit hook validates event files."""

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
from tests.hooks.examples import INVALID, VALID, write_events, write_valid_events

pytestmark = pytest.mark.check

HOOK, LOCK_HOOK = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Return a repository with a valid, an invalid and an unrelated file."""
    folder = tmp_path / "repository"
    write_valid_events(folder / "lineage" / "valid.ndjson")
    write_events(folder / "lineage" / "invalid.ndjson", VALID, INVALID)
    (folder / "package.json").write_text('{"name": "not an event"}')
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
def test_the_hook_matches_event_files(path: str, is_matched: bool) -> None:
    assert bool(re.search(HOOK["files"], path)) == is_matched


def test_the_hook_of_lock_files_runs_whatever_has_changed() -> None:
    """Deleted event files, naming files and files in other folders match no pattern."""
    assert LOCK_HOOK["always_run"] is True
    assert "files" not in LOCK_HOOK


def test_the_hooks_install_what_the_action_installs(checkout: Path) -> None:
    assert HOOK["additional_dependencies"] == LOCK_HOOK["additional_dependencies"] == [".[cli]"]
    assert 'package="$ACTION_PATH[cli]"' in (checkout / "action.yml").read_text(encoding="utf-8")


def test_the_hooks_run_after_installation(installed: Path, offline: dict[str, str], repository: Path) -> None:
    programs = installed / ("Scripts" if sys.platform == "win32" else "bin")
    command = [*shlex.split(HOOK["entry"]), *HOOK.get("args", ())]
    path = f"{programs}{os.pathsep}{offline['PATH']}"

    def hook(*files: str) -> subprocess.CompletedProcess[str]:
        return run(*command, *files)

    def run(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [programs / program, *arguments],
            cwd=repository,
            env={**offline, "PATH": path},
            capture_output=True,
            text=True,
            check=False,
        )

    assert hook("lineage/valid.ndjson").returncode == 0
    failed = hook("lineage/valid.ndjson", "lineage/invalid.ndjson")
    assert failed.returncode == 1
    assert "lineage/invalid.ndjson:2: error OL012 /run/runId: " in failed.stdout

    lock = [*shlex.split(LOCK_HOOK["entry"]), "lineage.lock.json", "lineage/valid.ndjson"]
    run(command[0], "lock", "lineage/valid.ndjson", "-o", "lineage.lock.json")
    assert run(*lock).returncode == 0
    write_events(repository / "lineage" / "valid.ndjson", VALID)
    changed = run(*lock)
    assert changed.returncode == 1
    assert "openlineage-facets lock lineage/valid.ndjson -o lineage.lock.json" in changed.stderr


@pytest.mark.thorough
def test_pre_commit_installs_and_runs_the_hook(
    checkout: Path, offline: dict[str, str], repository: Path, tmp_path: Path
) -> None:
    pytest.importorskip("pre_commit", reason="pre-commit is not installed")

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

    good = pre_commit("lineage/valid.ndjson", "package.json")
    assert good.returncode == 0, good.stdout + good.stderr
    assert "Passed" in good.stdout
    bad = pre_commit("lineage/valid.ndjson", "lineage/invalid.ndjson", "package.json")
    assert bad.returncode == 1
    assert "lineage/invalid.ndjson:2: error OL012 /run/runId: " in bad.stdout
    assert "package.json" not in bad.stdout
