"""Strategies work for custom classes, generated or hand-written."""

from __future__ import annotations

import json
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    FutureDate,
    FutureDatetime,
    NaiveDatetime,
    PastDate,
    PastDatetime,
    field_validator,
    model_validator,
)

from codegen.identifiers import class_name
from openlineage_facets import EventError, Run
from openlineage_facets.base.model.model import Model
from openlineage_facets.base.wire.types import Number
from openlineage_facets.facets import RunFacet
from openlineage_facets.testing import strategies
from openlineage_facets.testing.strategies.invalid import ABSENT, mutations_of
from tests.cases import each
from tests.codegen.conftest import Generate
from tests.codegen.oracle import Oracle
from tests.hypothesis_profiles import share
from tests.testing.test_strategies import drawn, never_seen

pytestmark = pytest.mark.check

CASES = Path(__file__).parents[1] / "codegen" / "cases"
"""One construct of JSON Schema, or a few, in each folder."""

EVERY = 1 if share(1) >= 1_000 else 20
"""`make test-thorough` generates a package of each construct, which takes long."""


@each("case", sorted(folder.name for folder in CASES.iterdir())[::EVERY])
def test_values_of_a_generated_package_are_valid_for_its_schemas(generated: Generate, case: str) -> None:
    schemas = {path.name: path.read_bytes() for path in sorted((CASES / case / "spec").glob("*.json"))}
    package = generated(schemas)
    oracle_result = Oracle(package.folder.parent / f"{package.name}_spec")
    schema = json.loads(schemas["Case.json"])
    for name in schema.get("$defs", {}):
        cls = getattr(package.module("Case.json"), class_name(name), None)
        if not isinstance(cls, type) or not issubclass(cls, Model):
            continue  # What is no object becomes an alias or an enumeration.
        documents = drawn(strategies.documents(cls), share(0.25))
        for document in documents:
            assert oracle_result.is_valid(document, schema["$id"], name), (name, document)
            cls.from_json(document)
        if any(any(mutations_of(cls, document)) for document in documents):
            for invalid in drawn(strategies.invalid_documents(cls), share(0.1)):
                assert not oracle_result.is_valid(invalid.document, schema["$id"], name), (name, invalid)


def test_a_required_list_of_its_own_class_ends_with_empty_lists(generated: Generate) -> None:
    children = {"type": "array", "items": {"$ref": "#/$defs/Tree"}}
    tree = {"type": "object", "properties": {"children": children}, "required": ["children"]}
    schema = {"$id": "https://example.com/tree/Case.json", "$defs": {"Tree": tree}}
    cls = generated({"Case.json": json.dumps(schema).encode()}).module("Case.json").Tree
    for document in drawn(strategies.documents(cls), 20):
        cls.from_json(document)


class Level(Enum):
    LOW = "low"
    HIGH = "high"


class Row(BaseModel):
    model_config = ConfigDict(extra="forbid")
    name: str
    children: list[Row] = []


def _even(number: int) -> int:
    if number % 2:
        raise ValueError("odd")
    return number


class EverythingRunFacet(RunFacet):
    __facet_key__ = "acme_everything"
    __schema_url__ = "https://acme.example.com/schemas/1-0-0/EverythingRunFacet.json"
    text: str
    ratio: Annotated[float, Field(ge=0, lt=1)]
    count: Annotated[int, Field(gt=0, le=5)] | None = None
    code: Annotated[str, Field(pattern="^[A-Z]{2,3}-[0-9]$")]
    short: Annotated[str, Field(min_length=1, max_length=3)]
    level: Level
    mode: Literal["a", 1, None]
    day: date
    moment: datetime
    price: Decimal
    pair: tuple[int, str]
    numbers: Annotated[list[int], Field(min_length=2, max_length=4)]
    words: frozenset[str]
    table: dict[str, float]
    rows: list[Row]
    anything: Any = None
    even: Annotated[int, AfterValidator(_even)] = 0
    aware: AwareDatetime
    naive: NaiveDatetime
    past: PastDatetime
    future: FutureDatetime
    past_day: PastDate
    future_day: FutureDate
    data: bytes
    letters: Annotated[str, Field(pattern=r"^\p{Lu}[\p{Ll}_]*$")]


def test_a_hand_written_facet_may_have_fields_of_any_type() -> None:
    made = strategies.models(EverythingRunFacet)
    assert all(0 <= facet.ratio < 1 and len(facet.numbers) in (2, 3, 4) for facet in drawn(made, 10))

    def facts(facet: EverythingRunFacet) -> set[Any]:
        return {facet.level, facet.mode, *("a child" for row in facet.rows if row.children)}

    assert not never_seen(made, {*Level, "a", 1, None, "a child"}, facts)
    for run in drawn(strategies.models(Run, facets=[EverythingRunFacet]), 5):
        assert Run.from_json(run.to_json()) == run


