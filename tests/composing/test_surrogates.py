"""Lone surrogates and infinite numbers, which JSON cannot represent, are rejected when composing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, nan
from typing import Any, ClassVar

import pytest
from pydantic import BaseModel
from typing_extensions import TypedDict

from openlineage_facets import EventError, InputDataset, Job, OutputDataset, Run
from openlineage_facets.builders import RunEventBuilder
from openlineage_facets.facets import (
    ColumnLineageDatasetFacet,
    DatasetFacet,
    JobFacet,
    OutputDatasetFacet,
    ParentRunFacet,
    RunFacet,
    RunFacets,
    SchemaDatasetFacet,
    SQLJobFacet,
)
from tests.cases import each
from tests.composing.orders import RUN_ID

BAD = "caf\udce9"


class Model(BaseModel):
    name: str


@dataclass
class Data:
    name: str


@dataclass
class Number:
    size: float


class Typed(TypedDict):
    name: str


class NoteRunFacet(RunFacet):
    __facet_key__: ClassVar[str] = "acme_note"
    __schema_url__: ClassVar[str] = "https://example.com/note"

    model: Model | None = None
    data: Data | None = None
    number: Number | None = None
    typed: Typed | None = None
    anything: Any = None
    by_name: dict[str, Model] | None = None


UNKNOWN: dict[str, Any] = {BAD: 1}
QUOTED: dict[str, Any] = {
    "run": {"runId": RUN_ID, "facets": {BAD: RunFacet(x=1)}},
    "job": {"namespace": "a", "name": "b"},
}


def builder() -> RunEventBuilder:
    return RunEventBuilder("etl", "orders")


REJECTED: dict[str, tuple[str, Callable[[], Any]]] = {
    "key of a run's facet": ("/facets", lambda: Run(facets={BAD: RunFacet(x=1)})),
    "key of a job's facet": ("/facets", lambda: Job(namespace="a", name="b", facets={BAD: JobFacet(x=1)})),
    "key of a dataset's facet": (
        "/facets",
        lambda: InputDataset(namespace="a", name="b", facets={BAD: DatasetFacet(x=1)}),
    ),
    "key of an output facet": (
        "/outputFacets",
        lambda: OutputDataset(namespace="a", name="b", output_facets={BAD: OutputDatasetFacet(x=1)}),
    ),
    "key in a container": ("(root)", lambda: RunFacets({BAD: RunFacet(x=1)})),
    "key of a quoted facet": ("/run/facets", lambda: ParentRunFacet(**QUOTED)),
    "key of plain items": ("/fields", lambda: ColumnLineageDatasetFacet(fields={BAD: {"inputFields": []}})),
    "plain items": ("/fields/0/name", lambda: SchemaDatasetFacet(fields=[{"name": BAD}])),
    "name of an unknown field": ("(root)", lambda: RunFacet(**UNKNOWN)),
    "value of an unknown field": ("/x", lambda: RunFacet(x=BAD)),
    "key in nested JSON": ("/x/0", lambda: RunFacet(x=[{BAD: 1}])),
    "namespace": ("/namespace", lambda: Job(namespace=BAD, name="b")),
    "declared field": ("/query", lambda: SQLJobFacet(query=BAD)),
    "producer": ("/_producer", lambda: RunFacet(producer=f"https://example.com/{BAD}")),
    "replacement": ("/x", lambda: RunFacet(x=1).replace(x=BAD)),
    "field of a model": ("/model/name", lambda: NoteRunFacet(model=Model(name=BAD))),
    "field of a dataclass": ("/data/name", lambda: NoteRunFacet(data=Data(name=BAD))),
    "field of a typed dict": ("/typed/name", lambda: NoteRunFacet(typed={"name": BAD})),
    "value of Any": ("/anything/0", lambda: NoteRunFacet(anything=[BAD])),
    "key in a value of Any": ("/anything/0/a", lambda: NoteRunFacet(anything=[{"a": {BAD: 1}}])),
    "key of models": ("/by_name", lambda: NoteRunFacet(by_name={BAD: Model(name="b")})),
    "builder's namespace": ("/namespace", lambda: RunEventBuilder(BAD, "orders")),
    "builder's name": ("/name", lambda: RunEventBuilder("etl", BAD)),
    "builder's producer": ("/producer", lambda: RunEventBuilder("a", "b", producer=f"https://e.com/{BAD}")),
    "input of a builder": ("/namespace", lambda: builder().input(BAD, "raw")),
    "output of a builder": ("/name", lambda: builder().output("lake", BAD)),
    "key of a builder's facet": ("/facets", lambda: builder().run.facet(RunFacet(x=1), key=BAD)),
    "deleted facet": ("/facets", lambda: builder().job.delete(BAD)),
    "tag's key": ("/key", lambda: builder().tag(BAD)),
    "tag's value": ("/value", lambda: builder().tag("team", BAD)),
}


@each("name", REJECTED)
def test_lone_surrogates_are_rejected(name: str) -> None:
    pointer, compose = REJECTED[name]
    with pytest.raises(EventError) as rejected:
        compose()
    (line,) = str(rejected.value).splitlines()
    assert line.startswith(f"{pointer}: expected text without lone surrogates, found ")
    assert line.endswith("; decode it with the encoding it was written in")


def test_values_that_are_not_json_are_rejected_in_custom_facets() -> None:
    with pytest.raises(EventError, match="JSON"):
        NoteRunFacet(anything=object())


@each(
    ("fields", "pointer"),
    [
        ({"anything": nan}, "/anything"),
        ({"anything": {"a": [inf]}}, "/anything/a/0"),
        ({"number": Number(size=-inf)}, "/number/size"),
    ],
)
def test_numbers_that_are_not_finite_are_rejected_in_custom_facets(
    fields: dict[str, Any], pointer: str
) -> None:
    with pytest.raises(EventError) as rejected:
        NoteRunFacet(**fields)
    (finding,) = rejected.value.findings
    assert (finding.code, finding.pointer, finding.expected) == ("OL015", pointer, "a finite number")


def test_text_that_names_such_a_number_is_composed() -> None:
    assert NoteRunFacet(anything=["NaN", "-Infinity"]).anything == ["NaN", "-Infinity"]


def test_text_beyond_the_basic_plane_is_composed() -> None:
    facet = NoteRunFacet(anything={"𝄞": "𝄞"}, model=Model(name="𝄞"))
    assert NoteRunFacet.from_json(Run(facets={"acme_note": facet}).to_dict()["facets"]["acme_note"]) == facet
