"""The pre-commit hooks validate event files and check lock files."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from openlineage_facets.cli import main
from tests.cases import each
from tests.conftest import ROOT
from tests.hooks.conftest import committed
from tests.hooks.examples import INVALID, VALID, write_events, write_valid_events

HOOK, LOCK_HOOK = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
FILES = {
    "events/orders.json": True,
    "tests/lineage/2026/run.ndjson": True,
    "openlineage/all.jsonl.gz": True,
    "package.json": False,
    "events/readme.md": False,
    "prevents/orders.json": False,
}


@each(("path", "is_matched"), FILES.items())
def test_the_hook_matches_event_files(path: str, is_matched: bool) -> None:
    assert bool(re.search(HOOK["files"], path)) == is_matched


def test_the_hook_of_lock_files_runs_whatever_has_changed() -> None:
    """Deleted event files, naming files and files in other folders match no pattern."""
    assert LOCK_HOOK["always_run"] is True
    assert "files" not in LOCK_HOOK


def test_the_hooks_install_what_the_action_installs() -> None:
    assert HOOK["additional_dependencies"] == LOCK_HOOK["additional_dependencies"] == [".[cli]"]
    assert 'package="$ACTION_PATH[cli]"' in (ROOT / "action.yml").read_text(encoding="utf-8")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Return a folder with a valid, an invalid and an unrelated file."""
    folder = tmp_path / "repository"
    write_valid_events(folder / "lineage" / "valid.ndjson")
    write_events(folder / "lineage" / "invalid.ndjson", VALID, INVALID)
    (folder / "package.json").write_text('{"name": "not an event"}')
    return folder


def test_the_commands_of_the_hooks_find_invalid_events_and_changed_lineage(
    repository: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(repository)

    def run(entry: str, *arguments: str) -> tuple[int, str]:
        words = [*shlex.split(entry), *arguments]
        assert words[0] == "openlineage-facets"
        monkeypatch.setattr(sys, "argv", words)
        with pytest.raises(SystemExit) as ended:
            main()
        return ended.value.code, "".join(capsys.readouterr())

    entry = shlex.join([*shlex.split(HOOK["entry"]), *HOOK.get("args", ())])
    assert run(entry, "lineage/valid.ndjson")[0] == 0
    code, printed = run(entry, "lineage/valid.ndjson", "lineage/invalid.ndjson")
    assert (code, "lineage/invalid.ndjson:2: error OL012 /run/runId: " in printed) == (1, True)

    run("openlineage-facets lock lineage/valid.ndjson -o lineage.lock.json")
    lock = ("lineage.lock.json", "lineage/valid.ndjson")
    assert run(LOCK_HOOK["entry"], *lock)[0] == 0
    write_events(repository / "lineage" / "valid.ndjson", VALID)
    code, printed = run(LOCK_HOOK["entry"], *lock)
    assert code == 1
    assert "openlineage-facets lock lineage/valid.ndjson -o lineage.lock.json" in printed


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
    committed(repository)

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
