"""Python names for wire names: valid, readable, free of collisions, never hiding anything."""

from __future__ import annotations

import builtins
import keyword
import string
import unicodedata
from collections.abc import Callable

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


_TAKEN = "Model Any None True Exception Field TypeAlias Union BaseModel StrEnum 名 日本1 ア"
"""Names of classes that mean something else, or are those of the field with the class."""

NAMED: dict[Callable[[str], str], dict[str, str]] = {
    snake_case: {
        "name": "name",
        "runId": "run_id",
        "nominalStartTime": "nominal_start_time",
        "_producer": "producer",
        "_schemaURL": "schema_url",
        "processing_engine": "processing_engine",
        "addedDVs": "added_dvs",
        "HTTPServer": "http_server",
        "sqlQuery2": "sql_query2",
        "kebab-case": "kebab_case",
        "with.dot": "with_dot",
        "größe": "größe",
        "maxGröße": "max_größe",
        "ÄÖÜTest": "äöü_test",
        "cafe\N{COMBINING ACUTE ACCENT}": "café",
        "№": "no",
        "1a": "field_1a",
        "": "field_",
        "日本Id": "日本_id",
        "\N{ARABIC-INDIC DIGIT THREE}x": "field_\N{ARABIC-INDIC DIGIT THREE}x",
        "größe in €": "größe_in",
    },
    pascal_case: {
        "inputFields": "InputFields",
        "gcp_composer_run": "GcpComposerRun",
        "kebab-case": "KebabCase",
        "URL": "URL",
        "größe": "Größe",
        "日本": "日本",
        "2fast": "Model_2fast",
        "": "Model",
    },
    singular: {
        "fields": "field",
        "owners": "owner",
        "entries": "entry",
        "matches": "match",
        "classes": "class",
        "boxes": "box",
        "data": "dataItem",
        "address": "addressItem",
    },
    module_name: {
        "ParentRunFacet": "parent_run",
        "GrößeRunFacet": "größe_run",
        "SQLJobFacet": "sql_job",
        "OpenLineage": "open_lineage",
        "Facet": "facet",
        "containers": "containers_",
        "registry": "registry_",
        "index": "index_",
        "RegistryFacet": "registry_facet",
        "BuildersFacet": "builders_facet",
        "class": "class_",
        "1": "field_1",
    },
    class_name: {
        **{name: name for name in ("GrößeRunFacet", "SQLJobFacet", "Run", "LineageInput", "Thing2")},
        **{name: f"{name}Model" for name in _TAKEN.split()},
    },
}
"""Names by what makes them."""


@each(
    ("function", "name", "expected"),
    [(function, *pair) for function, names in NAMED.items() for pair in names.items()],
)
def test_a_name_becomes_a_python_name(function: Callable[[str], str], name: str, expected: str) -> None:
    assert function(name) == expected


def public_names(*owners: object) -> set[str]:
    return {name for owner in owners for name in dir(owner) if not name.startswith("_")}


IN_BODIES = {"self", "model_validator", "require_with", "forbid_together", "mro"}

HIDDEN: dict[str, tuple[set[str], Callable[[str], str]]] = {
    "attributes": (public_names(Model, type(Model)) | IN_BODIES, lambda name: attribute_names([name])[name]),
    "slots": (public_names(FacetMap), lambda name: slot_names([name])[name]),
    "methods": (
        public_names(EntityBuilder) - {"tags"},
        lambda name: method_names([("f", name)])["f", name],
    ),
}
"""Names that have a meaning, and the name of what would hide each."""


@each("kind", HIDDEN)
def test_no_name_hides_one_with_a_meaning(kind: str) -> None:
    names, named = HIDDEN[kind]
    assert names
    assert [name for name in names if named(name) == name] == []


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
