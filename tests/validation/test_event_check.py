"""Checking parsed JSON accepts the same events as parsing their text, also with validators of users."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from typing import Annotated, Any
from uuid import UUID

import pytest
from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, ValidationInfo, model_validator
from pydantic_core import from_json

from openlineage_facets import EventError, parse_event, register_facets
from openlineage_facets.facets import RunFacet
from openlineage_facets.validation.event_validation import is_valid_event
from tests.cases import each
from tests.composing.registration import facets_restored
from tests.events import FACET, on_job, on_run


def is_parsed(text: str | bytes) -> bool:
    try:
        parse_event(text)
    except EventError:
        return False
    return True


def only_even(value: int, info: ValidationInfo) -> int:
    if info.mode != "json" or value % 2:
        raise ValueError("not an even number in JSON")
    return value


def in_lower_case(value: Any) -> Any:
    return value.lower() if isinstance(value, str) else value


class Line(BaseModel):
    amount: float
    tags: set[str] = set()


class AcmeCostRunFacet(RunFacet):
    """A facet with types and validators that its user chose."""

    __schema_url__ = "https://acme.example.com/1-0-0/AcmeCostRunFacet.json#/$defs/AcmeCostRunFacet"
    __facet_key__ = "acme_cost"

    usd: Decimal | None = None
    invoice: UUID | None = None
    day: date | None = None
    line: Line | None = None
    share: Annotated[float, Field(ge=0, le=1)] | None = None
    pair: tuple[int, str] | None = None
    before: Annotated[str, BeforeValidator(in_lower_case)] | None = None
    even: Annotated[int, AfterValidator(only_even)] | None = None
    parts: list[AcmeCostRunFacet] | None = None

    @model_validator(mode="after")
    def with_invoice(self) -> AcmeCostRunFacet:
        if self.usd is not None and self.usd > 100 and self.invoice is None:
            raise ValueError("expensive runs need an invoice")
        return self


COST = {**FACET, "_schemaURL": AcmeCostRunFacet.__schema_url__}


@pytest.fixture
def registered() -> Iterator[None]:
    with facets_restored():
        register_facets(AcmeCostRunFacet)
        yield


@pytest.mark.usefixtures("registered")
@each(
    ("field", "is_valid"),
    [
        ('"usd": 1.5', True),
        ('"usd": "1E+1"', True),
        ('"usd": 200', False),
        ('"usd": 200, "invoice": "019d3719-f020-7c3e-9f10-2b7d4e8a6c31"', True),
        ('"usd": "much"', False),
        ('"invoice": 7', False),
        ('"day": "2026-01-01"', True),
        ('"day": "2026-02-30"', False),
        ('"line": {"amount": 1, "tags": ["a", "a"]}', True),
        ('"line": {"amount": "1"}', False),
        ('"share": 1', True),
        ('"share": 1.5', False),
        ('"share": NaN', False),
        ('"pair": [1, "a"]', True),
        ('"pair": [1]', False),
        ('"before": "TEXT"', True),
        ('"before": 7', False),
        ('"even": 2', True),
        ('"even": 3', False),
        ('"even": 2.0', False),
        ('"parts": [{"_producer": "p", "_schemaURL": "s", "even": 2}]', True),
        ('"parts": [{"_producer": "p", "_schemaURL": "s", "even": 3}]', False),
        ('"unknown": [{"a": 1.0}, null]', True),
        ('"unknown": [{"a": Infinity}]', False),
        ('"unknown": 1e400', False),
        ('"_deleted": true, "usd": "much"', False),  # Runs have no tombstones.
        ('"day": 7, "day": "2026-01-01"', True),
        ('"day": "2026-01-01", "day": 7', False),
    ],
)
def test_hand_written_facets_are_checked_by_their_own_validators(field: str, is_valid: bool) -> None:
    text = json.dumps(on_run("acme_cost", {**COST, "@": 0})).replace('"@": 0', field)
    assert is_parsed(text) == is_valid
    assert is_valid_event(from_json(text)) == is_valid


def test_facets_registered_later_are_checked() -> None:
    event = on_run("acme_cost", {**COST, "usd": "much"})
    assert is_valid_event(event)
    with facets_restored():
        register_facets(AcmeCostRunFacet)
        assert not is_valid_event(event)
    assert is_valid_event(event)


def test_the_deepest_accepted_events_are_those_that_are_parsed() -> None:
    for levels in range(185, 205):
        text = json.dumps(on_job("acme_deep", {**FACET, "deep": "@"}))
        text = text.replace('"@"', "[" * levels + "]" * levels)
        try:
            document = from_json(text)
        except ValueError:
            assert not is_parsed(text)
        else:
            assert is_valid_event(document) == is_parsed(text)
