"""The supported Pythons are declared once; those of a machine are found or reported as missing."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tools import find_pythons

pytestmark = pytest.mark.check

PYPROJECT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
SUPPORTED = find_pythons.supported_versions(PYPROJECT)
OLDEST, NEWEST = SUPPORTED[0], SUPPORTED[-1]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the home folder of a machine that has no Python but the one that runs the tests."""
    for name in ("PYENV_ROOT", "ASDF_DATA_DIR", "UV_PYTHON_INSTALL_DIR", "RUNNER_TOOL_CACHE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.delenv("AGENT_TOOLSDIRECTORY", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    (tmp_path / "bin").mkdir()
    return tmp_path


def program(path: Path, script: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def python(
    path: Path,
    version: tuple[int, int],
    *,
    level: str = "final",
    implementation: str = "cpython",
    can_make_venvs: bool = True,
) -> Path:
    """Write a program that answers as a Python of a version."""
    answer = f'[{list(version)}, "{path}", "{level}", "{implementation}", {str(can_make_venvs).lower()}]'
    return program(path, f"echo {shlex.quote(answer)}")


def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], which: str) -> tuple[str, str]:
    monkeypatch.setattr(sys, "argv", ["find_pythons.py", *which.split()])
    assert find_pythons.main() == 0
    printed = capsys.readouterr()
    return printed.out, printed.err


def as_python(monkeypatch: pytest.MonkeyPatch, path: Path, version: tuple[int, int]) -> Path:
    """Let the Python that runs this be of another version."""
    monkeypatch.setattr(sys, "executable", str(python(path, version)))
    monkeypatch.setattr(sys, "version_info", (*version, 1, "final", 0))
    return path


def test_the_declarations_of_the_oldest_python_agree() -> None:
    text = f"{OLDEST[0]}.{OLDEST[1]}"
    assert re.findall(r'^requires-python = "(.*)"$', PYPROJECT, re.MULTILINE) == [f">={text}"]
    assert re.findall(r'^target-version = "(.*)"$', PYPROJECT, re.MULTILINE) == [f"py{text.replace('.', '')}"]
    assert re.findall(r'^python_?[vV]ersion = "(.*)"$', PYPROJECT, re.MULTILINE) == [text, text]


def test_the_supported_versions_are_consecutive() -> None:
    assert [minor for _, minor in SUPPORTED] == list(range(OLDEST[1], NEWEST[1] + 1))


def test_the_python_of_the_tests_is_found() -> None:
    done = subprocess.run(
        [sys.executable, "tools/find_pythons.py"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    versions = [line.partition(" ")[0] for line in done.stdout.splitlines()]
    assert f"{sys.version_info.major}.{sys.version_info.minor}" in versions
    assert versions == [
        find_pythons.text(version) for version in SUPPORTED if find_pythons.text(version) in versions
    ]


def test_oldest_and_newest_are_found_on_path_and_below_pyenv(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    middle = (3, OLDEST[1] + 1)
    as_python(monkeypatch, home / "own" / "python3", middle)
    oldest = python(home / "bin" / f"python3.{OLDEST[1]}", OLDEST)
    newest = python(home / ".pyenv" / "versions" / "any" / "bin" / f"python3.{NEWEST[1]}", NEWEST)
    assert run(monkeypatch, capsys, "oldest") == (f"{find_pythons.text(OLDEST)} {oldest}\n", "")
    assert run(monkeypatch, capsys, "newest") == (f"{find_pythons.text(NEWEST)} {newest}\n", "")
    assert len(run(monkeypatch, capsys, "")[0].splitlines()) == 3


def test_a_shim_that_does_not_start_is_ignored(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    own = as_python(monkeypatch, home / "own" / "python3", NEWEST)
    program(home / "bin" / f"python3.{OLDEST[1]}", "echo 'command not found' >&2; exit 127")
    out, err = run(monkeypatch, capsys, "oldest")
    newest, oldest = find_pythons.text(NEWEST), find_pythons.text(OLDEST)
    assert out == f"{newest} {own}\n"
    assert err == f"Python {oldest} not found: the oldest supported Python here is {newest}.\n"


def test_a_machine_with_one_python_uses_it_as_the_newest(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    middle = (3, OLDEST[1] + 1)
    own = as_python(monkeypatch, home / "own" / "python3", middle)
    out, err = run(monkeypatch, capsys, "newest")
    newest, text = find_pythons.text(NEWEST), find_pythons.text(middle)
    assert out == f"{text} {own}\n"
    assert err == f"Python {newest} not found: the newest supported Python here is {text}.\n"


@pytest.mark.parametrize(
    ("facts", "why"),
    [
        ({"level": "candidate"}, "it is a pre-release (candidate)"),
        ({"implementation": "pypy"}, "it is pypy, not CPython"),
        ({"can_make_venvs": False}, "it has no venv or ensurepip; install its venv package"),
    ],
)
def test_a_python_that_is_not_used_is_named_with_the_reason(
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    facts: dict[str, bool],
    why: str,
) -> None:
    as_python(monkeypatch, home / "own" / "python3", OLDEST)
    unusable = python(home / "bin" / f"python3.{NEWEST[1]}", NEWEST, **facts)  # type: ignore[arg-type]
    _, err = run(monkeypatch, capsys, "")
    assert err.splitlines()[0] == f"Python {find_pythons.text(NEWEST)} is not used: {why} ({unusable})."


def test_a_python_newer_than_supported_is_named(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    as_python(monkeypatch, home / "own" / "python3", NEWEST)
    newer = python(home / "bin" / "python3.99", (3, 99))
    _, err = run(monkeypatch, capsys, "newest")
    assert err.splitlines()[0] == f"Python 3.99 is not used: no classifier names it ({newer})."


def test_without_any_supported_python_it_fails(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    as_python(monkeypatch, home / "own" / "python3", (3, 9))
    monkeypatch.setattr(sys, "argv", ["find_pythons.py"])
    assert find_pythons.main() == 1
    assert capsys.readouterr().err.startswith("Found no supported Python: install one from ")
