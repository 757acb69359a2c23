"""Decorate a function so that each call is a run."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import wraps
from typing import Any, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Any])


def run_per_call(function: F, new_run: Callable[[], AbstractContextManager[Any]]) -> F:
    """Return a function that executes each call inside a new run.

    A parameter named `run` receives the run.

    Args:
        function: A function, coroutine function or generator function.
        new_run: Creates a run.

    Raises:
        TypeError: It is an asynchronous generator function.
    """
    has_run_parameter = "run" in inspect.signature(function).parameters

    def with_run(run: Any, arguments: dict[str, Any]) -> dict[str, Any]:
        return {"run": run, **arguments} if has_run_parameter else arguments

    if inspect.isasyncgenfunction(function):
        raise TypeError(
            f"expected a function, a coroutine function or a generator function, found {function!r}, an "
            "asynchronous generator function; start the run inside it with a `with` statement"
        )

    if inspect.isgeneratorfunction(function):

        @wraps(function)
        def generator(*args: Any, **kwargs: Any) -> Any:
            with new_run() as run:
                return (yield from function(*args, **with_run(run, kwargs)))

        return cast("F", generator)

    if inspect.iscoroutinefunction(function):

        @wraps(function)
        async def coroutine(*args: Any, **kwargs: Any) -> Any:
            with new_run() as run:
                return await function(*args, **with_run(run, kwargs))

        return cast("F", coroutine)

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        with new_run() as run:
            return function(*args, **with_run(run, kwargs))

    return cast("F", call)
