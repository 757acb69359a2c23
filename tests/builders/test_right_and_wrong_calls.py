"""Right calls of builders succeed and wrong ones fail; `tests/typing` does the same with type checkers."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import FunctionType, ModuleType

import pytest

from openlineage_facets import EventError
from tests.builders import right_calls, wrong_calls
from tests.cases import each
from tests.typing.checkers import MARK


def _functions(module: ModuleType) -> list[FunctionType]:
    found = vars(module).values()
    return [one for one in found if inspect.isfunction(one) and one.__module__ == module.__name__]


@each("calls", _functions(right_calls), ids=lambda calls: calls.__name__)
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
