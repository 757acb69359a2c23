"""The constructors that type checkers see have exactly the fields of the classes."""

from __future__ import annotations

import ast
import inspect
from importlib import import_module

from openlineage_facets.base.containers.facet_map import FacetMap
from openlineage_facets.base.model.model import Model
from openlineage_facets.facets import (
    DatasetFacets,
    InputDatasetFacets,
    JobFacets,
    OutputDatasetFacets,
    RunFacets,
)
from tests.cases import each
from tests.composing.generated_classes import CLASSES, qualified

CONTAINERS = [RunFacets, JobFacets, DatasetFacets, InputDatasetFacets, OutputDatasetFacets]


def class_source(cls: type) -> ast.ClassDef:
    """Return the source of a class."""
    tree = ast.parse(inspect.getsource(import_module(cls.__module__)))
    return next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == cls.__name__)


def signature(cls: type, name: str) -> ast.arguments:
    """Return the parameters of a method that is defined under TYPE_CHECKING."""
    guarded = [node for node in class_source(cls).body if isinstance(node, ast.If)]
    (method,) = (
        node
        for block in guarded
        for node in block.body
        if isinstance(node, ast.FunctionDef) and node.name == name
    )
    return method.args


def optional(arguments: ast.arguments) -> dict[str, bool]:
    """Return for each keyword whether it is optional."""
    pairs = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    return {argument.arg: default is not None for argument, default in pairs}


def assert_signature_is_true(cls: type[Model]) -> None:
    """Assert that a class accepts what the signature for type checkers declares."""
    arguments = signature(cls, "__init__")
    filled_in = cls.__defaults__.keys()
    assert optional(arguments) == {
        name: not field.is_required() or (field.alias or name) in filled_in
        for name, field in cls.model_fields.items()
    }
    assert [argument.arg for argument in arguments.args] == ["self"]
    assert (arguments.kwarg is not None) == cls.__open__


@each("cls", CLASSES, ids=qualified)
def test_a_constructor_requires_what_composing_requires(cls: type[Model]) -> None:
    assert_signature_is_true(cls)


@each("method", ["__init__", "with_facets"])
@each("container", CONTAINERS, ids=lambda container: container.__name__)
def test_a_container_accepts_each_facet_by_the_name_of_its_attribute(
    container: type[FacetMap[Model]], method: str
) -> None:
    slots = {
        node.target.id: f"{ast.unparse(node.annotation.slice)} | None"
        for node in class_source(container).body
        if isinstance(node, ast.AnnAssign)
        and isinstance(node.target, ast.Name)
        and isinstance(node.annotation, ast.Subscript)
        and ast.unparse(node.annotation.value) == "FacetSlot"
    }
    arguments = signature(container, method)
    assert len(slots) == len(container.__slots_by_key__)
    assert {one.arg: ast.unparse(one.annotation) for one in arguments.kwonlyargs if one.annotation} == slots
    assert all(optional(arguments).values())
