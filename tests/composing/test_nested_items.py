"""Nested items of a facet are validated immediately, and become objects when they are accessed."""

from __future__ import annotations

import copy
import gc
import pickle
from typing import Any, ClassVar

import pytest

from openlineage_facets import EventError, parse_event
from openlineage_facets.base.model.model import Model
from openlineage_facets.facets import (
    ColumnLineageDatasetFacet,
    DatasetFacet,
    JobFacet,
    LineageDatasetFacet,
    SchemaDatasetFacet,
    column_lineage_dataset,
    schema_dataset,
)
from tests.cases import each
from tests.events import DATASET, dataset_event

Column = schema_dataset.SchemaDatasetFacetFields


def columns(count: int) -> list[dict[str, Any]]:
    return [{"name": f"column_{number}", "type": "int"} for number in range(count)]


def sources(count: int) -> dict[str, Any]:
    source = {"namespace": "s3://lake", "name": "raw", "transformations": [{"type": "DIRECT"}]}
    return {
        row["name"]: {"inputFields": [{**source, "field": row["name"]}], "transformationType": "IDENTITY"}
        for row in columns(count)
    }


def values_alive(*classes: type[Model]) -> int:
    gc.collect()
    return sum(type(one) in classes for one in gc.get_objects())


ROWS = (Column, column_lineage_dataset.Fields, column_lineage_dataset.InputField)


def test_a_wide_dataset_is_composed_serialized_and_parsed_without_an_object_for_each_item() -> None:
    before = values_alive(*ROWS)
    schema = SchemaDatasetFacet(fields=columns(2000))
    lineage = ColumnLineageDatasetFacet(fields=sources(2000))
    facets = {"schema": schema.to_dict(), "columnLineage": lineage.to_dict()}
    event = parse_event(dataset_event(dataset={**DATASET, "facets": facets}))
    assert event.to_json().count(b'"inputFields"') == 2000
    assert values_alive(*ROWS) <= before


def test_items_are_accessed_as_objects() -> None:
    facet = SchemaDatasetFacet(fields=[{"name": "address", "fields": [{"name": "city", "type": "text"}]}])
    assert facet.fields == (Column(name="address", fields=[Column(name="city", type="text")]),)
    assert facet.fields is facet.fields
    mixed = SchemaDatasetFacet(fields=[{"name": "a"}, Column(name="b")])
    assert mixed.fields == (Column(name="a"), Column(name="b"))


@each("rows", [columns(3), tuple(columns(3)), (row for row in columns(3)), []])
def test_items_as_dicts_and_as_objects_are_equal(rows: Any) -> None:
    count = 0 if rows == [] else 3
    of_rows = SchemaDatasetFacet(fields=rows)
    of_values = SchemaDatasetFacet(fields=[Column(**row) for row in columns(count)])
    assert of_rows == of_values
    assert of_rows.to_json() == of_values.to_json()
    assert hash(of_rows) == hash(of_values)
    assert repr(of_rows) == repr(of_values)


def test_later_changes_of_a_dict_do_not_change_the_facet() -> None:
    rows = [{"name": "a", "fields": [{"name": "b"}]}]
    facet = SchemaDatasetFacet(fields=rows)
    rows[0]["fields"][0]["name"] = 7
    facet.to_dict()["fields"][0]["name"] = "changed"
    assert facet.to_dict()["fields"] == [{"name": "a", "fields": [{"name": "b"}]}]


@each(
    ("row", "expected"),
    [
        ({"name": 7}, "/fields/1/name: expected a string, found 7"),
        ({"type": "int"}, "/fields/1/name: missing required field 'name'"),
        ({"name": "a", "fields": [{"nam": "b"}]}, "/fields/1/fields/0/name: missing required field 'name'"),
        (
            {"name": "a", "typ": "b"},
            "/fields/1/typ: SchemaDatasetFacetFields has no field 'typ'; did you mean 'type'?",
        ),
        ("a", '/fields/1: expected an object, found "a"'),
    ],
)
def test_an_invalid_item_is_rejected_when_composing(row: Any, expected: str) -> None:
    with pytest.raises(EventError) as rejected:
        SchemaDatasetFacet(fields=[{"name": "first"}, row])
    assert str(rejected.value) == expected


def test_items_are_kept_by_copying_pickling_and_replacing() -> None:
    facet = SchemaDatasetFacet(fields=columns(2))
    for same in (copy.copy(facet), copy.deepcopy(facet), pickle.loads(pickle.dumps(facet)), facet.replace()):
        assert same == facet
        assert same.fields == facet.fields
    assert facet.replace(fields=columns(3)).fields != facet.fields


def test_pydantics_dump_has_python_names_on_request() -> None:
    dumped = ColumnLineageDatasetFacet(fields=sources(1)).model_dump(by_alias=False, exclude_none=True)
    assert dumped["fields"]["column_0"]["input_fields"][0]["transformations"] == ({"type": "DIRECT"},)


def test_unknown_fields_of_a_parsed_item_are_kept() -> None:
    wire = SchemaDatasetFacet(fields=columns(1)).to_dict()
    wire["fields"][0]["acmeComment"] = {"deep": [1, None]}
    facet = SchemaDatasetFacet.from_json(wire)
    assert facet.to_dict() == wire
    assert facet.fields is not None
    assert facet.fields[0].model_extra == {"acmeComment": {"deep": [1, None]}}


def test_items_with_custom_validators_are_objects_immediately() -> None:
    entry = {"inputs": [{"type": "DATASET", "namespace": "s3://lake", "name": "raw"}]}
    facet = LineageDatasetFacet(fields={"a": entry})
    assert facet.to_dict()["fields"] == {"a": entry}


class Price(Model):
    currency: str
    amount: float


class PricesDatasetFacet(DatasetFacet):
    __facet_key__: ClassVar[str | None] = "acme_prices"
    __schema_url__: ClassVar[str] = "https://acme.example.com/schemas/1-0-0/PricesDatasetFacet.json"
    prices: tuple[Price, ...]


class ReviewJobFacet(JobFacet):
    __facet_key__: ClassVar[str | None] = "acme_review"
    __schema_url__: ClassVar[str] = "https://acme.example.com/schemas/1-0-0/ReviewJobFacet.json"
    text: str
    previous: list[ReviewJobFacet] | None = None


class ReviewsJobFacet(JobFacet):
    __facet_key__: ClassVar[str | None] = "acme_reviews"
    __schema_url__: ClassVar[str] = "https://acme.example.com/schemas/1-0-0/ReviewsJobFacet.json"
    reviews: dict[str, ReviewJobFacet]


def test_items_may_be_facets_that_contain_facets_of_their_class() -> None:
    review = ReviewJobFacet(text="b", previous=[ReviewJobFacet(text="a")])
    facet = ReviewsJobFacet(reviews={"first": review})
    assert ReviewsJobFacet.from_json(facet.to_json()) == facet
    wrong = facet.to_dict()
    wrong["reviews"]["first"]["previous"][0]["text"] = 1
    with pytest.raises(EventError, match="^/reviews/first/previous/0/text: expected a string"):
        ReviewsJobFacet.from_json(wrong)


def test_custom_facets_have_nested_items() -> None:
    before = values_alive(Price)
    facet = PricesDatasetFacet(prices=[{"currency": "EUR", "amount": 1.5}])
    assert values_alive(Price) <= before
    assert facet.prices == (Price(currency="EUR", amount=1.5),)
