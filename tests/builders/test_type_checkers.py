"""Type checkers take the right calls of the builders and find every wrong one; Python agrees."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType

import pytest

from openlineage_facets import EventError
from tests.builders import right_calls, wrong_calls
from tests.conftest import ROOT

HERE = Path(__file__).parent
MARK = "# error"
FILES = ("right_calls.py", "wrong_calls.py")

Place = tuple[str, int]


def _run(*command: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", *command, *(str(HERE / name) for name in FILES)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    # 0: no errors, 1: errors; anything else is the checker's own failure.
    assert done.returncode in (0, 1), done.stderr or done.stdout
    return done.stdout


@cache
def mypy() -> dict[Place, str]:
    """Return what mypy reports, by file and line."""
    reports = map(json.loads, _run("mypy", "--strict", "--output", "json").splitlines())
    return {
        (Path(one["file"]).name, one["line"]): one["message"] for one in reports if one["severity"] == "error"
    }


@cache
def pyright() -> dict[Place, str]:
    """Return what pyright reports, by file and line."""
    reports = json.loads(_run("pyright", "--outputjson", "--pythonpath", sys.executable))
    assert reports["summary"]["filesAnalyzed"] == len(FILES)
    return {
        (Path(one["file"]).name, one["range"]["start"]["line"] + 1): one["message"]
        for one in reports["generalDiagnostics"]
        if one["severity"] in ("error", "warning")
    }


def marked() -> set[Place]:
    """Return the lines that hold a mistake."""
    return {
        (name, number)
        for name in FILES
        for number, line in enumerate((HERE / name).read_text(encoding="utf-8").splitlines(), start=1)
        if line.endswith(MARK)
    }


CHECKERS = pytest.mark.parametrize("checker", [mypy, pyright], ids=["mypy", "pyright"])


@CHECKERS
def test_every_wrong_call_is_found(checker: Callable[[], dict[Place, str]]) -> None:
    missed = marked() - checker().keys()
    assert not missed, f"no error at {sorted(missed)}"


@CHECKERS
def test_nothing_but_wrong_calls_is_found(checker: Callable[[], dict[Place, str]]) -> None:
    wrong = {place: message for place, message in checker().items() if place not in marked()}
    assert wrong == {}


def test_the_wrong_calls_are_many_and_all_in_their_file() -> None:
    assert len(marked()) > 50
    assert {name for name, _ in marked()} == {"wrong_calls.py"}


def _functions(module: ModuleType) -> list[FunctionType]:
    found = vars(module).values()
    return [one for one in found if inspect.isfunction(one) and one.__module__ == module.__name__]


@pytest.mark.parametrize("calls", _functions(right_calls), ids=lambda calls: calls.__name__)
def test_every_right_call_works(calls: Callable[[], object]) -> None:
    made = calls()
    assert (list(made) if inspect.isgenerator(made) else [made]) != [None]


WRONG_CALLS = [
    line.removesuffix(MARK).strip()
    for function in _functions(wrong_calls)
    if function is not wrong_calls.values_used_as_something_else
    for line in inspect.getsource(function).splitlines()
    if line.endswith(MARK)
]


@pytest.mark.parametrize("call", WRONG_CALLS)
def test_python_refuses_what_the_checkers_refuse(call: str) -> None:
    with pytest.raises((EventError, TypeError, AttributeError)):
        exec(call, vars(wrong_calls).copy())
