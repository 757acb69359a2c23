"""The committed package has every definition of every schema, with its name and description."""

from __future__ import annotations

import ast
import json
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from codegen.__main__ import OUTPUT, PACKAGE
from codegen.identifiers import module_name
from openlineage_facets import facets
from openlineage_facets.base.model.field_names import wire_names
from openlineage_facets.base.model.model import Model
from openlineage_facets.generated import open_lineage
from tests.cases import each
from tests.conftest import ROOT

SPEC = ROOT / "spec"
CORE_FILE = "OpenLineage.json"


@dataclass(frozen=True)
class SchemaFile:
    """A schema, and the module generated from it."""

    path: Path
    schema: dict[str, Any]

    @property
    def definitions(self) -> dict[str, Any]:
        return self.schema["$defs"]

    @property
    def module(self) -> Any:
        return import_module(f"{PACKAGE}.{module_name(self.path.stem)}")

    @property
    def tree(self) -> ast.Module:
        return ast.parse((OUTPUT / f"{module_name(self.path.stem)}.py").read_text(encoding="utf-8"))


FILES = [SchemaFile(path, json.loads(path.read_text("utf-8"))) for path in sorted(SPEC.rglob("*.json"))]
each_file = each("file", FILES, ids=lambda file: file.path.stem)


def extends_base_facet(file: SchemaFile, name: str) -> bool:
    """Tell from the schemas whether a definition is a facet."""
    for part in file.definitions[name].get("allOf", ()):
        target, _, fragment = part.get("$ref", "").partition("#/$defs/")
        if fragment and (not target or target.endswith(CORE_FILE)):
            owner = next(one for one in FILES if one.path.name == CORE_FILE) if target else file
            if fragment == "BaseFacet" or extends_base_facet(owner, fragment):
                return True
    return False


def facet_names(*, proposed: bool) -> list[str]:
    return [
        name
        for file in FILES
        if file.path.name != CORE_FILE and ("proposals" in file.path.parts) == proposed
        for name in file.definitions
        if extends_base_facet(file, name)
    ]


