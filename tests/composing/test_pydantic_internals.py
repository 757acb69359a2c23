"""Undocumented attributes of pydantic are used in one module only."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from openlineage_facets import Run
from openlineage_facets.base.wire import pydantic_internals
from tests.conftest import ROOT

PACKAGE = ROOT / "openlineage_facets"
OWNER = Path(pydantic_internals.__file__)


def internals_used(module: Path) -> Iterator[str]:
    """Yield the attributes and strings that name an internal of pydantic."""
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Attribute) and not is_super(node.value):
            names = node.attr
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            names = node.value
        else:
            continue
        if names.startswith("__pydantic_"):
            yield f"{module.relative_to(ROOT)}:{node.lineno}: {names}"


def is_super(node: ast.expr) -> bool:
    """Return whether an expression is `super()`: an overridden hook calls that of its base."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"


def test_one_module_uses_internals_of_pydantic():
    others = [path for path in PACKAGE.rglob("*.py") if path != OWNER]
    assert [use for path in others for use in internals_used(path)] == []
    assert list(internals_used(OWNER)) != []


def test_a_value_is_created_without_validation():
    run = pydantic_internals.without_validation(Run, {"run_id": None, "facets": None}, set(), {"runId": 7})
    assert pydantic_internals.unknown_fields(run) == {"runId": 7}
    assert run.to_dict() == {"runId": 7}


def test_a_class_keeps_its_validator_while_it_is_built_again() -> None:
    """Another thread may parse meanwhile, and would find the validator of the base class."""
    Run.from_json(b'{"runId": "0198c5a2-7c1e-7bd1-9d5e-1f2f3a4b5c6d"}')
    validator = vars(Run)["__pydantic_validator__"]
    del Run.__pydantic_validator__
    assert vars(Run)["__pydantic_validator__"] is validator
