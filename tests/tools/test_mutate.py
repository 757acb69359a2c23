"""Mutations change what is executed, one place each, and are the same for the same seed."""

from __future__ import annotations

import ast
import json
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.cases import each
from tools.changed_tests import LIMIT_REACHED, ROOT, nearest_tests
from tools.covering_tests import digest
from tools.mutate import Copies, Mutation, Outcome, TestRun, attempts_of, chosen, mutations_of, table

SOURCE = '''\
"""Facets."""
from typing import TYPE_CHECKING, Literal
if TYPE_CHECKING:
    from one import two
__all__ = ["size"]

def size(é: Literal[1], more: int = 0) -> int:
    """Return 1."""
    for number in range(more):
        if "ü" == é and not more < 3:
            continue
        print(number)
    return more + 1
'''


def test_each_place_that_is_executed_is_changed_once() -> None:
    found = [
        (mutation.line, mutation.old, mutation.new) for mutation in mutations_of("m.py", SOURCE.encode())
    ]
    assert sorted(found) == [
        (7, "0", "1"),
        (10, '"ü" == é and not more < 3', 'not ("ü" == é and not more < 3)'),
        (10, "3", "4"),
        (10, "<", "<="),
        (10, "==", "!="),
        (10, "and", "or"),
        (10, "not more < 3", "(more < 3)"),
        (11, "continue", "break"),
        (12, "print(number)", "pass"),
        (13, "+", "-"),
        (13, "1", "2"),
        (13, "return more + 1", "return None"),
    ]


@each("mutation", list(mutations_of("m.py", SOURCE.encode())), ids=str)
def test_a_mutated_module_is_valid_python(mutation) -> None:
    changed = mutation.apply(SOURCE.encode())
    assert changed != SOURCE.encode()
    assert ast.dump(ast.parse(changed)) != ast.dump(ast.parse(SOURCE))


def test_the_same_seed_chooses_the_same_mutations() -> None:
    first, again, other = (chosen(["openlineage_facets/naming"], 5, seed) for seed in (1, 1, 2))
    assert first == again != other


def test_the_nearest_tests_are_those_of_the_mirrored_folder() -> None:
    assert nearest_tests(["openlineage_facets/naming/systems.py"])[0].startswith("tests/naming/")
    spark = nearest_tests(["openlineage_facets/spark/metrics/scans.py"], spark=True)
    assert spark[0].startswith("tests/spark/metrics/")
    without = nearest_tests(["openlineage_facets/spark/metrics/scans.py"])
    assert not [name for name in without if name.startswith("tests/spark/")]


def test_the_tests_that_execute_a_line_run_before_the_nearest(tmp_path: Path, monkeypatch) -> None:
    path, name = "openlineage_facets/naming/systems.py", "tests/naming/test_jdbc.py::test_table"
    content = {"digest": digest((ROOT / path).read_bytes()), "lines": {"1": [name]}}
    for record, first in ({path: content}, [name]), ({path: {**content, "digest": ""}}, None), ({}, None):
        (tmp_path / "record.json").write_text(json.dumps(record))
        monkeypatch.setattr("tools.mutate.RECORD", tmp_path / "record.json")
        mutation = Mutation(path, 1, 0, "", "")
        groups = attempts_of([mutation])[mutation]
        assert (groups[0] == first) == (first is not None)
        assert any("tests/naming/test_uris.py" in group for group in groups)


MUTATION = Mutation("m.py", 1, 0, "1", "2")


@pytest.fixture
def copies(tmp_path: Path) -> Copies:
    """Return a copy of a tree that has one module."""
    (tmp_path / "m.py").write_text("1")
    copies = Copies(tmp_path, 0)
    copies._free.put(tmp_path)
    return copies


PASSED, LATE, FAILED = TestRun(None), TestRun(None, is_complete=False), TestRun("test_m.py")


@pytest.mark.parametrize(
    ("runs", "result"),
    [
        ([PASSED, PASSED], "survived"),
        ([LATE, PASSED], "time limit"),
        ([PASSED, LATE], "time limit"),
        ([LATE, FAILED, PASSED], "killed"),  # The last run is one without the mutation.
        ([TestRun("")], "killed"),
    ],
    ids=["all pass", "first limit", "last limit", "limit, then failure", "no end"],
)
def test_tests_that_were_not_started_in_time_neither_kill_a_mutation_nor_let_it_survive(
    copies: Copies, runs: list[TestRun], result: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    remaining = iter(runs)
    monkeypatch.setattr(copies, "_run", lambda *arguments: next(remaining))
    assert copies.outcome(MUTATION, [["nearest"], ["further"]], 60).result == result
    assert list(remaining) == []


@pytest.mark.parametrize(
    ("code", "printed", "run"),
    [
        (0, "", PASSED),
        (LIMIT_REACHED, "No test was started after 60 s", LATE),
        (1, "FAILED test_m.py - ValueError", FAILED),
        (2, "", TestRun("")),
    ],
)
def test_the_exit_code_of_tests_says_whether_all_were_started(
    copies: Copies, code: int, printed: str, run: TestRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = SimpleNamespace(communicate=lambda timeout: (printed, None), returncode=code)
    monkeypatch.setattr("tools.mutate.java_of_machine", lambda: None)
    monkeypatch.setattr(subprocess, "Popen", lambda *arguments, **options: process)
    assert copies._run(Path(), ["test_m.py"], 60) == run


def test_the_table_counts_mutations_whose_tests_reached_the_limit() -> None:
    outcomes = [Outcome(MUTATION, result, 1) for result in ("killed", "time limit", "survived", "survived")]
    lines = "\n".join(table(outcomes)).splitlines()
    assert "| all | 4 | 1 (25%) | 1 |" in lines
    assert [line for line in lines if line.startswith(("survived: ", "time limit: "))] == [
        f"survived: {MUTATION}",
        f"survived: {MUTATION}",
        f"time limit: {MUTATION}",
    ]
