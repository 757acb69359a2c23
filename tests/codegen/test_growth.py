"""Work grows in proportion to the schemas: twice as much of anything takes about twice as many calls."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from codegen.generate import generate
from tests.codegen.building import Schemas, document, facet, write_spec

pytestmark = pytest.mark.thorough

STRING = {"type": "string"}


def thing(**keywords: Any) -> Schemas:
    return {"Thing.json": document("Thing", {"Thing": {"type": "object", **keywords}})}


def values(count: int) -> Schemas:
    return thing(properties={"value": {"enum": [f"v{number}" for number in range(count)]}})


def integers(count: int) -> Schemas:
    return thing(properties={"value": {"enum": list(range(count))}})


def values_with_one_name(count: int) -> Schemas:
    return thing(properties={"value": {"enum": [f"a{'-' * number}" for number in range(count)]}})


def properties(count: int) -> Schemas:
    names = [f"p{number}" for number in range(count)]
    return thing(properties=dict.fromkeys(names, STRING), required=names)


def nested_objects(count: int) -> Schemas:
    return thing(properties={f"p{n}": {"type": "object", "properties": {"a": STRING}} for n in range(count)})


def definitions(count: int) -> Schemas:
    one = {"type": "object", "properties": {"a": STRING}}
    return {"Thing.json": document("Thing", {f"Thing{number}": one for number in range(count)})}


def files(count: int) -> Schemas:
    return {
        f"T{n}.json": document(
            f"T{n}", {f"T{n}RunFacet": facet()}, properties={f"t{n}": {"$ref": f"#/$defs/T{n}RunFacet"}}
        )
        for n in range(count)
    }


def calls(schemas: Schemas, folder: Path) -> int:
    """Return how many functions the generator calls, built-in ones included."""
    spec = write_spec(folder, schemas)
    count = 0

    def counting(frame: Any, event: str, argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(counting)
    try:
        generate(spec, "package")
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize(
    ("of", "size"),
    [
        (values, 800),
        (integers, 800),
        (values_with_one_name, 300),
        (properties, 400),
        (nested_objects, 20),
        (definitions, 20),
        (files, 6),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_work_grows_linearly(of: Callable[[int], Schemas], size: int, tmp_path: Path) -> None:
    calls(of(1), tmp_path / "warm")  # imports and caches
    least, small, large = (calls(of(n), tmp_path / str(n)) for n in (size, 2 * size, 4 * size))
    assert large - small < 2.4 * (small - least)


def test_fifty_thousand_values_are_generated(tmp_path: Path) -> None:
    generated = generate(write_spec(tmp_path, values(50_000)), "package")["thing.py"]
    assert generated.count('= "v') == 50_000


def test_a_long_name_takes_linear_time(tmp_path: Path) -> None:
    small = generate(write_spec(tmp_path, thing(properties={"A" * 200_000: STRING})), "package")
    assert "a" * 200_000 in small["thing.py"]
