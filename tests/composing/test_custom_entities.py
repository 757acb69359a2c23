"""Custom entities have facets and are composed like those of the specification."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

import pytest
from pydantic import Field, PrivateAttr, field_validator

from openlineage_facets import EventError, Job, Run, RunEvent
from openlineage_facets.base.model.model import Model
from openlineage_facets.base.wire.types import Maybe
from openlineage_facets.facets import JobFacets, SQLJobFacet
from tests.cases import each


class Task(Model):
    name: str
    mood: Annotated[Maybe[Mood], Field(alias="theMood")] = None
    facets: Maybe[JobFacets] = None


class Mood(str, Enum):
    CALM = "CALM"


def test_a_field_may_refer_to_a_class_that_is_defined_later() -> None:
    task = Task(name="load", mood="CALM", facets=[SQLJobFacet(query="SELECT 1")])
    assert (task.mood, task.facets.sql.query) == (Mood.CALM, "SELECT 1")
    assert Task.from_json(task.to_json()) == task


def test_invalid_fields_are_rejected_when_composing() -> None:
    with pytest.raises(EventError, match="^/theMood: expected one of 'CALM', found"):
        Task(name="load", mood="stormy")


class TeamJob(Job):
    team: str = "none"
    labels: list[str] = Field(default_factory=list)
    _size: int = PrivateAttr(0)

    @field_validator("team")
    @classmethod
    def in_capitals(cls, team: str) -> str:
        return team.upper()

    def model_post_init(self, context: object) -> None:
        self._size = len(self.name)


def test_a_subclass_is_composed_with_its_own_defaults_and_validators() -> None:
    job = TeamJob(namespace="etl", name="orders")
    assert (job.team, job.labels, job._size) == ("none", [], 6)
    composed = TeamJob(namespace="etl", name="orders", team="sales", facets=[SQLJobFacet(query="SELECT 1")])
    assert composed.team == "SALES"
    assert composed == TeamJob.from_json(composed.to_json())
    with pytest.raises(EventError, match="^/team: expected a string, found 3"):
        TeamJob(namespace="etl", name="orders", team=3)


class TenantEvent(RunEvent):
    tenant: str = "acme"


@each("cls", [RunEvent, TenantEvent])
def test_an_event_is_written_with_the_fields_of_a_subclass_before_and_after_it_is_parsed(
    cls: type[RunEvent],
) -> None:
    event = cls(event_type="START", run=Run(), job=TeamJob(namespace="etl", name="orders", team="sales"))
    assert event.to_dict()["job"] == {"namespace": "etl", "name": "orders", "team": "SALES"}
    cls.from_json(event.to_json())
    assert event.to_dict()["job"] == {"namespace": "etl", "name": "orders", "team": "SALES"}
