"""Custom entities have facets and are composed like those of the specification."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

import pytest
from pydantic import Field

from openlineage_facets import EventError
from openlineage_facets.base.model.model import Model
from openlineage_facets.base.wire.types import Maybe
from openlineage_facets.facets import JobFacets, SQLJobFacet


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