def own_properties(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the properties that a definition adds to those it inherits."""
    properties = dict(schema.get("properties", {}))
    for part in schema.get("allOf", ()):
        properties |= own_properties(part)
    return properties


def described_objects(schema: Any) -> Iterator[dict[str, Any]]:
    """Find the schemas that become classes: objects with properties, however deep."""
    if isinstance(schema, dict):
        if isinstance(schema.get("properties"), dict) and isinstance(schema.get("description"), str):
            yield schema
        for part in schema.values():
            yield from described_objects(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from described_objects(part)


def test_every_published_facet_is_exported() -> None:
    names = facet_names(proposed=False)
    assert len(names) >= 46, "the schemas were not understood"
    assert {name: getattr(facets, name).__name__ for name in names} == {name: name for name in names}
    assert set(names) <= set(facets.__all__)


def test_every_proposed_facet_is_exported() -> None:
    names = facet_names(proposed=True)
    assert {"TagFacet", "TagRunFacet", "TagJobFacet", "TagDatasetFacet"} <= set(names)
    assert {name: getattr(facets, name).__name__ for name in names} == {name: name for name in names}
    assert set(names) <= set(facets.__all__)


@each_file
def test_every_definition_is_an_attribute_of_its_module(file: SchemaFile) -> None:
    assert [name for name in file.definitions if not hasattr(file.module, name)] == []


@each_file
def test_a_module_is_reachable_by_its_name_beside_the_facets(file: SchemaFile) -> None:
    assert getattr(facets, module_name(file.path.stem)) is file.module


@each_file
def test_no_class_has_a_numbered_name(file: SchemaFile) -> None:
    names = [node.name for node in ast.walk(file.tree) if isinstance(node, ast.ClassDef)]
    assert [name for name in names if name[-1].isdigit()] == []


@each_file
def test_core_classes_are_never_copied(file: SchemaFile) -> None:
    """A name of the core is the core's own object, or a class that this schema file nests under that name."""
    nested = {node.name for node in file.tree.body if isinstance(node, ast.ClassDef)}
    for name in next(one for one in FILES if one.path.name == CORE_FILE).definitions:
        if file.path.name != CORE_FILE and name in vars(file.module) and name not in nested:
            assert getattr(file.module, name) is getattr(open_lineage, name)
        assert getattr(facets, name) is getattr(open_lineage, name)


@each_file
def test_facets_extend_the_one_base_of_their_entity(file: SchemaFile) -> None:
    for name in file.definitions:
        if extends_base_facet(file, name):
            assert open_lineage.BaseFacet in getattr(file.module, name).__mro__


@each_file
def test_the_module_docstring_is_the_description_of_the_file(file: SchemaFile) -> None:
    assert words(ast.get_docstring(file.tree)) == words(file.schema["description"])


@each_file
def test_the_docstring_of_a_definition_is_its_description(file: SchemaFile) -> None:
    classes = {node.name: node for node in file.tree.body if isinstance(node, ast.ClassDef)}
    documented = attribute_docstrings(file.tree)
    for name, schema in file.definitions.items():
        text = ast.get_docstring(classes[name]) if name in classes else documented[name]
        assert starts_with(text, schema["description"]), name


@each_file
def test_the_docstring_of_a_field_is_its_description_with_its_examples(file: SchemaFile) -> None:
    classes = {node.name: node for node in file.tree.body if isinstance(node, ast.ClassDef)}
    for name, schema in file.definitions.items():
        attributes = {wire: python for python, wire in names_of(getattr(file.module, name)).items()}
        for wire, definition in own_properties(schema).items():
            text = attribute_docstrings(classes[name])[attributes[wire]]
            assert starts_with(text, definition.get("description", "")), f"{name}.{wire}"
            for example in definition.get("examples", ()):
                spelled = " ".join(words(json.dumps(example, ensure_ascii=False)))
                assert spelled in " ".join(words(text)), f"{name}.{wire}"


@each_file
def test_every_inline_object_is_a_class_with_its_description(file: SchemaFile) -> None:
    texts = [ast.get_docstring(node) for node in file.tree.body if isinstance(node, ast.ClassDef)]
    for schema in described_objects(file.definitions):
        assert any(starts_with(text, schema["description"]) for text in texts), schema["description"]


def deprecated_properties() -> list[tuple[SchemaFile, str, Any]]:
    return [
        (file, wire, schema)
        for file in FILES
        for definition in described_objects(file.definitions)
        for wire, schema in definition["properties"].items()
        if schema.get("deprecated") is True
    ]


def test_a_deprecated_property_warns_who_reads_it() -> None:
    assert deprecated_properties(), "the published schemas deprecate some properties"
    for file, wire, _ in deprecated_properties():
        owners = [
            cls
            for cls in vars(file.module).values()
            if isinstance(cls, type) and issubclass(cls, Model) and cls.__module__ == file.module.__name__
            for field in cls.model_fields.values()
            if field.alias == wire and field.deprecated
        ]
        assert owners, f"{wire} of {file.path.name} is deprecated nowhere"
        for cls in owners:
            name = next(name for name, field in cls.model_fields.items() if field.alias == wire)
            cls.model_rebuild()
            value = cls.__new__(cls)
            value.__dict__[name] = "x"
            with pytest.warns(DeprecationWarning, match="^Deprecated"):
                assert getattr(value, name) == "x"


def test_no_property_is_deprecated_that_the_schema_does_not_deprecate() -> None:
    deprecated = {wire for _, wire, _ in deprecated_properties()}
    for file in FILES:
        for cls in vars(file.module).values():
            if isinstance(cls, type) and issubclass(cls, Model):
                assert {f.alias for f in cls.model_fields.values() if f.deprecated} <= deprecated


def test_reading_writing_and_comparing_warn_of_nothing() -> None:
    column = facets.column_lineage_dataset
    text = json.dumps(
        {
            "_producer": "https://example.com/etl",
            "_schemaURL": "https://example.com/Facet.json",
            "fields": {
                "total": {"inputFields": [], "transformationDescription": "sum", "transformationType": "x"}
            },
        }
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        value = column.ColumnLineageDatasetFacet.from_json(text)
        assert value == column.ColumnLineageDatasetFacet.from_json(value.to_json())
        assert "total" in repr(value)
        assert value.fields["total"].replace(input_fields=[]).to_dict() == value.fields["total"].to_dict()


def names_of(cls: Any) -> dict[str, str]:
    """Return the wire name of each field by its attribute, nothing for what is no class of fields."""
    return wire_names(cls) if isinstance(cls, type) and issubclass(cls, Model) else {}


def attribute_docstrings(node: ast.Module | ast.ClassDef) -> dict[str, str]:
    """Return the docstring below each annotated name, "" where there is none."""
    found = {}
    for statement, following in zip(node.body, [*node.body[1:], None], strict=True):
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            is_text = isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant)
            found[statement.target.id] = str(following.value.value) if is_text else ""  # type: ignore[union-attr]
    return found


def words(text: str | None) -> list[str]:
    return (text or "").split()


def starts_with(text: str | None, description: str) -> bool:
    expected = words(description)
    return words(text)[: len(expected)] == expected
