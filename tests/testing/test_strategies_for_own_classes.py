"""Strategies serve classes that nobody told them about: of generated packages, and written by hand."""

from __future__ import annotations

import json
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, field_validator, model_validator

from codegen.name import class_name
from openlineage_facets import EventError, Run
from openlineage_facets.base.model import Model
from openlineage_facets.facets import RunFacet
from openlineage_facets.testing import strategies
from openlineage_facets.testing.strategies.breaking import breaks_of
from tests.codegen.conftest import Generate
from tests.codegen.judging import Judge
from tests.testing.test_strategies import drawn, never_seen

CASES = Path(__file__).parents[1] / "codegen" / "cases"
"""One construct of JSON Schema, or a few, in each folder."""


@pytest.mark.parametrize("case", sorted(folder.name for folder in CASES.iterdir()))
def test_the_values_of_a_generated_package_are_what_its_schemas_allow(generated: Generate, case: str) -> None:
    schemas = {path.name: path.read_bytes() for path in sorted((CASES / case / "spec").glob("*.json"))}
    package = generated(schemas)
    judge = Judge(package.folder.parent / f"{package.name}_spec")
    schema = json.loads(schemas["Case.json"])
    for name in schema.get("$defs", {}):
        cls = getattr(package.module("Case.json"), class_name(name), None)
        if not isinstance(cls, type) or not issubclass(cls, Model):
            continue  # What is no object becomes an alias or an enumeration.
        documents = drawn(strategies.documents(cls), 25)
        for document in documents:
            assert judge.is_valid(document, schema["$id"], name), (name, document)
            cls.from_json(document)
        if any(any(breaks_of(cls, document)) for document in documents):
            for invalid in drawn(strategies.invalid_documents(cls), 10):
                assert not judge.is_valid(invalid.document, schema["$id"], name), (name, invalid)


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


def test_a_facet_written_by_hand_may_have_fields_of_any_type() -> None:
    made = strategies.models(EverythingRunFacet)
    assert all(0 <= facet.ratio < 1 and len(facet.numbers) in (2, 3, 4) for facet in drawn(made, 60))

    def facts(facet: EverythingRunFacet) -> set[Any]:
        return {facet.level, facet.mode, *("a child" for row in facet.rows if row.children)}

    assert not never_seen(made, {*Level, "a", 1, None, "a child"}, facts)
    for run in drawn(strategies.models(Run, facets=[EverythingRunFacet]), 20):
        assert Run.from_json(run.to_json()) == run


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


def test_what_validators_of_a_class_refuse_does_not_occur() -> None:
    periods = drawn(strategies.models(PeriodRunFacet), 50)
    assert all(period.start <= period.end and period.unit != "" for period in periods)


def test_invalid_documents_of_a_class_written_by_hand_are_invalid_at_their_place() -> None:
    for invalid in drawn(strategies.invalid_documents(PeriodRunFacet), 50):
        with pytest.raises(EventError) as refused:
            PeriodRunFacet.from_json(invalid.document)
        assert {finding.pointer for finding in refused.value.findings} == {invalid.pointer}
