"""Work grows in proportion to the schemas: twice as much of anything takes about twice as many calls."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from codegen.custom_facets import render_custom_facets
from codegen.generate import generate
from codegen.load import load
from codegen.normalize import normalize
from tests.codegen.building import Schemas, document, facet, write_spec
from tests.codegen.custom.facets import facet_file, read
from tests.speed.counting import python_calls

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


SPECS = [
    # schemas of a size, the smallest size
    (values, 800),
    (integers, 800),
    (values_with_one_name, 300),
    (properties, 400),
    (nested_objects, 20),
    (definitions, 20),
    (files, 6),
]


@pytest.mark.parametrize(("of", "size"), SPECS, ids=lambda value: getattr(value, "__name__", ""))
def test_work_grows_linearly(of: Callable[[int], Schemas], size: int, tmp_path: Path) -> None:
    specs = [write_spec(tmp_path / str(n), of(n)) for n in (size, 2 * size, 4 * size)]
    least, small, large = (python_calls(partial(generate, spec, "package")) for spec in specs)
    assert large - small < 2.4 * (small - least)


def test_each_definition_is_searched_for_its_types_once(tmp_path: Path) -> None:
    def normalize_chain(count: int) -> None:
        definitions: dict[str, Any] = {
            f"D{n}": {"anyOf": [{"$ref": f"#/$defs/D{n + 1}"}, {"allOf": [{"$ref": f"#/$defs/D{n + 1}"}]}]}
            for n in range(count)
        }
        definitions |= {
            f"D{count}": STRING,
            "Thing": {"type": "string", "anyOf": [{"$ref": "#/$defs/D0"}, {}]},
        }
        normalize(load(write_spec(tmp_path / str(count), {"T.json": document("T", definitions)})))

    least, small, large = (python_calls(partial(normalize_chain, count)) for count in (3, 6, 12))
    assert large - small < 2.4 * (small - least)


def custom_facets(count: int, **keywords: Any) -> Schemas:
    names = [f"Acme{chr(65 + n // 26)}{chr(97 + n % 26)}RunFacet" for n in range(count)]
    return {f"{name}.json": facet_file(name, f"acme_{name[4:6]}", **keywords) for name in names}


KEYWORDS = {
    "current core": {},
    "another core": {"base": "https://openlineage.io/spec/1-0-5/OpenLineage.json#/$defs/RunFacet"},
    "with an error in each": {"properties": {"usd": {"type": "number", "multipleOf": 2}}},
}


@pytest.mark.parametrize("keywords", KEYWORDS.values(), ids=KEYWORDS)
def test_twice_as_many_custom_facets_take_twice_as_many_calls(
    keywords: dict[str, Any], tmp_path: Path
) -> None:
    def generate_package(count: int) -> None:
        render_custom_facets(read(tmp_path / str(count), custom_facets(count, **keywords)), "package")

    none, some, more = (python_calls(partial(generate_package, count)) for count in (1, 16, 31))
    assert more - some < 1.2 * (some - none)


def test_fifty_thousand_values_are_generated(tmp_path: Path) -> None:
    generated = generate(write_spec(tmp_path, values(50_000)), "package")["thing.py"]
    assert generated.count('= "v') == 50_000


def test_a_long_name_takes_linear_time(tmp_path: Path) -> None:
    small = generate(write_spec(tmp_path, thing(properties={"A" * 200_000: STRING})), "package")
    assert "a" * 200_000 in small["thing.py"]
