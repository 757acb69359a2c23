"""Generated classes compose what they read: each construct from Python values, under Python names."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

from openlineage_facets.base.errors.findings import EventError
from openlineage_facets.base.model.model import Model
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


def test_a_choice_takes_an_instance_of_each_branch(shapes: Any) -> None:
    drawing = shapes.Drawing(shape=shapes.Circle(radius=1.5), shapes=[shapes.Square(side=2)])
    assert drawing.to_dict() == {"shape": {"radius": 1.5}, "shapes": [{"side": 2}]}
    assert type(drawing.shape) is shapes.Circle
    assert drawing == shapes.Drawing.from_json(drawing.to_json())


def test_a_choice_takes_no_instance_of_anything_else(shapes: Any) -> None:
    with pytest.raises(EventError):
        shapes.Drawing(shape=shapes.Tree(label="x"))


def test_an_enumeration_takes_its_members_and_their_values(shapes: Any) -> None:
    by_member = shapes.Drawing(color=shapes.Color.DEEP_BLUE, mode=shapes.Mode.FAST)
    by_value = shapes.Drawing(color="deep blue", mode="fast")
    assert by_member == by_value
    assert by_value.color is shapes.Color.DEEP_BLUE
    assert by_value.to_dict() == {"color": "deep blue", "mode": "fast"}
    with pytest.raises(EventError, match=r"^/color: expected one of"):
        shapes.Drawing(color="pink")


def test_a_constant_is_asserted(shapes: Any) -> None:
    assert shapes.Drawing(kind="drawing").kind == "drawing"
    with pytest.raises(EventError, match=r"^/kind: "):
        shapes.Drawing(kind="painting")


def test_recursion_takes_instances(shapes: Any) -> None:
    tree = shapes.Tree(branches=[shapes.Tree(label="leaf"), shapes.Tree(branches=[])])
    assert tree.to_dict() == {"branches": [{"label": "leaf"}, {"branches": []}]}


def test_a_map_takes_instances(shapes: Any) -> None:
    drawing = shapes.Drawing(by_name={"sun": shapes.Circle(radius=1)})
    assert drawing.to_dict() == {"byName": {"sun": {"radius": 1}}}


def test_further_fields_are_taken_where_the_schema_types_them(shapes: Any) -> None:
    sizes = shapes.Sizes(the_unit="mm", width=3, height=4)
    assert sizes.to_dict() == {"theUnit": "mm", "width": 3, "height": 4}
    assert sizes.width == 3
    with pytest.raises(EventError, match=r"^/width: expected an integer, found \"3\""):
        shapes.Sizes(the_unit="mm", width="3")


def test_further_fields_of_a_dict_are_taken_as_well(shapes: Any) -> None:
    drawing = shapes.Drawing(sizes={"theUnit": "mm", "width": 3}, settings={"grid": [1]})
    assert drawing.to_dict() == {"sizes": {"theUnit": "mm", "width": 3}, "settings": {"grid": [1]}}
    with pytest.raises(EventError, match="^/sizes/the_unit"):
        shapes.Drawing(sizes={"theUnit": "mm", "the_unit": "cm"})


def test_an_object_of_which_the_schema_says_nothing_takes_any_field(shapes: Any) -> None:
    assert shapes.Settings(grid=[1]).to_dict() == {"grid": [1]}


def test_further_fields_are_refused_where_the_schema_says_nothing_of_them(shapes: Any) -> None:
    with pytest.raises(EventError, match="radius"):
        shapes.Circle(radius=1, radios=2)


def test_a_rule_is_asserted(shapes: Any) -> None:
    assert shapes.Place(job="a", run="b").to_dict() == {"job": "a", "run": "b"}
    with pytest.raises(EventError, match="run"):
        shapes.Place(job="a")


def test_a_facet_finds_its_key(shapes: Any, package: Package) -> None:
    run_class = package.definition("OpenLineage.json", "Run")
    value = shapes.DrawingRunFacet(drawing=shapes.Drawing(kind="drawing"))
    run = run_class(facets=[value])
    assert run.facets.drawing == run.facets.get(shapes.DrawingRunFacet) == value
    assert value.schema_url == "https://example.com/Shapes.json#/$defs/DrawingRunFacet"


def test_every_class_takes_what_its_signature_says(package: Package) -> None:
    modules = [import_module(f"{package.name}.{path.stem}") for path in package.folder.glob("*.py")]
    classes = [
        cls
        for module in modules
        for cls in vars(module).values()
        if isinstance(cls, type) and issubclass(cls, Model) and cls.__module__ == module.__name__
    ]
    assert len(classes) > 20
    for cls in classes:
        assert_signature_is_true(cls)
