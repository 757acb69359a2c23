"""Type checkers accept what composing accepts, know what reading gives, and find every mistake."""

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
from tests.conftest import ROOT
from tests.typing import composing, contracts, misuses

HERE = Path(__file__).parent
MARK = "# error"
FILES = ("composing.py", "contracts.py", "misuses.py")

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
def test_every_mistake_is_found(checker: Callable[[], dict[Place, str]]) -> None:
    missed = marked() - checker().keys()
    assert not missed, f"no error at {sorted(missed)}"


@CHECKERS
def test_nothing_but_mistakes_is_found(checker: Callable[[], dict[Place, str]]) -> None:
    wrong = {place: message for place, message in checker().items() if place not in marked()}
    assert wrong == {}


def test_the_mistakes_are_many_and_all_in_their_file() -> None:
    assert len(marked()) > 80
    assert {name for name, _ in marked()} == {"misuses.py"}


def _without_parameters(module: ModuleType) -> list[FunctionType]:
    return [
        function
        for function in vars(module).values()
        if inspect.isfunction(function)
        and function.__module__ == module.__name__
        and not inspect.signature(function).parameters
    ]


WAYS = _without_parameters(composing)
MISTAKES = [
    line.removesuffix(MARK).strip()
    for function in _without_parameters(misuses)
    for line in inspect.getsource(function).splitlines()
    if line.endswith(MARK)
]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_every_way_of_composing_works(way: Callable[[], object]) -> None:
    made = way()
    assert (list(made) if inspect.isgenerator(made) else [made]) != [None]


@pytest.mark.parametrize("mistake", MISTAKES)
def test_python_refuses_what_the_checkers_refuse(mistake: str) -> None:
    with pytest.raises((EventError, TypeError, AttributeError)):
        exec(mistake, vars(misuses).copy())


def test_what_the_contracts_read_of_an_event_is_there() -> None:
    """`assert_type` checks nothing when it runs, but what it is given must exist."""
    event = composing.an_event_with_everything_said()
    contracts.of_a_run_event(event)
    assert event.run.facets is not None
    contracts.of_a_container(event.run.facets.with_facets(composing.CostRunFacet(usd=1)))
