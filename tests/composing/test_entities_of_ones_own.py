"""Entities beside those of the specification hold facets, and compose as they do."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

import pytest
from pydantic import Field

from openlineage_facets import EventError
from openlineage_facets.base.model import Model
from openlineage_facets.base.types import Maybe
from openlineage_facets.facets import JobFacets, SQLJobFacet


class Task(Model):
    name: str
    mood: Annotated[Maybe[Mood], Field(alias="theMood")] = None
    facets: Maybe[JobFacets] = None


class Mood(str, Enum):
    CALM = "CALM"


def test_a_field_may_name_a_class_defined_further_down() -> None:
    task = Task(name="load", mood="CALM", facets=[SQLJobFacet(query="SELECT 1")])
    assert (task.mood, task.facets.sql.query) == (Mood.CALM, "SELECT 1")
    assert Task.from_json(task.to_json()) == task


def test_what_is_wrong_is_refused_where_it_is_composed() -> None:
    with pytest.raises(EventError, match="^/theMood: expected one of 'CALM', found"):
        Task(name="load", mood="stormy")
