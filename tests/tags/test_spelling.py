"""Tags on the wire and back, in both spellings."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openlineage_facets import EventError, Job, producer
from openlineage_facets.facets import (
    SQLJobFacet,
    TagDatasetFacet,
    TagJobFacet,
    TagRunFacet,
    TagsDatasetFacet,
    TagsJobFacet,
    TagsRunFacet,
)
from openlineage_facets.tags import (
    Entity,
    Spelling,
    Tag,
    TagsFacet,
    convert_tags,
    tags_facet,
    tags_of,
    unique_tags,
)

from .strategies import tags, text

ENTITIES: tuple[Entity, ...] = get_args(Entity)
SPELLINGS: tuple[Spelling, ...] = get_args(Spelling)

entities = st.sampled_from(ENTITIES)


@st.composite
def tagged_entities(draw: st.DrawFn, values: Any = None) -> tuple[Entity, list[Tag]]:
    entity = draw(entities)
    options = {} if values is None else {"values": values}
    return entity, unique_tags(entity, draw(st.lists(tags(**options, on_dataset=entity == "dataset"))))


def rows(facet: TagsFacet) -> list[dict[str, Any]]:
    written: list[dict[str, Any]] = json.loads(facet.to_json())["tags"]
    return written


@pytest.mark.parametrize(
    ("entity", "spelling", "facet_class"),
    [
        ("run", "released", TagsRunFacet),
        ("job", "released", TagsJobFacet),
        ("dataset", "released", TagsDatasetFacet),
        ("run", "proposal", TagRunFacet),
        ("job", "proposal", TagJobFacet),
        ("dataset", "proposal", TagDatasetFacet),
    ],
)
def test_each_entity_has_a_facet_in_each_spelling(
    entity: Entity, spelling: Spelling, facet_class: type[TagsFacet]
) -> None:
    facet = tags_facet(entity, [Tag("pii")], spelling)
    assert type(facet) is facet_class
    assert facet_class.from_json(facet.to_json()) == facet


def test_the_released_spelling_is_the_default() -> None:
    assert isinstance(tags_facet("run", []), TagsRunFacet)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("prod", "prod"),
        ("", ""),
        (True, "true"),
        (False, "false"),
        (20, "20"),
        (-1, "-1"),
        (0.5, "0.5"),
        (20.0, "20.0"),
        (12345678901234567890, "12345678901234567890"),
    ],
)
def test_the_released_spelling_writes_every_value_as_text(value: Any, written: str) -> None:
    assert rows(tags_facet("run", [Tag("key", value)])) == [{"key": "key", "value": written}]
    assert tags_of(tags_facet("run", [Tag("key", value)]), typed=True)[0].value in (value, written)


@pytest.mark.parametrize("value", ["prod", "true", True, 20, 0.5])
def test_the_proposal_keeps_the_type(value: Any) -> None:
    ((written,),) = [[row["value"] for row in rows(tags_facet("run", [Tag("key", value)], "proposal"))]]
    assert (type(written), written) == (type(value), value)


def test_absent_source_and_field_are_not_written() -> None:
    assert rows(tags_facet("dataset", [Tag("pii"), Tag("pii", True, "DBT", "email")])) == [
        {"key": "pii", "value": "true"},
        {"key": "pii", "value": "true", "source": "DBT", "field": "email"},
    ]


def test_no_tags_are_written_as_an_empty_list_which_deletes_earlier_ones() -> None:
    assert rows(tags_facet("job", [])) == []


def test_the_producer_is_the_argument_or_the_one_in_force() -> None:
    with producer("https://example.com/etl/v7"):
        assert tags_facet("run", []).producer == "https://example.com/etl/v7"
        assert (
            tags_facet("run", [], producer="https://example.com/dbt/v1").producer
            == "https://example.com/dbt/v1"
        )


def test_an_unknown_spelling_is_refused() -> None:
    with pytest.raises(EventError, match=r"^/spelling: expected 'released' or 'proposal'"):
        tags_facet("run", [], "draft")  # type: ignore[call-overload]


def test_a_field_on_a_run_is_refused_in_the_proposal_too() -> None:
    with pytest.raises(EventError, match=r"^/tags/0/field"):
        tags_facet("run", [Tag("pii", field="email")], "proposal")


@given(tagged_entities())
def test_the_proposal_gives_back_what_was_written(tagged: tuple[Entity, list[Tag]]) -> None:
    entity, written = tagged
    assert tags_of(tags_facet(entity, written, "proposal")) == written


@given(tagged_entities(values=text))
def test_the_released_spelling_gives_text_back(tagged: tuple[Entity, list[Tag]]) -> None:
    entity, written = tagged
    assert tags_of(tags_facet(entity, written)) == written


@given(
    tagged_entities(values=st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False))
)
def test_asked_for_types_the_released_spelling_gives_booleans_and_numbers_back(
    tagged: tuple[Entity, list[Tag]],
) -> None:
    entity, written = tagged
    read = tags_of(tags_facet(entity, written), typed=True)
    assert [(type(tag.value), tag) for tag in read] == [(type(tag.value), tag) for tag in written]


@pytest.mark.parametrize(
    "text",
    [
        "True",
        "1.50",
        "-0",
        "+1",
        "1e5",
        "NaN",
        "Infinity",
        " 1",
        "00501",
        "1_000",
        "٣",
        "null",
        '"a"',
        "9" * 5000,
    ],
)
def test_asked_for_types_text_that_json_would_spell_otherwise_stays_text(text: str) -> None:
    assert tags_of(tags_facet("run", [Tag("key", text)]), typed=True) == [Tag("key", text)]


def test_a_released_true_is_text_unless_asked_otherwise() -> None:
    facet = tags_facet("run", [Tag("pii")])
    assert tags_of(facet) == [Tag("pii", "true")]
    assert tags_of(facet, typed=True) == [Tag("pii", True)]


def test_no_facet_and_a_deleted_one_hold_no_tags() -> None:
    assert tags_of(None) == []
    assert tags_of(TagsJobFacet()) == []
    assert tags_of(TagJobFacet(deleted=True)) == []
    read = Job.from_json(Job(namespace="etl", name="orders", facets=[TagJobFacet(deleted=True)]).to_json())
    tombstone: Any = read.facets["tags"] if read.facets else None
    assert tags_of(tombstone) == []
    assert convert_tags(tombstone, "proposal") is tombstone
    assert tags_of(TagsJobFacet(deleted=True, tags=tags_facet("job", [Tag("pii")]).tags)) == []


def test_reading_takes_what_the_schema_allows() -> None:
    facet = TagsRunFacet.from_json(
        b'{"_producer": "x:y", "_schemaURL": "x:y", "tags": [{"key": "", "value": "a", "field": 7}]}'
    )
    (tag,) = tags_of(facet)
    assert (tag.key, tag.value, tag.field) == ("", "a", None)


@pytest.mark.parametrize("of", [tags_of, lambda facet: convert_tags(facet, "released")])
def test_another_facet_is_refused(of: Any) -> None:
    with pytest.raises(EventError, match=r"^/facet: expected a tags facet, found a SQLJobFacet"):
        of(SQLJobFacet(query="select 1"))


@given(tagged_entities(values=text))
def test_proposal_to_released_and_back_loses_nothing_of_text(tagged: tuple[Entity, list[Tag]]) -> None:
    facet = tags_facet(tagged[0], tagged[1], "proposal")
    assert convert_tags(convert_tags(facet, "released"), "proposal").to_json() == facet.to_json()


@given(tagged_entities())
def test_converting_gives_what_composing_in_that_spelling_gives(tagged: tuple[Entity, list[Tag]]) -> None:
    entity, written = tagged
    proposal = tags_facet(entity, written, "proposal")
    assert convert_tags(proposal, "released").to_json() == tags_facet(entity, written).to_json()


@given(tagged_entities())
def test_released_to_proposal_and_back_loses_nothing(tagged: tuple[Entity, list[Tag]]) -> None:
    facet = tags_facet(tagged[0], tagged[1])
    for typed in (False, True):
        assert (
            convert_tags(convert_tags(facet, "proposal", typed=typed), "released").to_json()
            == facet.to_json()
        )


def test_types_come_back_where_they_are_asked_for() -> None:
    released = tags_facet("job", [Tag("pii"), Tag("limit", 20)])
    assert tags_of(convert_tags(released, "proposal")) == [Tag("pii", "true"), Tag("limit", "20")]
    assert tags_of(convert_tags(released, "proposal", typed=True)) == [Tag("pii"), Tag("limit", 20)]


def test_converting_to_its_own_spelling_gives_the_facet_itself() -> None:
    for entity in ENTITIES:
        for spelling in SPELLINGS:
            facet = tags_facet(entity, [Tag("pii")], spelling)
            assert convert_tags(facet, spelling) is facet


def test_converting_keeps_producer_unknown_fields_and_deletion() -> None:
    read = TagsJobFacet.from_json(
        b'{"_producer": "x:y", "_schemaURL": "x:y", "_deleted": false, "who": [1],'
        b' "tags": [{"key": "a", "value": "b", "rank": null}]}'
    )
    converted = convert_tags(read, "proposal")
    assert converted.to_dict() == {**read.to_dict(), "_schemaURL": TagJobFacet.__schema_url__}
    assert convert_tags(TagJobFacet(deleted=True), "released").deleted is True


@pytest.mark.parametrize("entity_class", [TagRunFacet, TagJobFacet])
def test_a_field_on_a_run_or_a_job_is_dropped_in_converting_and_logged(
    entity_class: Any, caplog: pytest.LogCaptureFixture
) -> None:
    facet = entity_class(tags=[{"key": "pii", "value": True, "field": "email"}])
    assert tags_of(facet) == [Tag("pii", field="email")]
    with caplog.at_level(logging.WARNING, "openlineage_facets.tags"):
        assert rows(convert_tags(facet, "released")) == [{"key": "pii", "value": "true"}]
    (record,) = caplog.records
    assert "'email'" in record.getMessage()


def test_a_field_of_a_dataset_is_kept_both_ways() -> None:
    facet = tags_facet("dataset", [Tag("pii", field="email")], "proposal")
    assert tags_of(convert_tags(facet, "released")) == [Tag("pii", "true", field="email")]


def test_every_published_tags_facet_is_read_and_converted_without_loss(shared: Path) -> None:
    count = 0
    for entity_class in (TagsRunFacet, TagsJobFacet, TagsDatasetFacet):
        for path in sorted((shared / "current" / "tests" / entity_class.__name__).glob("*.json")):
            facet: Any = entity_class.from_json(json.loads(path.read_text("utf-8"))["tags"])
            assert len(tags_of(facet)) == len(facet.tags)
            back = convert_tags(convert_tags(facet, "proposal"), "released")
            assert back.to_dict() == {**facet.to_dict(), "_schemaURL": entity_class.__schema_url__}
            count += 1
    assert count >= 3
