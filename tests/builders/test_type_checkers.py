"""Type checkers accept correct builder calls and report every wrong one, like Python at run time."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from types import FunctionType, ModuleType

import pytest

from openlineage_facets import EventError
from tests.builders import right_calls, wrong_calls
from tests.cases import each
from tests.typing.checkers import MARK, Place, marked, mypy, pyright

pytestmark = pytest.mark.check

FILES = tuple(Path(__file__).parent / name for name in ("right_calls.py", "wrong_calls.py"))

Checker = Callable[[tuple[Path, ...]], dict[Place, str]]

CHECKERS = pytest.mark.parametrize("checker", [mypy, pyright], ids=["mypy", "pyright"])


@CHECKERS
def test_every_wrong_call_is_reported(checker: Checker) -> None:
    missed = marked(FILES) - checker(FILES).keys()
    assert not missed, f"no error at {sorted(missed)}"


@CHECKERS
def test_only_wrong_calls_are_reported(checker: Checker) -> None:
    wrong = {place: message for place, message in checker(FILES).items() if place not in marked(FILES)}
    assert wrong == {}


def test_all_wrong_calls_are_marked() -> None:
    assert len(marked(FILES)) > 50
    assert {name for name, _ in marked(FILES)} == {"wrong_calls.py"}


def _functions(module: ModuleType) -> list[FunctionType]:
    found = vars(module).values()
    return [one for one in found if inspect.isfunction(one) and one.__module__ == module.__name__]


@pytest.mark.parametrize("calls", _functions(right_calls), ids=lambda calls: calls.__name__)
def test_every_right_call_succeeds(calls: Callable[[], object]) -> None:
    made = calls()
    assert (list(made) if inspect.isgenerator(made) else [made]) != [None]


WRONG_CALLS = [
    line.removesuffix(MARK).strip()
    for function in _functions(wrong_calls)
    if function is not wrong_calls.values_used_as_something_else
    for line in inspect.getsource(function).splitlines()
    if line.endswith(MARK)
]


@each("call", WRONG_CALLS)
def test_wrong_calls_fail_at_run_time(call: str) -> None:
    with pytest.raises((EventError, TypeError, AttributeError)):
        exec(call, vars(wrong_calls).copy())
