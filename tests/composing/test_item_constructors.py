"""Generated constructors of items compose the same values as the general one, and raise the same errors."""

from __future__ import annotations

import copy
import inspect
import pickle
from collections.abc import Callable
from datetime import datetime, timezone
from decimal import Decimal
from enum import Enum
from typing import Any

import pytest
from hypothesis import given, settings

from openlineage_facets import EventError
from openlineage_facets.base.model.field_names import field_names
from openlineage_facets.base.model.model import Model
from openlineage_facets.base.wire.pydantic_internals import unknown_fields
from openlineage_facets.facets import column_lineage_dataset, schema_dataset
from openlineage_facets.generated.constructors import CONSTRUCTORS
from openlineage_facets.generated.data_quality_metrics_dataset import ColumnMetrics
from tests.cases import each
from tests.composing.field_values import arguments
from tests.composing.generated_classes import CLASSES, qualified
from tests.hypothesis_profiles import share

Column = schema_dataset.SchemaDatasetFacetFields
Sources, Source = column_lineage_dataset.Fields, column_lineage_dataset.InputField
ITEMS = [cls for cls in CLASSES if qualified(cls).replace(".", ":") in CONSTRUCTORS]
WIDEST = [Column, Sources, Source, column_lineage_dataset.Transformation, ColumnMetrics]
"""Their fields have all types of generated constructors: text, booleans, integers, numbers, items."""


class Text(str):
    """Text of a class of its own."""


class Whole(int):
    """A number of a class of its own."""


class Kind(str, Enum):
    DIRECT = "DIRECT"


class LongColumn(Column):
    length: int | None = None


ODD: list[Callable[[], Any]] = [
    lambda: None,
    lambda: "",
    lambda: "Größe",
    lambda: "\ud800",
    lambda: b"text",
    lambda: Text("text"),
    lambda: Kind.DIRECT,
    lambda: True,
    lambda: 0,
    lambda: -1,
    lambda: 2**63,
    lambda: -(2**63) - 1,
    lambda: 10**5000,
    lambda: Whole(3),
    lambda: 2.0,
    lambda: 2.5,
    lambda: float("nan"),
    lambda: float("inf"),
    lambda: Decimal(2),
    lambda: datetime(2026, 3, 29, tzinfo=timezone.utc),
    list,
    tuple,
    dict,
    set,
    lambda: iter(()),
    lambda: [None],
    lambda: ["text"],
    lambda: [{}],
    lambda: {"key": "value"},
    lambda: Column(name="amount"),
    lambda: [Column(name="amount")],
    lambda: (Column(name="amount"), LongColumn(name="amount", length=3)),
    lambda: (Column(name=name) for name in ("amount", "day")),
    lambda: [Column(name="amount"), {"name": "day"}],
]
"""Values that are invalid for most types, or are converted. Some can be passed only once."""


def by(constructor: Callable[..., None], cls: type[Model], fields: dict[str, Any]) -> Any:
    """Return the value, or the message of the error, of calling a constructor."""
    value = cls.__new__(cls)
    try:
        constructor(value, **fields)
    except (EventError, TypeError) as error:
        return type(error), str(error)
    return value


def assert_same(generated: Any, general: Any) -> None:
    assert type(generated) is type(general)
    assert generated == general
    if not isinstance(general, Model):
        return
    assert repr(generated) == repr(general)
    assert [(name, type(one)) for name, one in generated.__dict__.items()] == [
        (name, type(one)) for name, one in general.__dict__.items()
    ]
    assert generated.model_fields_set == general.model_fields_set
    assert unknown_fields(generated) == unknown_fields(general)
    assert generated.__pydantic_private__ == general.__pydantic_private__
    assert generated.to_json() == general.to_json()
    assert generated.model_dump(exclude_unset=False) == general.model_dump(exclude_unset=False)


def test_items_of_the_widest_facets_have_generated_constructors() -> None:
    transformation = column_lineage_dataset.Transformation(type="DIRECT")
    source = Source(namespace="s3://lake", name="raw", field="day", transformations=[transformation])
    values = [transformation, source, Sources(input_fields=[source]), Column(name="day")]
    assert all("__init__" in vars(type(value)) for value in values)


@pytest.mark.check
@each("cls", ITEMS, ids=qualified)
def test_each_class_composes_the_same_as_with_the_general_constructor(cls: type[Model]) -> None:
    @settings(max_examples=share(0.1))
    @given(arguments(cls))
    def check(fields: dict[str, Any]) -> None:
        generated = cls(**fields)
        assert_same(generated, by(Model.__init__, cls, fields))
        for duplicate in (
            pickle.loads(pickle.dumps(generated)),
            copy.copy(generated),
            copy.deepcopy(generated),
        ):
            assert_same(duplicate, generated)
        assert cls.from_json(generated.to_json()) == generated

    check()


@pytest.mark.parametrize(
    "classes",
    [pytest.param(WIDEST, marks=pytest.mark.check), pytest.param(ITEMS, marks=pytest.mark.thorough)],
    ids=["widest", "all"],
)
def test_each_class_rejects_the_same_as_the_general_constructor(classes: list[type[Model]]) -> None:
    for cls in classes:
        assert_rejects_the_same(cls)


def assert_rejects_the_same(cls: type[Model]) -> None:
    names = field_names(cls)
    known = [*names.by_python_name, *names.by_wire_name, "unknown"]

    @settings(max_examples=share(0.04))
    @given(arguments(cls))
    def check(fields: dict[str, Any]) -> None:
        for name in known:
            left = {other: value for other, value in fields.items() if other != name}
            assert_same(by(cls.__init__, cls, left), by(Model.__init__, cls, left))
            for make in ODD:
                generated = by(cls.__init__, cls, {**fields, name: make()})
                assert_same(generated, by(Model.__init__, cls, {**fields, name: make()}))

    check()


def test_a_subclass_may_have_a_constructor() -> None:
    class Day(Column):
        def __init__(self, name: str) -> None:
            super().__init__(name=name, type="date")

    Column(name="day")
    assert Day("day").to_dict() == {"name": "day", "type": "date"}


def test_private_attributes_of_a_subclass_are_initialized() -> None:
    class Marked(Column):
        _mark: str = "new"

    Column(name="day")
    assert Marked(name="day")._mark == "new"


def test_a_value_shares_nothing_with_its_arguments_or_with_other_values() -> None:
    sources = [Source(namespace="s3://lake", name="raw", field="day")]
    first, second = Sources(input_fields=sources), Sources(input_fields=sources)
    sources.clear()
    assert first == second
    assert len(first.input_fields) == 1
    first.model_fields_set.clear()
    assert second.model_fields_set == {"input_fields"}


def test_the_signature_names_the_fields() -> None:
    Column(name="day")
    assert next(iter(inspect.signature(Column).parameters)) == "name"
    assert inspect.signature(Column.__init__) == inspect.signature(Model.__init__)
