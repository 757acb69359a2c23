"""Type checkers accept correct code, also that of pages, know attribute types, and find mistakes."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import FunctionType, ModuleType

import pytest

from openlineage_facets import EventError
from tests.cases import each
from tests.docs.examples import code_of
from tests.typing import composing, contracts, misuses
from tests.typing.checkers import MARK, Place, marked, mypy, pyright

pytestmark = pytest.mark.check

TESTS = Path(__file__).parent.parent
PAGES = ("README.md", "docs/tutorial.md")
FILES = tuple(
    TESTS / name
    for name in (
        "builders/right_calls.py",
        "builders/wrong_calls.py",
        "operators/typed.py",
        "typing/composing.py",
        "typing/contracts.py",
        "typing/misuses.py",
    )
)

Checker = Callable[[tuple[Path, ...]], dict[Place, str]]

CHECKERS = pytest.mark.parametrize("checker", [mypy, pyright], ids=["mypy", "pyright"])


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory, custom_facet_jobs: Path) -> tuple[Path, ...]:
    """Return all files to check, also code of pages and of custom facets: each checker runs once."""
    folder = tmp_path_factory.mktemp("pages")
    for page in PAGES:
        file = folder / f"{Path(page).stem.lower()}_page.py"
        file.write_text(code_of(page, MARK), encoding="utf-8")
    return (*FILES, *sorted(folder.iterdir()), *sorted(custom_facet_jobs.rglob("*.py")))


@CHECKERS
def test_every_mistake_is_found(checker: Checker, files: tuple[Path, ...]) -> None:
    missed = marked(files) - checker(files).keys()
    assert not missed, f"no error at {sorted(missed)}"


@CHECKERS
def test_nothing_but_mistakes_is_found(checker: Checker, files: tuple[Path, ...]) -> None:
    wrong = {place: message for place, message in checker(files).items() if place not in marked(files)}
    assert wrong == {}


def test_there_are_many_mistakes_in_three_files() -> None:
    mistakes = Counter(name for name, _ in marked(FILES))
    assert mistakes.keys() == {"misuses.py", "typed.py", "wrong_calls.py"}
    assert min(mistakes["misuses.py"] - 80, mistakes["typed.py"] - 10, mistakes["wrong_calls.py"] - 50) > 0


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


@each("way", WAYS, ids=lambda way: way.__name__)
def test_every_way_of_composing_works(way: Callable[[], object]) -> None:
    made = way()
    assert (list(made) if inspect.isgenerator(made) else [made]) != [None]


@each("mistake", MISTAKES)
def test_python_rejects_what_the_checkers_reject(mistake: str) -> None:
    with pytest.raises((EventError, TypeError, AttributeError)):
        exec(mistake, vars(misuses).copy())


def test_the_attributes_in_the_contracts_exist() -> None:
    """`assert_type` checks nothing when it runs, but what it is given must exist."""
    event = composing.an_event_with_everything_said()
    contracts.of_a_run_event(event)
    assert event.run.facets is not None
    contracts.of_a_container(event.run.facets.with_facets(composing.CostRunFacet(usd=1)))
