"""Tags in both wire formats, and conversion between them."""

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
    Tag,
    TagsFacet,
    WireFormat,
    convert_tags,
    tags_facet,
    tags_of,
    unique_tags,
)
from tests.cases import each

from .tag_strategies import numbers, tags, text

ENTITIES: tuple[Entity, ...] = get_args(Entity)
WIRE_FORMATS: tuple[WireFormat, ...] = get_args(WireFormat)

entities = st.sampled_from(ENTITIES)


@st.composite
def tagged_entities(draw: st.DrawFn, values: Any = None) -> tuple[Entity, list[Tag]]:
    entity = draw(entities)
    options = {} if values is None else {"values": values}
    return entity, unique_tags(entity, draw(st.lists(tags(**options, on_dataset=entity == "dataset"))))


def wire_tags(facet: TagsFacet) -> list[dict[str, Any]]:
    written: list[dict[str, Any]] = json.loads(facet.to_json())["tags"]
    return written


@each(
    ("entity", "wire_format", "facet_class"),
    [
        ("run", "released", TagsRunFacet),
        ("job", "released", TagsJobFacet),
        ("dataset", "released", TagsDatasetFacet),
        ("run", "proposal", TagRunFacet),
        ("job", "proposal", TagJobFacet),
        ("dataset", "proposal", TagDatasetFacet),
    ],
)
def test_each_entity_has_a_class_in_each_wire_format(
    entity: Entity, wire_format: WireFormat, facet_class: type[TagsFacet]
) -> None:
    facet = tags_facet(entity, [Tag("pii")], wire_format)
    assert type(facet) is facet_class
    assert facet_class.from_json(facet.to_json()) == facet
    assert convert_tags(facet, wire_format) is facet


