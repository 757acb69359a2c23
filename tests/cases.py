"""Tables of examples: one test per property, which checks every example and reports each failure."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from typing import Any

import pytest

CASE = "--case"
"""The option that selects one example: `pytest tests/naming/test_jdbc.py --case mysql`."""


def add_option(parser: pytest.Parser) -> None:
    """Add the option that selects examples."""
    parser.addoption(CASE, metavar="ID", help="of tests with a table of examples, check this example only")


def each(
    names: str | Sequence[str],
    cases: Iterable[object],
    *,
    ids: Callable[[Any], object] | Iterable[object] | None = None,
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Call the test with each example, like `pytest.mark.parametrize`, as one test.

    Collecting and reporting a test costs about a millisecond in each process, more than most examples
    take. Each failure is a failed subtest with the id of its example. Examples share fixtures, except that
    each has its own empty `tmp_path` and `caplog`. A table without examples fails: it verifies nothing.

    Args:
        names: The names of the parameters; in a string, separated by commas.
        cases: The examples: one value each, or a sequence of values for several names.
        ids: The names of the examples, or a function that returns that of a value.
    """
    parameters = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    examples = named_examples(parameters, list(cases), ids)

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(test)
        fixtures = [value for name, value in signature.parameters.items() if name not in parameters]

        @functools.wraps(test)
        def all_examples(*instance: object, **fixture_values: Any) -> None:
            __tracebackhide__ = True
            request, subtests = fixture_values["request"], fixture_values["subtests"]
            arguments = {
                name: value for name, value in fixture_values.items() if name in signature.parameters
            }
            selected = request.config.getoption(CASE)
            assert examples, "the table has no examples"
            for number, (name, values) in enumerate(examples.items()):
                if selected is None or selected == name:
                    own = {**arguments, **fixtures_of_example(arguments, number)}
                    run_example(functools.partial(test, *instance, **own, **values), name, subtests)

        has = {value.name for value in fixtures}
        all_examples.__signature__ = signature.replace(  # type: ignore[attr-defined]
            parameters=[
                *fixtures,
                *(
                    inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY)
                    for name in ("request", "subtests")
                    if name not in has
                ),
            ]
        )
        return all_examples

    return decorate


def fixtures_of_example(arguments: Mapping[str, Any], number: int) -> dict[str, object]:
    """Return the fixtures that an example does not share with the others."""
    own: dict[str, object] = {}
    if "tmp_path" in arguments:
        own["tmp_path"] = arguments["tmp_path"] / f"example{number}"
        arguments["tmp_path"].joinpath(f"example{number}").mkdir()
    if "caplog" in arguments:
        arguments["caplog"].clear()
    return own


def run_example(test: Callable[[], None], name: str, subtests: pytest.Subtests) -> None:
    """Run one example. A subtest is created only if it fails: it costs more than most examples."""
    __tracebackhide__ = True
    try:
        test()
    except (Exception, pytest.fail.Exception, pytest.skip.Exception) as failure:
        with subtests.test(f"{CASE} {name!r}"):
            raise failure


def named_examples(
    parameters: Sequence[str],
    cases: Sequence[Any],
    ids: Callable[[Any], object] | Iterable[object] | None,
) -> dict[str, Mapping[str, object]]:
    """Return the arguments of each example by its name, in order; equal names are numbered."""
    given = None if ids is None or callable(ids) else [str(name) for name in ids]
    examples: dict[str, Mapping[str, object]] = {}
    for number, case in enumerate(cases):
        parameter_set = hasattr(case, "marks") and hasattr(case, "values")  # of `pytest.param`
        assert not (parameter_set and case.marks), "examples of `each` cannot have marks"
        values = tuple(case.values) if parameter_set else case if len(parameters) > 1 else (case,)
        if given is not None:
            name = given[number]
        elif parameter_set and case.id:
            name = case.id
        else:
            pairs = zip(parameters, values, strict=True)
            name = "-".join(name_of_value(value, ids) or f"{parameter}{number}" for parameter, value in pairs)
        while name in examples:
            name = f"{name}-{number}"
        examples[name] = dict(zip(parameters, values, strict=True))
    return examples


def name_of_value(value: object, ids: Any) -> str | None:
    """Return a short name for one value of an example, as pytest does."""
    if ids is not None and (name := ids(value)) is not None:
        return str(name)
    if isinstance(value, str):
        return value[:80]
    if value is None or isinstance(value, (bool, float, Enum)):
        return str(value)
    if isinstance(value, int) and value.bit_length() < 100:
        return str(value)
    return getattr(value, "__name__", None)
