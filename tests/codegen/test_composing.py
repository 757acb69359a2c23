"""Generated classes compose what they read: each construct from Python values, under Python names."""

from __future__ import annotations

import ast
from importlib import import_module
from typing import Any

import pytest

from codegen.__main__ import OUTPUT, PACKAGE
from openlineage_facets.base.errors.findings import EventError
from openlineage_facets.base.model.field_names import wire_names
from openlineage_facets.base.model.model import Model
from tests.codegen.building import Package, document, facet
from tests.codegen.conftest import Generate

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


def signatures(path: Any) -> dict[str, ast.arguments]:
    """Return what type checkers see of each constructor in a file."""
    return {
        node.name: function.args
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef)
        for block in node.body
        if isinstance(block, ast.If)
        for function in block.body
        if isinstance(function, ast.FunctionDef) and function.name == "__init__"
    }


def assert_signatures_are_true(name: str, path: Any) -> int:
    """Assert that each class of a module accepts what its signature declares; return how many there are."""
    module = import_module(f"{name}.{path.stem}")
    checked = 0
    for class_name, arguments in signatures(path).items():
        cls = getattr(module, class_name)
        if not issubclass(cls, Model):
            continue
        checked += 1
        taken = {
            argument.arg: default
            for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        }
        assert taken.keys() == wire_names(cls).keys(), class_name
        filled_in = cls.__defaults__.keys()
        for python, default in taken.items():
            needed = cls.model_fields[python].is_required() and wire_names(cls)[python] not in filled_in
            assert (default is None) == needed, f"{class_name}.{python}"
        assert (arguments.kwarg is not None) == cls.__open__, class_name
    return checked


def test_every_published_class_takes_what_its_signature_says() -> None:
    assert sum(assert_signatures_are_true(PACKAGE, path) for path in OUTPUT.glob("*.py")) > 100


def test_every_class_of_the_constructs_takes_what_its_signature_says(package: Package) -> None:
    assert sum(assert_signatures_are_true(package.name, path) for path in package.folder.glob("*.py")) > 20
