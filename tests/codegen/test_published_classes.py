"""The committed package has every definition of every schema, with its name and description."""

from __future__ import annotations

import ast
import json
import warnings
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import pytest

from codegen.__main__ import OUTPUT, PACKAGE
from codegen.identifiers import module_name
from openlineage_facets import facets
from openlineage_facets.base.model.field_names import wire_names
from openlineage_facets.base.model.model import Model
from openlineage_facets.generated import open_lineage
from tests.cases import each
from tests.oracle.schemas import CORE, DOCUMENTS, Definition, core, extended
from tests.spec.schema_files import FILES, SchemaFile


@dataclass(frozen=True)
class Generated:
    """A schema file, and the module generated from it."""

    file: SchemaFile

    @property
    def schema(self) -> dict[str, Any]:
        return self.file.schema

    @property
    def definitions(self) -> dict[str, Definition]:
        return {name: Definition(self.schema["$id"], name) for name in self.schema["$defs"]}

    @property
    def name(self) -> str:
        return module_name(self.file.path.stem)

    @property
    def module(self) -> Any:
        return import_module(f"{PACKAGE}.{self.name}")

    @property
    def tree(self) -> ast.Module:
        return ast.parse((OUTPUT / f"{self.name}.py").read_text(encoding="utf-8"))

    @property
    def classes(self) -> dict[str, ast.ClassDef]:
        return {node.name: node for node in self.tree.body if isinstance(node, ast.ClassDef)}

    def described_objects(self) -> list[dict[str, Any]]:
        """Return the schemas that become classes: objects with properties, however deep."""
        return [
            schema
            for pointer, schema in self.file.parts()
            if pointer.startswith("/$defs/") and {"properties", "description"} <= schema.keys()
        ]


MODULES = [Generated(file) for file in FILES]
each_file = each("file", MODULES, ids=lambda file: file.name)


def own_properties(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the properties that a definition adds to those it inherits."""
    properties = dict(schema.get("properties", {}))
    for part in schema.get("allOf", ()):
        properties |= own_properties(part)
    return properties


def test_every_facet_is_exported() -> None:
    names = {
        name
        for file in MODULES
        for name, definition in file.definitions.items()
        if definition.document != CORE and core("BaseFacet") in extended(definition)
    }
    assert len(names) >= 50, "the schemas were not understood"
    assert {"TagFacet", "TagRunFacet", "TagJobFacet", "TagDatasetFacet"} <= names
    assert {name: getattr(facets, name).__name__ for name in names} == {name: name for name in names}
    assert names <= set(facets.__all__)


@each_file
def test_every_definition_is_an_attribute_of_its_module(file: Generated) -> None:
    assert [name for name in file.definitions if not hasattr(file.module, name)] == []


@each_file
def test_a_module_is_reachable_by_its_name_beside_the_facets(file: Generated) -> None:
    assert getattr(facets, file.name) is file.module


@each_file
def test_no_class_has_a_numbered_name(file: Generated) -> None:
    assert [name for name in file.classes if name[-1].isdigit()] == []


@each_file
def test_core_classes_are_never_copied(file: Generated) -> None:
    """A name of the core is the core's own object, or a class that this schema file nests under that name."""
    for name in DOCUMENTS[CORE]["$defs"]:
        if file.schema["$id"] != CORE and name in vars(file.module) and name not in file.classes:
            assert getattr(file.module, name) is getattr(open_lineage, name)
        assert getattr(facets, name) is getattr(open_lineage, name)


@each_file
def test_facets_extend_the_one_base_of_their_entity(file: Generated) -> None:
    for name, definition in file.definitions.items():
        bases = set(getattr(file.module, name).__mro__) if "allOf" in definition.schema else set()
        for base in extended(definition):
            assert base.document != CORE or getattr(open_lineage, base.name) in bases


@each_file
def test_the_module_docstring_is_the_description_of_the_file(file: Generated) -> None:
    assert words(ast.get_docstring(file.tree)) == words(file.schema["description"])


@each_file
def test_the_docstring_of_a_definition_is_its_description(file: Generated) -> None:
    classes, documented = file.classes, attribute_docstrings(file.tree)
    for name, definition in file.definitions.items():
        text = ast.get_docstring(classes[name]) if name in classes else documented[name]
        assert starts_with(text, definition.schema["description"]), name


@each_file
def test_the_docstring_of_a_field_is_its_description_with_its_examples(file: Generated) -> None:
    classes = file.classes
    for name, definition in file.definitions.items():
        attributes = {wire: python for python, wire in names_of(getattr(file.module, name)).items()}
        for wire, schema in own_properties(definition.schema).items():
            text = attribute_docstrings(classes[name])[attributes[wire]]
            assert starts_with(text, schema.get("description", "")), f"{name}.{wire}"
            for example in schema.get("examples", ()):
                spelled = " ".join(words(json.dumps(example, ensure_ascii=False)))
                assert spelled in " ".join(words(text)), f"{name}.{wire}"


@each_file
def test_every_inline_object_is_a_class_with_its_description(file: Generated) -> None:
    texts = [ast.get_docstring(node) for node in file.classes.values()]
    for schema in file.described_objects():
        assert any(starts_with(text, schema["description"]) for text in texts), schema["description"]


def deprecated_properties() -> list[tuple[Generated, str]]:
    return [
        (file, wire)
        for file in MODULES
        for definition in file.described_objects()
        for wire, schema in definition["properties"].items()
        if schema.get("deprecated") is True
    ]


def test_a_deprecated_property_warns_who_reads_it() -> None:
    assert deprecated_properties(), "the published schemas deprecate some properties"
    for file, wire in deprecated_properties():
        owners = [
            cls
            for cls in vars(file.module).values()
            if isinstance(cls, type) and issubclass(cls, Model) and cls.__module__ == file.module.__name__
            for field in cls.model_fields.values()
            if field.alias == wire and field.deprecated
        ]
        assert owners, f"{wire} of {file.name} is deprecated nowhere"
        for cls in owners:
            name = next(name for name, field in cls.model_fields.items() if field.alias == wire)
            cls.model_rebuild()
            value = cls.__new__(cls)
            value.__dict__[name] = "x"
            with pytest.warns(DeprecationWarning, match="^Deprecated"):
                assert getattr(value, name) == "x"


def test_no_property_is_deprecated_that_the_schema_does_not_deprecate() -> None:
    deprecated = {wire for _, wire in deprecated_properties()}
    for file in MODULES:
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
