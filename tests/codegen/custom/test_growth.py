"""The work for custom facets grows in proportion to their number, also with references to other versions."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from codegen.custom_facets import render_custom_facets
from tests.codegen.custom.facets import facet_file, read

pytestmark = pytest.mark.thorough

OLD = "https://openlineage.io/spec/1-0-5/OpenLineage.json#/$defs/RunFacet"


def many(count: int, **keywords: Any) -> dict[str, Any]:
    names = [f"Acme{chr(65 + n // 26)}{chr(97 + n % 26)}RunFacet" for n in range(count)]
    return {f"{name}.json": facet_file(name, f"acme_{name[4:6]}", **keywords) for name in names}


def calls(folder: Path, schemas: dict[str, Any]) -> int:
    """Return how many functions generating a package calls."""
    count = 0

    def counting(frame: Any, event: str, argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(counting)
    try:
        render_custom_facets(read(folder, schemas), "package")
    finally:
        sys.setprofile(before)
    return count


INVALID = {"properties": {"usd": {"type": "number", "multipleOf": 2}}}


@pytest.mark.parametrize(
    "keywords", [{}, {"base": OLD}, INVALID], ids=["current core", "another core", "with an error in each"]
)
def test_twice_as_many_facets_take_twice_as_many_calls(keywords: dict[str, Any], tmp_path: Path) -> None:
    calls(tmp_path / "warm", many(1, **keywords))
    none, some, more = (calls(tmp_path / str(n), many(n, **keywords)) for n in (1, 16, 31))
    assert more - some < 1.2 * (some - none)
