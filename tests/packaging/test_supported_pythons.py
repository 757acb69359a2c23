"""The supported Pythons are declared once; those of a machine are found or reported as missing."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tools import find_pythons
from tools.find_pythons import text

PYPROJECT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
SUPPORTED = find_pythons.supported_versions(PYPROJECT)
OLDEST, MIDDLE, NEWEST = SUPPORTED[0], SUPPORTED[1], SUPPORTED[-1]


class Machine:
    """A machine whose only Python is the one that runs this, of a version; its home folder is a folder."""

    def __init__(
        self, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        for name in ("PYENV_ROOT", "ASDF_DATA_DIR", "UV_PYTHON_INSTALL_DIR", "RUNNER_TOOL_CACHE"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv("AGENT_TOOLSDIRECTORY", raising=False)
        monkeypatch.setenv("HOME", str(home))
        monkeypatch.setenv("PATH", str(home / "bin"))
        self._home, self._patch, self._capsys = home, monkeypatch, capsys

    def own(self, version: tuple[int, int]) -> Path:
        """Let the Python that runs this be of a version."""
        path = self.python("own/python3", version)
        self._patch.setattr(sys, "executable", str(path))
        self._patch.setattr(sys, "version_info", (*version, 1, "final", 0))
        return path

    def python(self, name: str, version: tuple[int, int], **facts: object) -> Path:
        """Add a program that answers as a Python of a version."""
        answer = {"version": list(version), "path": str(self._home / name), "level": "final"}
        answer |= {"implementation": "cpython", "can_make_venvs": True, **facts}
        return self.program(name, f"echo {shlex.quote(json.dumps(list(answer.values())))}")

    def program(self, name: str, script: str) -> Path:
        path = self._home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        path.chmod(0o755)
        return path

    def run(self, which: str) -> tuple[str, str]:
        """Return what is printed and logged."""
        self._patch.setattr(sys, "argv", ["find_pythons.py", *which.split()])
        self.code = find_pythons.main()
        printed = self._capsys.readouterr()
        return printed.out, printed.err


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Machine:
    return Machine(tmp_path, monkeypatch, capsys)


def test_the_declarations_of_the_oldest_python_agree() -> None:
    oldest = text(OLDEST)
    assert re.findall(r'^requires-python = "(.*)"$', PYPROJECT, re.MULTILINE) == [f">={oldest}"]
    assert re.findall(r'^target-version = "(.*)"$', PYPROJECT, re.MULTILINE) == [
        f"py{oldest.replace('.', '')}"
    ]
    assert re.findall(r'^python_?[vV]ersion = "(.*)"$', PYPROJECT, re.MULTILINE) == [oldest, oldest]


def test_the_supported_versions_are_consecutive() -> None:
    assert [minor for _, minor in SUPPORTED] == list(range(OLDEST[1], NEWEST[1] + 1))


@pytest.mark.check
def test_the_python_of_the_tests_is_found() -> None:
    done = subprocess.run(
        [sys.executable, "tools/find_pythons.py"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    versions = [line.partition(" ")[0] for line in done.stdout.splitlines()]
    assert f"{sys.version_info.major}.{sys.version_info.minor}" in versions
    assert versions == [text(version) for version in SUPPORTED if text(version) in versions]


def test_oldest_and_newest_are_found_on_path_and_below_pyenv(machine: Machine) -> None:
    machine.own(MIDDLE)
    oldest = machine.python(f"bin/python3.{OLDEST[1]}", OLDEST)
    newest = machine.python(f".pyenv/versions/any/bin/python3.{NEWEST[1]}", NEWEST)
    assert machine.run("oldest") == (f"{text(OLDEST)} {oldest}\n", "")
    assert machine.run("newest") == (f"{text(NEWEST)} {newest}\n", "")
    assert len(machine.run("")[0].splitlines()) == 3


def test_a_shim_that_does_not_start_is_ignored(machine: Machine) -> None:
    own = machine.own(NEWEST)
    machine.program(f"bin/python3.{OLDEST[1]}", "echo 'command not found' >&2; exit 127")
    message = f"Python {text(OLDEST)} not found: the oldest supported Python here is {text(NEWEST)}.\n"
    assert machine.run("oldest") == (f"{text(NEWEST)} {own}\n", message)


def test_a_machine_with_one_python_uses_it_as_the_newest(machine: Machine) -> None:
    own = machine.own(MIDDLE)
    message = f"Python {text(NEWEST)} not found: the newest supported Python here is {text(MIDDLE)}.\n"
    assert machine.run("newest") == (f"{text(MIDDLE)} {own}\n", message)


@pytest.mark.parametrize(
    ("version", "facts", "why"),
    [
        (NEWEST, {"level": "candidate"}, "it is a pre-release (candidate)"),
        (NEWEST, {"implementation": "pypy"}, "it is pypy, not CPython"),
        (NEWEST, {"can_make_venvs": False}, "it has no venv or ensurepip; install its venv package"),
        ((3, 99), {}, "no classifier names it"),
    ],
)
def test_a_python_that_is_not_used_is_named_with_the_reason(
    version: tuple[int, int], facts: dict[str, object], why: str, machine: Machine
) -> None:
    machine.own(OLDEST)
    unusable = machine.python(f"bin/python3.{version[1]}", version, **facts)
    _, err = machine.run("")
    assert err.splitlines()[0] == f"Python {text(version)} is not used: {why} ({unusable})."


def test_without_any_supported_python_it_fails(machine: Machine) -> None:
    machine.own((3, 9))
    assert machine.run("")[1].startswith("Found no supported Python: install one from ")
    assert machine.code == 1
