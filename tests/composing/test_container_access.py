"""A container has facets as attributes, as a mapping by facet key, and by class; changes return copies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from openlineage_facets import EventError, Job, Run
from openlineage_facets.facets import (
    JobFacet,
    JobFacets,
    NominalTimeRunFacet,
    ParentRunFacet,
    ProcessingEngineRunFacet,
    RunFacet,
    RunFacets,
    SQLJobFacet,
    TagRunFacet,
    TagsRunFacet,
    tag,
)
from tests.cases import each
from tests.composing.orders import nominal_time, sql

TIME = nominal_time()
COST = RunFacet(usd=1.5)
FACETS = RunFacets({"nominalTime": TIME, "acme_cost": COST})


def test_a_container_is_a_mapping_by_wire_key() -> None:
    assert isinstance(FACETS, Mapping)
    assert list(FACETS) == ["nominalTime", "acme_cost"]
    assert (len(FACETS), bool(FACETS), bool(RunFacets())) == (2, True, False)
    assert (FACETS["nominalTime"], FACETS["acme_cost"]) == (TIME, COST)
    assert "acme_cost" in FACETS
    assert "nominal_time" not in FACETS
    assert dict(FACETS.items()) == {"nominalTime": TIME, "acme_cost": COST}
    assert FACETS.get("acme_cost") is COST
    assert (FACETS.get("parent"), FACETS.get("parent", "none")) == (None, "none")
    with pytest.raises(KeyError):
        FACETS["parent"]


def test_get_by_class_finds_the_key_by_itself() -> None:
    assert FACETS.get(NominalTimeRunFacet) is TIME
    assert (FACETS.get(ParentRunFacet), FACETS.get(ParentRunFacet, "none")) == (None, "none")


def test_get_by_base_class_is_rejected_since_it_has_no_key() -> None:
    with pytest.raises(TypeError, match="pass a facet key"):
        FACETS.get(RunFacet)


def test_get_by_class_distinguishes_the_two_wire_formats_of_tags() -> None:
    proposed = RunFacets([TagRunFacet(tags=[tag.TagFacetFields(key="retries", value=3)])])
    assert proposed.get(TagRunFacet) == proposed.tags
    assert proposed.get(TagsRunFacet) is None


def test_a_tombstone_is_in_the_mapping_but_not_in_the_attribute() -> None:
    facets = JobFacets({"sql": JobFacet(deleted=True)})
    assert facets["sql"] == facets.get("sql") == JobFacet(deleted=True)
    assert facets["sql"].to_dict().keys() == {"_producer", "_schemaURL", "_deleted"}
    assert facets.sql is facets.get(SQLJobFacet) is None


def test_a_facet_with_deleted_false_is_not_a_tombstone() -> None:
    facets = JobFacets([SQLJobFacet(query="select 1", deleted=False)])
    assert facets.sql == facets["sql"]
    with pytest.raises(EventError):
        JobFacets({"sql": JobFacet(deleted=False)})


def test_a_whole_facet_marked_deleted_is_a_tombstone_too() -> None:
    facets = JobFacets([SQLJobFacet(query="select 1", deleted=True)])
    assert facets.sql is None
    assert facets["sql"].deleted is True


def test_runs_have_no_tombstones() -> None:
    with pytest.raises(EventError):
        RunFacets({"nominalTime": RunFacet(_deleted=True)})


def test_with_facets_gives_a_copy_that_holds_more() -> None:
    spark = ProcessingEngineRunFacet(version="4.0.0", name="spark")
    more = FACETS.with_facets(spark)
    assert type(more) is RunFacets
    assert more == {**FACETS, "processing_engine": spark}
    assert FACETS.processing_engine is None


def test_with_facets_replaces_the_facet_under_the_same_key() -> None:
    later = nominal_time("2026-11-22T00:00:00Z")
    assert FACETS.with_facets(later).nominal_time is later
    assert FACETS.with_facets(nominal_time=later).nominal_time is later
    assert FACETS.nominal_time is TIME


def test_with_facets_rejects_what_composing_rejects() -> None:
    with pytest.raises(EventError, match=r"expected a RunFacet, found an? SQLJobFacet"):
        FACETS.with_facets(sql())


def test_without_gives_a_copy_that_holds_less() -> None:
    assert FACETS.without("acme_cost") == {"nominalTime": TIME}
    assert FACETS.without("acme_cost", "nominalTime") == {}
    assert FACETS.without("parent") == FACETS
    assert len(FACETS) == 2


class CountedKey(str):
    """A facet key that counts the comparisons with it."""

    compared = 0
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        CountedKey.compared += 1
        return str.__eq__(self, other)


def test_without_compares_no_key_with_every_other_one() -> None:
    FACETS.without(*(CountedKey(f"acme_{number}") for number in range(1000)), "acme_cost")
    assert CountedKey.compared < 10


class CheckedSQLJobFacet(SQLJobFacet):
    """A subclass of a published facet."""

    __schema_url__ = "https://acme.example.com/schemas/1-0-0/CheckedSQLJobFacet.json"

    checked_by: str


def test_get_by_a_subclass_of_a_known_facet_also_returns_it_after_parsing() -> None:
    checked = CheckedSQLJobFacet(query="select 1", checked_by="ana")
    job = Job(namespace="a", name="b", facets=[checked])
    for facets in (job.facets_or_empty, Job.from_json(job.to_json()).facets_or_empty):
        assert facets.get(CheckedSQLJobFacet) == checked
    assert JobFacets([sql()]).get(CheckedSQLJobFacet) is None


def test_get_by_a_subclass_that_a_facet_of_its_schema_does_not_fit_is_an_error() -> None:
    unchecked = sql().replace(schema_url=CheckedSQLJobFacet.__schema_url__)
    with pytest.raises(EventError, match=r"^/checked_by: missing required field"):
        JobFacets([unchecked]).get(CheckedSQLJobFacet)


def test_containers_compare_by_content() -> None:
    assert RunFacets([TIME]) == RunFacets(nominal_time=nominal_time())
    assert RunFacets([TIME]) == {"nominalTime": TIME}
    assert RunFacets([TIME]) != FACETS
    assert RunFacets([TIME]) != [TIME]


@each("name", ["nominal_time", "parent", "acme_cost", "_facets", "get"])
def test_nothing_of_a_container_can_be_assigned_or_deleted(name: str) -> None:
    with pytest.raises(AttributeError):
        setattr(FACETS, name, None)
    with pytest.raises(AttributeError):
        delattr(FACETS, name)
    container: Any = FACETS
    with pytest.raises(TypeError):
        container[name] = TIME
    assert (FACETS.nominal_time, len(FACETS)) == (TIME, 2)


def test_a_container_does_not_change_with_the_list_it_was_made_of() -> None:
    given: dict[str, RunFacet] = {"nominalTime": TIME}
    facets = Run(facets=given).facets
    given["acme_cost"] = COST
    assert list(facets or ()) == ["nominalTime"]
