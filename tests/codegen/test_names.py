"""Python names for wire names: valid, readable, free of collisions, never hiding anything."""

from __future__ import annotations

import builtins
import keyword
import string
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codegen.identifiers import (
    attribute_names,
    class_name,
    member_names,
    method_names,
    module_name,
    pascal_case,
    singular,
    slot_names,
    snake_case,
)
from openlineage_facets.base.containers.facet_map import FacetMap
from openlineage_facets.base.model.model import Model
from openlineage_facets.builders.entity_builders import EntityBuilder
from tests.cases import each

TEXT = st.text(st.characters(exclude_categories=("Cs",)), max_size=30)
"""Any JSON string that UTF-8 can carry."""

TRICKY = st.sampled_from(
    [
        *("", "a b", "\N{FULLWIDTH LATIN SMALL LETTER M}ro", "\N{MATHEMATICAL BOLD CAPITAL N}one"),
        "\N{MATHEMATICAL BOLD SMALL M}\N{MATHEMATICAL BOLD SMALL R}\N{MATHEMATICAL BOLD SMALL O}",
        *"_ __class__ self None class schema model_config fields mro № ™ ª ŉ İ ß".split(),
        *"1a a-b a_b aB 日本 中国".split(),
    ]
)
NAMES = st.lists(TEXT | TRICKY | st.text(string.ascii_letters + "_-", max_size=6), unique=True, max_size=8)


def assert_name(name: str) -> None:
    """Assert that `name` is a public identifier as Python reads it."""
    assert name.isidentifier()
    assert name == unicodedata.normalize("NFKC", name)
    assert not name.startswith("_")


def assert_attribute(name: str) -> None:
    """Assert that `name` can be an attribute."""
    assert_name(name)
    assert name == name.lower()
    assert not keyword.iskeyword(name)


@each(
    ("wire", "python"),
    [
        ("name", "name"),
        ("runId", "run_id"),
        ("nominalStartTime", "nominal_start_time"),
        ("_producer", "producer"),
        ("_schemaURL", "schema_url"),
        ("processing_engine", "processing_engine"),
        ("addedDVs", "added_dvs"),
        ("HTTPServer", "http_server"),
        ("sqlQuery2", "sql_query2"),
        ("kebab-case", "kebab_case"),
        ("with.dot", "with_dot"),
        ("größe", "größe"),
        ("maxGröße", "max_größe"),
        ("ÄÖÜTest", "äöü_test"),
        ("café", "café"),
        ("cafe\N{COMBINING ACUTE ACCENT}", "café"),
        ("№", "no"),
        ("1a", "field_1a"),
        ("", "field_"),
        ("日本", "日本"),
        ("日本Id", "日本_id"),
        ("\N{ARABIC-INDIC DIGIT THREE}x", "field_\N{ARABIC-INDIC DIGIT THREE}x"),
        ("größe in €", "größe_in"),
    ],
)
def test_a_wire_name_becomes_snake_case(wire: str, python: str) -> None:
    assert snake_case(wire) == python


@pytest.mark.parametrize(
    ("wire", "python"),
    [
        ("inputFields", "InputFields"),
        ("gcp_composer_run", "GcpComposerRun"),
        ("kebab-case", "KebabCase"),
        ("URL", "URL"),
        ("größe", "Größe"),
        ("日本", "日本"),
        ("2fast", "Model_2fast"),
        ("", "Model"),
    ],
)
def test_a_property_name_becomes_a_class_name(wire: str, python: str) -> None:
    assert pascal_case(wire) == python


@each(
    ("many", "one"),
    [
        ("fields", "field"),
        ("owners", "owner"),
        ("entries", "entry"),
        ("matches", "match"),
        ("classes", "class"),
        ("boxes", "box"),
        ("data", "dataItem"),
        ("address", "addressItem"),
    ],
)
def test_an_entry_is_named_by_the_singular(many: str, one: str) -> None:
    assert singular(many) == one


@each(
    ("stem", "module"),
    [
        ("ParentRunFacet", "parent_run"),
        ("GrößeRunFacet", "größe_run"),
        ("SQLJobFacet", "sql_job"),
        ("OpenLineage", "open_lineage"),
        ("Facet", "facet"),
        ("containers", "containers_"),
        ("registry", "registry_"),
        ("index", "index_"),
        ("RegistryFacet", "registry_facet"),
        ("BuildersFacet", "builders_facet"),
        ("class", "class_"),
        ("1", "field_1"),
    ],
)
def test_a_schema_file_names_its_module(stem: str, module: str) -> None:
    assert module_name(stem) == module


