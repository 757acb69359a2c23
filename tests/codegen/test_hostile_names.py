"""A property, a definition, a facet key or a file may have any name, even one that Python uses itself."""

from __future__ import annotations

import builtins
import keyword
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from codegen.identifiers import class_name, module_name
from openlineage_facets.base.containers.facet_map import FacetMap
from openlineage_facets.base.errors.findings import EventError
from openlineage_facets.base.model.field_names import wire_names
from openlineage_facets.base.model.model import Model
from tests.cases import each
from tests.codegen.building import Package, build, document, facet
from tests.codegen.importing import importable

pytestmark = pytest.mark.check

NAMES = list(
    dict.fromkeys(
        [
            *("", "a b"),
            *"_ __ a-b a_b aB a.b a/b a~b a~1b 1a 1 - 日本 №".split(),
            *"$ref $id $defs $schema x-python-type properties type required enum".split(),
            *"self cls fields facets data args kwargs wire value text key".split(),
            *"producer schema_url schemaUrl deleted Deleted schemaurl Producer".split(),
            *"__init__ __class__ __dict__ __slots__ __annotations__ __doc__ __module__".split(),
            *"__schema_url__ __facet_key__ __pydantic_extra__ __defaults__ _private __mangled".split(),
            *"Field field Any Model Maybe Literal StrictStr Annotated TYPE_CHECKING".split(),
            *"model_validator require_with forbid_together modelValidator annotations datetime".split(),
            *"uuid typing pydantic Json Integer Timestamp mro name names extra".split(),
            *keyword.kwlist,
            *keyword.softkwlist,
            *(name for name in dir(builtins) if name.islower()),
            *(name for name in dir(Model) if not name.startswith("__")),
            *(name for name in dir(type(Model)) if not name.startswith("__")),
            *(name for name in dir(FacetMap) if not name.startswith("__")),
        ]
    )
)
"""Names that mean something to Python, to pydantic, to this package, to the tools, or nothing at all."""

ID = "0195793a-e7b1-7d09-b2c8-40f6a95e1d37"
STRING = {"type": "string"}


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Package]:
    """Return a package with classes, facets and definitions of every name."""
    folder = tmp_path_factory.mktemp("hostile_names")
    properties, facets, keys = {}, {}, {}
    for number, name in enumerate(NAMES):
        own = {name: STRING, "zz": STRING, "nested": {"$ref": "#/$defs/Nested"}}
        rules = {"dependentRequired": {name: ["zz"]}, "not": {"required": [name, "bad"]}}
        properties[f"Required{number}X"] = {"type": "object", "properties": own, "required": [name], **rules}
        facets[f"Name{number}RunFacet"] = facet(properties={name: STRING}, required=[name])
        keys[name] = {"$ref": f"#/$defs/Name{number}RunFacet"}
    properties["Nested"] = {"type": "object", "properties": {"deep": STRING}}
    properties["Nameless"] = {
        "type": "object",
        "properties": {"日本": {"type": "object", "properties": {"x": STRING}}, "数": {"enum": ["a", "b"]}},
    }
    properties["Everything"] = {"type": "object", "properties": dict.fromkeys(NAMES, STRING)}
    schemas = {
        "Properties.json": document("Properties", properties),
        "Facets.json": document("Facets", facets, properties=keys),
    }
    for file in {DEFINED_IN[name] for name in NAMES}:
        definitions: dict[str, Any] = {}
        for number, name in enumerate(NAMES):
            if DEFINED_IN[name] == file:
                definitions[name] = {"type": "object", "properties": {"x": {"type": "integer"}}}
                own = {"it": {"$ref": reference(name)}, "x": STRING}
                definitions[f"User{number}X"] = {"type": "object", "properties": own}
        schemas[file] = document(file.removesuffix(".json"), definitions)
    with importable(folder):
        yield build(folder, "hostile_names", schemas)


