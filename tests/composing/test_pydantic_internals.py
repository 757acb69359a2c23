"""Undocumented attributes of pydantic are used in one module only."""

from __future__ import annotations

import re
from pathlib import Path

from openlineage_facets import Run
from openlineage_facets.base.wire import pydantic_internals
from tests.conftest import ROOT

PACKAGE = ROOT / "openlineage_facets"
OWNER = Path(pydantic_internals.__file__)


USE = re.compile(r"""(?<!super\(\))\.__pydantic_\w+|["']__pydantic_\w+""")
"""An attribute or a string with the name of an internal; an overridden hook calls that of its base."""


def test_one_module_uses_internals_of_pydantic() -> None:
    uses = {path: USE.findall(path.read_text("utf-8")) for path in PACKAGE.rglob("*.py")}
    assert [path for path, names in uses.items() if names] == [OWNER]


def test_a_value_is_created_without_validation() -> None:
    run = pydantic_internals.without_validation(Run, {"run_id": None, "facets": None}, set(), {"runId": 7})
    assert pydantic_internals.unknown_fields(run) == {"runId": 7}
    assert run.to_dict() == {"runId": 7}


def test_a_class_keeps_its_validator_while_it_is_built_again() -> None:
    """Another thread may parse meanwhile, and would find the validator of the base class."""
    Run.from_json(b'{"runId": "0198c5a2-7c1e-7bd1-9d5e-1f2f3a4b5c6d"}')
    validator = vars(Run)["__pydantic_validator__"]
    del Run.__pydantic_validator__
    assert vars(Run)["__pydantic_validator__"] is validator