@pytest.mark.parametrize(
    "definition", ["GrößeRunFacet", "SQLJobFacet", "Run", "Job", "LineageInput", "Thing2"]
)
def test_a_definition_keeps_its_name(definition: str) -> None:
    assert class_name(definition) == definition


@each("name", ["名", "日本1", "ア"])
def test_a_class_differs_from_the_field_of_that_name(name: str) -> None:
    assert class_name(name) == f"{name}Model"


@each("definition", "Model Any None True int Exception Field TypeAlias Union BaseModel StrEnum".split())
def test_a_definition_makes_way_for_what_the_name_means_elsewhere(definition: str) -> None:
    name = class_name(definition)
    assert name != definition
    assert name.isidentifier()
    assert not keyword.iskeyword(name)


@each("name", sorted({name for name in [*dir(Model), *dir(type(Model))] if not name.startswith("_")}))
def test_no_attribute_hides_one_of_the_model(name: str) -> None:
    assert attribute_names([name])[name] != name


@pytest.mark.parametrize("name", sorted({name for name in dir(FacetMap) if not name.startswith("_")}))
def test_no_slot_hides_an_attribute_of_the_container(name: str) -> None:
    assert slot_names([name])[name] != name


_OF_BUILDERS = {name for name in dir(EntityBuilder) if not name.startswith("_")} - {"tags"}


@pytest.mark.parametrize("name", sorted(_OF_BUILDERS))
def test_no_method_of_a_facet_hides_one_of_every_builder(name: str) -> None:
    assert method_names([("run_facets", name)]) != {("run_facets", name): name}


@pytest.mark.parametrize("name", ["self", "model_validator", "require_with", "forbid_together", "mro"])
def test_no_attribute_hides_what_the_class_body_uses(name: str) -> None:
    assert attribute_names([name])[name] != name


def test_a_name_spelled_as_python_spells_it_is_kept_and_the_others_make_way() -> None:
    assert attribute_names(["runId", "run_id", "RunId"]) == {
        "run_id": "run_id",
        "RunId": "run_id_",
        "runId": "run_id__",
    }


def test_the_fourth_of_equal_names_is_numbered() -> None:
    assert member_names(["a", "A", "a ", "a-", "a_"]) == ("A", "A_", "A__", "A_3", "A_4")


def test_an_own_attribute_makes_way_for_an_inherited_one() -> None:
    assert attribute_names(["producer", "other"], {"producer"}) == {"producer": "producer_", "other": "other"}


NAMES_OF = {
    "attributes": attribute_names,
    "slots": slot_names,
    "members": lambda names: dict(zip(names, member_names(names), strict=True)),
}


@given(NAMES, st.sampled_from(sorted(NAMES_OF)))
def test_names_of_one_class_are_unique_and_valid(wires: list[str], kind: str) -> None:
    names = NAMES_OF[kind](wires)
    assert names.keys() == set(wires)
    assert len(set(names.values())) == len(wires)
    for name in names.values():
        if kind == "members":
            assert_name(name)
            assert not any(char.isascii() and char.islower() for char in name)
            assert not hasattr(str, name), "a member must not hide a method of its values"
        else:
            assert_attribute(name)


@given(NAMES, st.sets(st.sampled_from(["name", "a_b", "self_", "field_"])))
def test_attributes_differ_from_inherited_ones(wires: list[str], inherited: set[str]) -> None:
    names = attribute_names(wires, inherited)
    assert len({*names.values()} | inherited) == len(wires) + len(inherited)
    for name in names.values():
        assert_attribute(name)


@given(NAMES, st.randoms())
def test_names_do_not_depend_on_the_order_of_properties(wires: list[str], random: object) -> None:
    shuffled = sorted(wires, key=lambda wire: random.random())  # type: ignore[attr-defined]
    assert attribute_names(shuffled) == attribute_names(wires)
    assert slot_names(shuffled) == slot_names(wires)


@given(TEXT | TRICKY)
def test_any_text_becomes_a_name_of_each_kind(text: str) -> None:
    assert_attribute(module_name(text))
    for name in (class_name(text), pascal_case(text)):
        assert_name(name)
        assert not (name[0].isascii() and name[0].islower())
    assert class_name(text) not in attribute_names([text]).values()
    assert not keyword.iskeyword(class_name(text))
    assert not hasattr(builtins, class_name(text))