def files_of_definitions() -> dict[str, str]:
    """Return the file that defines each name, so that the classes of one file have different names."""
    classes = [class_name(name) for name in NAMES]
    return {
        name: f"Definitions{classes[:number].count(classes[number])}.json"
        for number, name in enumerate(NAMES)
    }


DEFINED_IN = files_of_definitions()


def reference(name: str) -> str:
    """Return the `$ref` of a definition in the same file."""
    return "#/$defs/" + name.replace("~", "~0").replace("/", "~1").replace("%", "%25")


def attribute(cls: Any, wire: str) -> str:
    """Return the Python name of a property."""
    (python,) = [python for python, name in wire_names(cls).items() if name == wire]
    return python


each_name = each("number", range(len(NAMES)), ids=lambda number: ascii(NAMES[number]))


@each_name
def test_a_property_may_have_any_name(number: int, package: Package) -> None:
    name = NAMES[number]
    cls = package.definition("Properties.json", f"Required{number}X")
    wire = {name: "x", "zz": "y", "nested": {"deep": "z"}}
    value = cls.from_json(wire)
    assert value.to_dict() == wire
    python = attribute(cls, name)
    assert getattr(value, python) == "x"
    nested = package.definition("Properties.json", "Nested")(deep="z")
    assert cls(**{python: "x", "zz": "y", "nested": nested}) == value
    assert cls(**{name: "x", "zz": "y", "nested": nested}) == value
    assert value.replace(**{python: "changed"}).to_dict() == {**wire, name: "changed"}
    assert name in cls.model_json_schema()["properties"]
    assert python in repr(value)
    with pytest.raises(EventError):
        cls.from_json({**wire, name: 1})


@each_name
def test_a_rule_may_be_about_any_name(number: int, package: Package) -> None:
    name = NAMES[number]
    cls = package.definition("Properties.json", f"Required{number}X")
    for broken in ({}, {name: "x"}, {name: "x", "zz": "y", "bad": 1}):
        with pytest.raises(EventError):
            cls.from_json(broken)


def test_a_class_may_have_properties_of_all_names_at_once(package: Package) -> None:
    cls = package.definition("Properties.json", "Everything")
    wire = dict(zip(NAMES, map(str, range(len(NAMES))), strict=True))
    value = cls.from_json(wire)
    assert value.to_dict() == wire
    assert {name: getattr(value, attribute(cls, name)) for name in NAMES} == wire
    assert cls(**{attribute(cls, name): text for name, text in wire.items()}) == value


def test_a_nested_class_may_be_named_like_its_field_in_a_script_without_capitals(package: Package) -> None:
    cls = package.definition("Properties.json", "Nameless")
    assert cls.from_json({"日本": {"x": "y"}, "数": "a"}).to_dict() == {"日本": {"x": "y"}, "数": "a"}
    with pytest.raises(EventError):
        cls.from_json({"数": "c"})


@each_name
def test_a_facet_may_have_a_property_of_any_name(number: int, package: Package) -> None:
    name = NAMES[number]
    cls = package.definition("Facets.json", f"Name{number}RunFacet")
    value = cls(**{attribute(cls, name): "x"}, producer="https://example.com/etl")
    assert value.to_dict() == {
        "_producer": "https://example.com/etl",
        "_schemaURL": cls.__schema_url__,
        name: "x",
    }
    assert cls.from_json(value.to_json()) == value
    assert value.producer == "https://example.com/etl"


@each_name
def test_a_facet_may_stand_under_any_key(number: int, package: Package) -> None:
    key = NAMES[number]
    cls = package.definition("Facets.json", f"Name{number}RunFacet")
    run_class = package.definition("OpenLineage.json", "Run")
    value = cls(**{attribute(cls, key): "x"})
    run = run_class(run_id=ID, facets=[value])
    assert run.to_dict() == {"runId": ID, "facets": {key: value.to_dict()}}
    same = run_class.from_json(run.to_json())
    assert same == run
    assert same.facets[key] == same.facets.get(cls) == value
    container = type(same.facets)
    slots = [python for python, slot in vars(container).items() if slot is container.__slots_by_key__[key]]
    assert [getattr(same.facets, python) for python in slots] == [value]
    assert container(**{slots[0]: value}) == same.facets