@each(
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
def test_released_format_writes_string_values(value: Any, written: str) -> None:
    assert wire_tags(tags_facet("run", [Tag("key", value)])) == [{"key": "key", "value": written}]
    assert tags_of(tags_facet("run", [Tag("key", value)]), typed=True)[0].value in (value, written)


def test_missing_source_and_field_are_omitted() -> None:
    assert wire_tags(tags_facet("job", [])) == []
    assert wire_tags(tags_facet("dataset", [Tag("pii"), Tag("pii", True, "DBT", "email")])) == [
        {"key": "pii", "value": "true"},
        {"key": "pii", "value": "true", "source": "DBT", "field": "email"},
    ]


def test_producer_is_argument_or_current_producer() -> None:
    own, current = "https://example.com/v1/dbt", "https://example.com/v7/etl"
    with producer(current):
        assert tags_facet("run", []).producer == current
        assert tags_facet("run", [], producer=own).producer == own


def test_unknown_wire_format_is_rejected() -> None:
    with pytest.raises(EventError, match=r"^/wire_format: expected 'released' or 'proposal'"):
        tags_facet("run", [], "draft")  # type: ignore[call-overload]


@given(tagged_entities())
def test_both_wire_formats_convert_to_each_other(tagged: tuple[Entity, list[Tag]]) -> None:
    released, proposal = (tags_facet(*tagged, wire_format) for wire_format in WIRE_FORMATS)
    assert tags_of(proposal) == tagged[1]
    assert convert_tags(proposal, "released").to_json() == released.to_json()
    for typed in (False, True):
        there = convert_tags(released, "proposal", typed=typed)
        assert convert_tags(there, "released").to_json() == released.to_json()


@given(tagged_entities(values=text))
def test_the_released_format_keeps_strings(tagged: tuple[Entity, list[Tag]]) -> None:
    released, proposal = (tags_facet(*tagged, wire_format) for wire_format in WIRE_FORMATS)
    assert tags_of(released) == tagged[1]
    assert convert_tags(convert_tags(proposal, "released"), "proposal").to_json() == proposal.to_json()


@given(tagged_entities(values=st.booleans() | numbers))
def test_typed_reading_of_the_released_format_restores_booleans_and_numbers(
    tagged: tuple[Entity, list[Tag]],
) -> None:
    read = tags_of(tags_facet(*tagged), typed=True)
    assert [(type(tag.value), tag) for tag in read] == [(type(tag.value), tag) for tag in tagged[1]]


@each("text", [*"True 1.50 -0 +1 1e5 NaN Infinity 00501 1_000 ٣ null 'a'".split(), '"a"', " 1", "9" * 5000])
def test_typed_keeps_text_that_is_not_canonical_json(text: str) -> None:
    assert tags_of(tags_facet("run", [Tag("key", text)]), typed=True) == [Tag("key", text)]


def test_types_are_restored_only_on_request() -> None:
    released = tags_facet("job", [Tag("pii"), Tag("limit", 20)])
    for facet in (released, convert_tags(released, "proposal")):
        assert tags_of(facet) == [Tag("pii", "true"), Tag("limit", "20")]
        assert tags_of(facet, typed=True) == [Tag("pii"), Tag("limit", 20)]
    assert tags_of(convert_tags(released, "proposal", typed=True)) == [Tag("pii"), Tag("limit", 20)]


def test_none_and_tombstone_have_no_tags() -> None:
    assert tags_of(None) == []
    assert tags_of(TagsJobFacet()) == []
    assert tags_of(TagJobFacet(deleted=True)) == []
    read = Job.from_json(Job(namespace="etl", name="orders", facets=[TagJobFacet(deleted=True)]).to_json())
    tombstone: Any = read.facets["tags"] if read.facets else None
    assert tags_of(tombstone) == []
    assert convert_tags(tombstone, "proposal") is tombstone
    assert tags_of(TagsJobFacet(deleted=True, tags=tags_facet("job", [Tag("pii")]).tags)) == []


def test_empty_key_is_read() -> None:
    facet = TagsRunFacet.from_json(
        b'{"_producer": "x:y", "_schemaURL": "x:y", "tags": [{"key": "", "value": "a", "field": 7}]}'
    )
    (tag,) = tags_of(facet)
    assert (tag.key, tag.value, tag.field) == ("", "a", None)


@each("of", [tags_of, lambda facet: convert_tags(facet, "released")])
def test_other_facets_are_rejected(of: Any) -> None:
    with pytest.raises(EventError, match=r"^/facet: expected a tags facet, found a SQLJobFacet"):
        of(SQLJobFacet(query="select 1"))


def test_convert_keeps_producer_unknown_fields_and_deletion() -> None:
    read = TagsJobFacet.from_json(
        b'{"_producer": "x:y", "_schemaURL": "x:y", "_deleted": false, "who": [1],'
        b' "tags": [{"key": "a", "value": "b", "rank": null}]}'
    )
    converted = convert_tags(read, "proposal")
    assert converted.to_dict() == {**read.to_dict(), "_schemaURL": TagJobFacet.__schema_url__}
    assert convert_tags(TagJobFacet(deleted=True), "released").deleted is True


@each("entity_class", [TagRunFacet, TagJobFacet])
def test_convert_removes_field_of_run_and_job_tags_and_logs_it(
    entity_class: Any, caplog: pytest.LogCaptureFixture
) -> None:
    facet = entity_class(tags=[{"key": "pii", "value": True, "field": "email"}])
    assert tags_of(facet) == [Tag("pii", field="email")]
    with caplog.at_level(logging.WARNING, "openlineage_facets.tags"):
        assert wire_tags(convert_tags(facet, "released")) == [{"key": "pii", "value": "true"}]
    (record,) = caplog.records
    assert "'email'" in record.getMessage()


def test_published_tags_facets_convert_losslessly(shared: Path) -> None:
    count = 0
    for entity_class in (TagsRunFacet, TagsJobFacet, TagsDatasetFacet):
        for path in sorted((shared / "current" / "tests" / entity_class.__name__).glob("*.json")):
            facet: Any = entity_class.from_json(json.loads(path.read_text("utf-8"))["tags"])
            assert len(tags_of(facet)) == len(facet.tags)
            back = convert_tags(convert_tags(facet, "proposal"), "released")
            assert back.to_dict() == {**facet.to_dict(), "_schemaURL": entity_class.__schema_url__}
            count += 1
    assert count >= 3
