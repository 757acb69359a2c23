"""Generated classes compose what they read: each construct from Python values, under Python names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from openlineage_facets.base.errors.findings import EventError
from tests.cases import each
from tests.codegen.building import Package, document, facet
from tests.codegen.conftest import Generate
from tests.typing.test_signatures import assert_signature_is_true

STRING = {"type": "string"}
SHAPE = {"oneOf": [{"$ref": "#/$defs/Circle"}, {"$ref": "#/$defs/Square"}]}
SHAPES = {
    "Color": {"type": "string", "enum": ["red", "deep blue"]},
    "Circle": {"type": "object", "properties": {"radius": {"type": "number"}}, "required": ["radius"]},
    "Square": {"type": "object", "properties": {"side": {"type": "number"}}, "required": ["side"]},
    "Tree": {
        "type": "object",
        "properties": {"label": STRING, "branches": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}},
    },
    "Sizes": {
        "type": "object",
        "properties": {"theUnit": STRING},
        "required": ["theUnit"],
        "additionalProperties": {"type": "integer"},
    },
    "Settings": {"type": "object"},
    "Drawing": {
        "type": "object",
        "properties": {
            "shape": SHAPE,
            "shapes": {"type": "array", "items": SHAPE},
            "color": {"$ref": "#/$defs/Color"},
            "mode": {"type": "string", "enum": ["fast", "slow"]},
            "kind": {"const": "drawing"},
            "note": {"type": ["string", "null"]},
            "drawnAt": {"type": "string", "format": "date-time"},
            "byName": {"type": "object", "additionalProperties": {"$ref": "#/$defs/Circle"}},
            "sizes": {"$ref": "#/$defs/Sizes"},
            "settings": {"$ref": "#/$defs/Settings"},
        },
    },
    "Place": {
        "type": "object",
        "properties": {"job": STRING, "run": STRING},
        "dependentRequired": {"job": ["run"]},
    },
    "DrawingRunFacet": facet(properties={"drawing": {"$ref": "#/$defs/Drawing"}}),
}


@pytest.fixture(scope="module")
def package(generated: Generate) -> Package:
    keys = {"drawing": {"$ref": "#/$defs/DrawingRunFacet"}}
    return generated({"Shapes.json": document("Shapes", SHAPES, properties=keys)})


@pytest.fixture(scope="module")
def shapes(package: Package) -> Any:
    return package.module("Shapes.json")


COMPOSED: dict[str, tuple[Callable[[Any], Any], Any]] = {
    "an instance of each branch of a choice": (
        lambda shapes: shapes.Drawing(shape=shapes.Circle(radius=1.5), shapes=[shapes.Square(side=2)]),
        {"shape": {"radius": 1.5}, "shapes": [{"side": 2}]},
    ),
    "members of enumerations": (
        lambda shapes: shapes.Drawing(color=shapes.Color.DEEP_BLUE, mode=shapes.Mode.FAST),
        {"color": "deep blue", "mode": "fast"},
    ),
    "values of enumerations": (
        lambda shapes: shapes.Drawing(color="deep blue", mode="fast"),
        {"color": "deep blue", "mode": "fast"},
    ),
    "a constant": (lambda shapes: shapes.Drawing(kind="drawing"), {"kind": "drawing"}),
    "recursion": (
        lambda shapes: shapes.Tree(branches=[shapes.Tree(label="leaf"), shapes.Tree(branches=[])]),
        {"branches": [{"label": "leaf"}, {"branches": []}]},
    ),
    "a map": (
        lambda shapes: shapes.Drawing(by_name={"sun": shapes.Circle(radius=1)}),
        {"byName": {"sun": {"radius": 1}}},
    ),
    "further fields that the schema types": (
        lambda shapes: shapes.Sizes(the_unit="mm", width=3, height=4),
        {"theUnit": "mm", "width": 3, "height": 4},
    ),
    "further fields of a dict": (
        lambda shapes: shapes.Drawing(sizes={"theUnit": "mm", "width": 3}, settings={"grid": [1]}),
        {"sizes": {"theUnit": "mm", "width": 3}, "settings": {"grid": [1]}},
    ),
    "any field of an object that is not described": (
        lambda shapes: shapes.Settings(grid=[1]),
        {"grid": [1]},
    ),
    "fields that a rule requires": (lambda shapes: shapes.Place(job="a", run="b"), {"job": "a", "run": "b"}),
}


@each("what", COMPOSED)
def test_a_construct_is_composed_from_python_values(what: str, shapes: Any) -> None:
    compose, wire = COMPOSED[what]
    value = compose(shapes)
    assert value.to_dict() == wire
    assert type(value).from_json(value.to_json()) == value


def test_values_have_the_types_of_the_schema(shapes: Any) -> None:
    drawing = shapes.Drawing(shape=shapes.Circle(radius=1.5), color="deep blue")
    assert type(drawing.shape) is shapes.Circle
    assert drawing.color is shapes.Color.DEEP_BLUE
    assert shapes.Sizes(the_unit="mm", width=3).width == 3


REFUSED: list[tuple[Callable[[Any], Any], str]] = [
    (lambda shapes: shapes.Drawing(shape=shapes.Tree(label="x")), "^/shape: "),
    (lambda shapes: shapes.Drawing(color="pink"), r"^/color: expected one of"),
    (lambda shapes: shapes.Drawing(kind="painting"), r"^/kind: "),
    (
        lambda shapes: shapes.Sizes(the_unit="mm", width="3"),
        r"^/width: expected an integer, found \"3\"",
    ),
    (lambda shapes: shapes.Drawing(sizes={"theUnit": "mm", "the_unit": "cm"}), "^/sizes/the_unit"),
    (lambda shapes: shapes.Drawing(sizes={"theUnit": "mm", "width": 3, "the_unit": 4}), "^/sizes/the_unit"),
    (lambda shapes: shapes.Circle(radius=1, radios=2), "radius"),
    (lambda shapes: shapes.Place(job="a"), "run"),
]


@each(("compose", "message"), REFUSED, ids=lambda value: value if isinstance(value, str) else "compose")
def test_what_the_schema_does_not_allow_is_refused(
    compose: Callable[[Any], Any], message: str, shapes: Any
) -> None:
    with pytest.raises(EventError, match=message):
        compose(shapes)


def test_a_facet_finds_its_key(shapes: Any, package: Package) -> None:
    run_class = package.definition("OpenLineage.json", "Run")
    value = shapes.DrawingRunFacet(drawing=shapes.Drawing(kind="drawing"))
    run = run_class(facets=[value])
    assert run.facets.drawing == run.facets.get(shapes.DrawingRunFacet) == value
    assert value.schema_url == "https://example.com/Shapes.json#/$defs/DrawingRunFacet"


def test_every_class_takes_what_its_signature_says(package: Package) -> None:
    classes = package.models()
    assert len(classes) > 20
    for cls in classes:
        assert_signature_is_true(cls)
