"""Mutations change what is executed, one place each, and are the same for the same seed."""

from __future__ import annotations

import ast
import json
from pathlib import Path

from tests.cases import each
from tools.changed_tests import ROOT, nearest_tests
from tools.covering_tests import digest
from tools.mutate import Mutation, attempts_of, chosen, mutations_of

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
