"""Type checkers accept operators and listeners that work, and find those that don't."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

pytestmark = pytest.mark.check

FILE = Path(__file__).with_name("typed.py")
MARKED = {
    number
    for number, line in enumerate(FILE.read_text(encoding="utf-8").splitlines(), start=1)
    if line.endswith("# error")
}


def _output(*command: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", *command, str(FILE)], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert done.returncode == 1, done.stderr or done.stdout
    return done.stdout


def test_there_are_mistakes_to_find() -> None:
    assert len(MARKED) > 10


def test_mypy_finds_only_the_mistakes() -> None:
    reports = map(json.loads, _output("mypy", "--strict", "--output", "json").splitlines())
    assert {report["line"] for report in reports if report["severity"] == "error"} == MARKED


def test_pyright_finds_only_the_mistakes() -> None:
    reports = json.loads(_output("pyright", "--outputjson", "--pythonpath", sys.executable))
    assert {one["range"]["start"]["line"] + 1 for one in reports["generalDiagnostics"]} == MARKED
