"""Facets of hand-written classes are written as they were read, whatever the types of their fields write."""

from __future__ import annotations

import copy
import json
import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from math import inf, nan
from typing import Annotated, Any, Generic, TypeVar
from uuid import UUID

import pytest
from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    HttpUrl,
    PlainSerializer,
    TypeAdapter,
    field_serializer,
    field_validator,
    model_serializer,
    model_validator,
)

from openlineage_facets import EventError, Run, RunEvent, parse_event, read_event, register_facets
from openlineage_facets.base.model.class_properties import is_json_only, writes_as_read
from openlineage_facets.base.model.model import Model
from openlineage_facets.facets import RunFacet
from tests.cases import each
from tests.codegen.custom.facets import build, facet_file
from tests.composing.orders import run_event
from tests.composing.registration import facets_restored
from tests.conftest import ROOT

URL = "https://acme.example.com/1-0-0/{0}.json#/$defs/{0}"


T = TypeVar("T")


@dataclass
class Named(Generic[T]):
    value: T
    name: str = ""
    share: float = 1.0


class Line(BaseModel):
    amount: float
    tags: set[str] = set()


class AcmeCostRunFacet(RunFacet):
    """The cost of a run."""

    __schema_url__ = URL.format("AcmeCostRunFacet")
    __facet_key__ = "acme_cost"

    usd: Decimal | None = None
    took: timedelta | None = None
    invoice: UUID | None = None
    link: HttpUrl | None = None
    labels: set[str] | None = None
    billed_at: AwareDatetime | None = None
    day: date | None = None
    share: float | None = None
    line: Line | None = None
    parts: list[AcmeCostRunFacet] | None = None
    trimmed: Annotated[str, AfterValidator(str.strip)] | None = None
    before: Annotated[str, BeforeValidator(str.lower)] | None = None
    hidden: str | None = Field(None, exclude=True)
    named: Named[int] | None = None
    rounded: Annotated[int, PlainSerializer(lambda value: value // 10 * 10)] | None = None


MARKS = {"_producer": "https://acme.example.com", "_schemaURL": AcmeCostRunFacet.__schema_url__}

FIELDS: list[tuple[str, str]] = [
    ("usd", "1.50"),
    ("usd", '"1.50"'),
    ("usd", '"1E+2"'),
    ("took", '"PT60M"'),
    ("invoice", '"019D3719F0207C3E9F102B7D4E8A6C31"'),
    ("link", '"HTTPS://A.com"'),
    ("labels", '["b", "a", "b"]'),
    ("billed_at", '"2026-01-01T00:00:00.100+00:00"'),
    ("day", '"2026-01-01"'),
    ("share", "7"),
    ("line", '{"amount": 1, "tags": ["x", "x"], "unknown": null}'),
    ("parts", json.dumps([MARKS | {"labels": ["z", "y", "z"]}])),
    ("trimmed", '" text "'),
    ("before", '"TEXT"'),
    ("hidden", '"secret"'),
    ("rounded", "17"),
    ("unknown", '{"kept": [1.0, null]}'),
    ("named", '{"value": 1, "share": 7}'),
]


def exact(text: str | bytes) -> str:
    """Return a JSON value as text in which 1 differs from 1.0, and every digit of an integer counts."""
    return json.dumps(json.loads(text), sort_keys=True)


EVENT = run_event()


def wire(name: str, value: str) -> str:
    event = json.loads(EVENT.to_json())
    event["run"]["facets"] = {"acme_cost": {**MARKS, name: json.loads(value)}}
    return json.dumps(event)


@pytest.fixture
def registered() -> Iterator[None]:
    with facets_restored():
        register_facets(AcmeCostRunFacet)
        yield


@pytest.mark.usefixtures("registered")
@each(("name", "value"), FIELDS, ids=[f"{name}={value}" for name, value in FIELDS])
def test_an_event_is_written_as_it_was_read(name: str, value: str) -> None:
    text = wire(name, value)
    for event in (parse_event(text), RunEvent.from_json(text), read_event(text).event):
        assert event is not None
        facet = event.run.facets["acme_cost"]
        assert type(facet) is AcmeCostRunFacet
        for written in (event.to_json(), event.to_json(indent=2), json.dumps(event.to_dict())):
            assert exact(written) == exact(text)
        assert exact(event.model_dump_json()) == exact(text)
        assert exact(facet.to_json()) == exact(json.dumps(json.loads(text)["run"]["facets"]["acme_cost"]))


def test_a_facet_that_is_not_registered_is_typed_on_request_and_written_as_it_was_read() -> None:
    for name, value in FIELDS:
        facet = parse_event(wire(name, value)).run.facets.get(AcmeCostRunFacet)
        again = EVENT.replace(run=Run(run_id=EVENT.run.run_id, facets=[facet]))
        assert exact(again.to_json()) == exact(wire(name, value))


def read(**fields: Any) -> AcmeCostRunFacet:
    return AcmeCostRunFacet.from_json({**MARKS, **fields})


COPIES: dict[str, Callable[[Any], Any]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda facet: pickle.loads(pickle.dumps(facet)),
    "model_copy": lambda facet: facet.model_copy(deep=True),
    "with_facets": lambda facet: Run(facets=[facet]).facets["acme_cost"],
}


@each("name", COPIES)
def test_a_copy_is_written_as_the_original_was_read(name: str) -> None:
    facet = read(labels=["b", "a", "b"], took="PT60M")
    copied = COPIES[name](facet)
    assert copied == facet
    assert copied.to_dict() == facet.to_dict() == {**MARKS, "labels": ["b", "a", "b"], "took": "PT60M"}


@pytest.mark.check
def test_a_copy_in_another_process_is_written_as_the_original_was_read() -> None:
    labels = [str(number) for number in range(20, 0, -1)] * 2
    facet = read(labels=labels)
    script = "import pickle, sys; sys.stdout.buffer.write(pickle.load(sys.stdin.buffer).to_json())"
    ended = subprocess.run(
        [sys.executable, "-c", script],
        input=pickle.dumps(facet),
        capture_output=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "1"},  # Sets have another order.
    )
    assert json.loads(ended.stdout)["labels"] == labels


def test_values_are_those_of_the_types() -> None:
    facet = read(usd=1.5, labels=["b", "a", "b"], trimmed=" text ")
    assert (facet.usd, facet.labels, facet.trimmed) == (Decimal("1.5"), {"a", "b"}, "text")
    composed = AcmeCostRunFacet(
        usd=Decimal("1.5"), labels={"a", "b"}, trimmed="text", producer=MARKS["_producer"]
    )
    assert facet == composed
    assert "read_json" not in repr(facet)
    assert facet.model_dump().keys() == composed.model_dump().keys()


def test_a_changed_facet_is_written_in_the_form_of_its_types() -> None:
    facet = read(took="PT60M", labels=["b", "b"])
    assert facet.replace(usd=Decimal(1)).to_dict() == {**MARKS, "took": "PT1H", "labels": ["b"], "usd": "1"}
    nested = read(line={"amount": 1, "tags": ["x", "x"]})
    assert nested.line is not None
    nested.line.amount = 2.5  # The models of users may be mutable.
    assert nested.to_dict()["line"] == {"amount": 2.5, "tags": ["x"]}


def test_options_of_a_dump_apply_to_a_parsed_facet() -> None:
    facet = read(took="PT60M", labels=["b", "b"])
    assert facet.model_dump(mode="json", include={"took"}) == {"took": "PT1H"}
    assert facet.model_dump(include={"took"}) == {"took": timedelta(hours=1)}
    assert facet.model_dump(mode="json", by_alias=False)["schema_url"] == MARKS["_schemaURL"]


def test_a_model_with_a_facet_writes_it_as_it_was_read() -> None:
    class Holder(BaseModel):
        facet: AcmeCostRunFacet
        several: list[RunFacet | AcmeCostRunFacet] = []

    value = {**MARKS, "took": "PT60M"}
    text = json.dumps({"facet": value})
    assert json.loads(Holder.model_validate_json(text).model_dump_json(exclude_unset=True)) == {
        "facet": value
    }
    adapter: TypeAdapter[Any] = TypeAdapter(list[AcmeCostRunFacet])
    assert json.loads(adapter.dump_json(adapter.validate_json(json.dumps([value])))) == [value]


def test_invalid_fields_are_reported_at_their_location() -> None:
    with pytest.raises(EventError, match=r"^/line/amount: expected a number"):
        read(line={"amount": "x"})
    with pytest.raises(EventError, match=r"^/parts/1/labels: "):
        read(parts=[MARKS, {**MARKS, "labels": 1}])
    with pytest.raises(EventError, match=r"^/day: "):
        read(day=1)


def test_a_lenient_caller_may_still_pass_text_for_numbers() -> None:
    text = json.dumps({**MARKS, "share": "1.5"})
    assert AcmeCostRunFacet.model_validate_json(text, strict=False).share == 1.5
    with pytest.raises(ValueError, match="valid number"):
        AcmeCostRunFacet.model_validate_json(text)


class Plain(RunFacet):
    __facet_key__ = "plain"

    name: str
    rows: int | None = None
    valid: bool = True
    tags: list[str] | None = None
    counts: dict[str, int] | None = None
    anything: Any = None
    pattern: Annotated[str, Field(pattern="^a", max_length=9)] = "a"


class Validated(Plain):
    @field_validator("name")
    @classmethod
    def lower(cls, value: str) -> str:
        return value.lower()


class ValidatedTogether(Plain):
    @model_validator(mode="before")
    @classmethod
    def filled(cls, value: Any) -> Any:
        return {"rows": 0, **value}


class Serialized(Plain):
    @field_serializer("name")
    def upper(self, value: str) -> str:
        return value.upper()


class WhollySerialized(Plain):
    @model_serializer
    def nothing(self) -> dict[str, Any]:
        return {}


class Stripped(Plain):
    model_config = ConfigDict(str_strip_whitespace=True)


class Closed(Plain):
    model_config = ConfigDict(extra="ignore")


@each("cls", [Validated, ValidatedTogether, Serialized, WhollySerialized, Stripped, Closed])
def test_methods_and_configuration_of_a_class_change_nothing_that_was_read(cls: type[Plain]) -> None:
    value = {**MARKS, "name": " Name ", "other": 1.0}
    assert not writes_as_read(cls)
    assert json.loads(cls.from_json(value).to_json()) == value


def test_only_classes_that_need_it_keep_what_was_read(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert writes_as_read(Plain)
    properties = {
        "usd": {"type": "number", "minimum": 0},
        "rows": {"type": "integer"},
        "at": {"type": "string", "format": "date-time"},
        "id": {"type": "string", "format": "uuid"},
        "uri": {"type": "string", "format": "uri"},
        "kind": {"enum": ["a", "b"]},
        "mixed": {"enum": ["a", 1, None]},
        "either": {"oneOf": [{"type": "string", "pattern": "^a"}, {"type": ["number", "null"]}]},
        "lines": {"type": "array", "items": {"type": "object", "properties": {"sku": {"type": "string"}}}},
        "more": {"type": "object", "additionalProperties": {"type": "integer"}},
    }
    build(tmp_path, "acme_lossless", {"a.json": facet_file(properties=properties)})
    monkeypatch.syspath_prepend(str(tmp_path))
    from acme_lossless import AcmeCostRunFacet as Generated  # type: ignore[import-not-found]

    assert issubclass(Generated, Model)
    assert writes_as_read(Generated)


class Chapter(Model):
    section: Section | None = None
    words: set[str] | None = None


class Section(Model):
    chapter: Chapter | None = None


class Volume(Model):
    page: Page | None = None
    price: Decimal | None = None


class Page(Model):
    volume: Volume | None = None


def test_classes_that_contain_each_other_are_lossless_together() -> None:
    for cls in (Chapter, Section, Volume, Page):
        cls.model_rebuild()
    assert not writes_as_read(Chapter)
    assert not writes_as_read(Section)
    assert not is_json_only(Volume)
    assert not is_json_only(Page)


class NamedRunFacet(RunFacet):
    named: Named[int] | None = None
    kind: type[int] | None = None


@each(
    ("fields", "place"),
    [
        ({"named": Named(1, "caf\udce9")}, "/named/name"),
        ({"named": Named(1, "x", nan)}, "/named/share"),
        ({"kind": bool}, r"\(root\): expected fields that JSON can represent"),
    ],
)
def test_a_generic_type_is_checked_beyond_its_arguments(fields: dict[str, Any], place: str) -> None:
    with pytest.raises(EventError, match=f"^{place}"):
        NamedRunFacet(**fields)


def test_iterables_are_lists_that_are_written_more_than_once() -> None:
    class StepsRunFacet(RunFacet):
        steps: Iterable[int] | None = None
        stages: list[Generator[int, None, None]] | None = None

    facet = StepsRunFacet(steps=iter([1, 2]), stages=[[3]])
    for _ in range(2):
        assert (facet.to_dict()["steps"], facet.to_dict()["stages"]) == ([1, 2], [[3]])
    assert facet.steps == [1, 2]
    assert StepsRunFacet.from_json(facet.to_json()) == facet
    with pytest.raises(EventError, match=r'^/steps/1: expected an integer, found "bad"'):
        StepsRunFacet(steps=[1, "bad"])


class WithInfinityRunFacet(RunFacet):
    annotated: Annotated[float, Field(allow_inf_nan=True)] = 0.0
    assigned: float = Field(0.0, allow_inf_nan=True)
    inner: list[Annotated[float, Field(allow_inf_nan=True)]] | None = None


class ConfiguredRunFacet(RunFacet):
    model_config = ConfigDict(allow_inf_nan=True)

    share: float = 0.0


@each("number", [nan, inf, -inf])
def test_infinite_numbers_are_not_composed_even_if_a_field_allows_them(number: float) -> None:
    for cls, fields in (
        (WithInfinityRunFacet, {"annotated": number}),
        (WithInfinityRunFacet, {"assigned": number}),
        (WithInfinityRunFacet, {"inner": [1.0, number]}),
        (ConfiguredRunFacet, {"share": number}),
    ):
        with pytest.raises(EventError, match="expected a finite number"):
            cls(**fields)
    assert WithInfinityRunFacet(annotated=1.5).annotated == 1.5