@each_name
def test_a_definition_may_have_any_name(number: int, package: Package) -> None:
    file = DEFINED_IN[NAMES[number]]
    cls = package.definition(file, NAMES[number])
    user = package.definition(file, f"User{number}X")
    value = user(it=cls(x=1), x="y")
    assert value.to_dict() == {"it": {"x": 1}, "x": "y"}
    same = user.from_json(value.to_json())
    assert same == value
    assert type(same.it) is cls
    assert cls.__name__ == class_name(NAMES[number])


FILES = [
    *"types enum re ruff runpy site collections index lineage schema".split(),
    *"datamodel_code_generator jinja2 black isort __pycache__ __future__ pyproject ｔｙｐｅｓ tуpes".split(),
    *"__init__ __main__ containers registry builders annotations load_export sys typing".split(),
    *"pydantic datetime json codegen openlineage_facets Facet class None self 123".split(),
    *"日本 № ünï any Any TYPE_CHECKING EXPORTS MODULES MODELS".split(),
    *("a-b c", "x" * 200),
]


@pytest.fixture(scope="module")
def file_packages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Package]]:
    """Return the package with the module of each file; names that become one module are in two packages."""
    folder = tmp_path_factory.mktemp("hostile_files")
    modules = [module_name(stem) for stem in FILES]
    places = {
        stem: f"hostile_files_{modules[:number].count(modules[number])}" for number, stem in enumerate(FILES)
    }
    nested = {"type": "object", "properties": {"deep": STRING}}
    with importable(folder):
        packages = {
            name: build(
                folder,
                name,
                {
                    f"{stem}.json": document(
                        f"My{number}",
                        {f"My{number}RunFacet": facet(properties={"x": nested})},
                        properties={f"my{number}": {"$ref": f"#/$defs/My{number}RunFacet"}},
                    )
                    for number, stem in enumerate(FILES)
                    if places[stem] == name
                },
            )
            for name in {*places.values()}
        }
        yield {stem: packages[name] for stem, name in places.items()}


@each("stem", FILES)
def test_a_file_may_have_any_name(stem: str, file_packages: dict[str, Package]) -> None:
    package, number = file_packages[stem], FILES.index(stem)
    exported = package.exported()
    cls = getattr(exported, f"My{number}RunFacet")
    assert cls(x=package.module(stem).X(deep="y")).to_dict()["x"] == {"deep": "y"}
    assert getattr(exported, module_name(stem)) is package.module(stem)
    run_class = package.definition("OpenLineage.json", "Run")
    assert getattr(run_class(facets=[cls()]).facets, f"my{number}") == cls()
    assert exported.RunFacets is type(run_class(facets=[]).facets)


def test_an_exported_facet_may_have_any_name(import_folder: Path) -> None:
    names = "EXPORTS MODULES FACETS FacetSlot FacetEntry LoadExport Any Slots RunBuilder".split()
    definitions = {name: facet(properties={"x": STRING}) for name in names}
    keys = {f"my{number}": {"$ref": f"#/$defs/{name}"} for number, name in enumerate(names)}
    package = build(
        import_folder, "hostile_facets", {"My.json": document("My", definitions, properties=keys)}
    )
    run_class = package.definition("OpenLineage.json", "Run")
    for key, name in zip(keys, names, strict=True):
        cls = package.definition("My.json", name)
        assert getattr(package.exported(), class_name(name)) is cls
        run = run_class.from_json({"runId": ID, "facets": {key: cls().to_dict()}})
        assert type(getattr(run.facets, key)) is cls