class UnsupportedRunFacet(RunFacet):
    __facet_key__ = "acme_unsupported"
    __schema_url__ = "https://acme.example.com/schemas/1-0-0/UnsupportedRunFacet.json"
    greek: Annotated[str, Field(pattern=r"^\p{Greek}$")]


def test_a_pattern_that_python_does_not_support_is_an_error_with_the_field() -> None:
    message = r"UnsupportedRunFacet.greek: expected a pattern that Python's `re` supports, found '\^\\"
    with pytest.raises(ValueError, match=message):
        strategies.documents(UnsupportedRunFacet)


class LimitsRunFacet(RunFacet):
    __facet_key__ = "acme_limits"
    __schema_url__ = "https://acme.example.com/schemas/1-0-0/LimitsRunFacet.json"
    percent: Annotated[int, Field(ge=1, le=100)]
    above: Annotated[float, Field(gt=0, lt=1)]
    few_steps: Annotated[int, Field(ge=50, le=100, multiple_of=50)]
    steps: Annotated[int, Field(ge=100, le=150, multiple_of=10)]
    cents: Annotated[float, Field(multiple_of=0.01)]
    quarters: Annotated[Number, Field(gt=0, lt=1, multiple_of=0.25)]
    empty: Annotated[str, Field(max_length=0)]
    short: Annotated[str, Field(min_length=2, max_length=3)]
    word: Annotated[str, Field(pattern=r"^\w+$")]
    pair: Annotated[list[int], Field(min_length=2, max_length=3)]
    names: Annotated[frozenset[str], Field(min_length=1, max_length=2)]
    table: Annotated[dict[str, int], Field(min_length=1, max_length=2)]
    no_table: Annotated[dict[str, int], Field(max_length=0)]


def test_values_are_within_all_limits() -> None:
    wanted = {("few_steps", 50), ("few_steps", 100), ("steps", 100), ("steps", 110), ("quarters", 0.25)}
    made = strategies.models(LimitsRunFacet)
    assert not never_seen(made, wanted, lambda facet: {(name, getattr(facet, name)) for name, _ in wanted})
    assert len({facet.cents for facet in drawn(made, 20)}) > 5


def test_each_limit_is_violated() -> None:
    violated = set()
    for document in drawn(strategies.documents(LimitsRunFacet), 10):
        for mutation in mutations_of(LimitsRunFacet, document):
            if len(mutation.steps) == 1 and mutation.value is not ABSENT:
                (name,) = mutation.steps
                violated.add((name, mutation.change))
                with pytest.raises(EventError, match=f"^/{name}"):
                    LimitsRunFacet.from_json({**document, name: mutation.value})
    assert violated >= {
        ("percent", "a number below the least"),
        ("percent", "a number above the greatest"),
        ("above", "a number that is not above its bound"),
        ("above", "a number that is not below its bound"),
        ("short", "too short"),
        ("short", "too long"),
        ("word", "a text of another pattern"),
        ("pair", "too short"),
        ("pair", "too long"),
        ("names", "too short"),
        ("table", "too short"),
    }


class PeriodRunFacet(RunFacet):
    __facet_key__ = "acme_period"
    __schema_url__ = "https://acme.example.com/schemas/1-0-0/PeriodRunFacet.json"
    start: int
    end: int
    days: Literal[7, 14] = 7
    unit: str | None = None

    @model_validator(mode="after")
    def _end_comes_after_start(self) -> PeriodRunFacet:
        if self.end < self.start:
            raise ValueError("it ends before it starts")
        return self

    @field_validator("unit")
    @classmethod
    def _no_blank(cls, unit: str | None) -> str | None:
        if unit == "":
            raise ValueError("blank")
        return unit


def test_values_that_a_validator_rejects_are_not_generated() -> None:
    periods = drawn(strategies.models(PeriodRunFacet), 20)
    assert all(period.start <= period.end and period.unit != "" for period in periods)


@each("cls", [PeriodRunFacet, LimitsRunFacet])
def test_invalid_documents_of_a_hand_written_class_are_invalid_at_their_pointer(cls: type[RunFacet]) -> None:
    for invalid in drawn(strategies.invalid_documents(cls), 20):
        with pytest.raises(EventError) as refused:
            cls.from_json(invalid.document)
        assert {finding.pointer for finding in refused.value.findings} == {invalid.pointer}
