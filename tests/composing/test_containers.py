"""A container accepts facets in a list, by facet key or by Python name, and rejects misplaced ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from openlineage_facets import EventError, InputDataset, Job, OutputDataset, Run, StaticDataset
from openlineage_facets.base.containers import facet_map
from openlineage_facets.facets import (
    BaseFacet,
    DatasetFacets,
    InputDatasetFacets,
    JobFacets,
    JobTypeJobFacet,
    NominalTimeRunFacet,
    OutputDatasetFacets,
    OutputStatisticsOutputDatasetFacet,
    ParentRunFacet,
    ProcessingEngineRunFacet,
    RunFacet,
    RunFacets,
    SQLJobFacet,
    TagFacet,
    TagRunFacet,
    TagsRunFacet,
    parent_run,
    tag,
)
from tests.cases import each
from tests.composing.messages import assert_one_finding
from tests.composing.orders import PRODUCER, RUN_ID, columns, job, nominal_time, sql

TABLE = {"namespace": "s3://lake", "name": "raw/orders"}
ENGINE = {"version": "4.0.0", "name": "spark"}


def engine() -> ProcessingEngineRunFacet:
    return ProcessingEngineRunFacet(**ENGINE)


def parent() -> ParentRunFacet:
    return ParentRunFacet(run=parent_run.Run(run_id=RUN_ID), job=parent_run.Job(namespace="a", name="b"))


def test_a_list_a_mapping_and_keywords_make_the_same_container() -> None:
    time, spark = nominal_time(), engine()
    by_list = RunFacets([time, spark])
    by_wire_key = RunFacets({"nominalTime": time, "processing_engine": spark})
    by_python_name = RunFacets(nominal_time=time, processing_engine=spark)
    assert by_list == by_wire_key == by_python_name == {"nominalTime": time, "processing_engine": spark}


@each("collection", [list, tuple, iter, RunFacets])
def test_facets_may_be_any_iterable_or_a_container(collection: Callable[[list[Any]], Any]) -> None:
    facets = Run(facets=collection([nominal_time(), engine()])).facets
    assert facets == {"nominalTime": nominal_time(), "processing_engine": engine()}


def test_every_entity_has_a_container_of_its_own_class() -> None:
    source = InputDataset(**TABLE, facets=[columns("id")], input_facets=[])
    target = OutputDataset(**TABLE, facets=[columns("id")], output_facets=[])
    assert type(Run(facets=[]).facets) is RunFacets
    assert type(job(facets=[]).facets) is JobFacets
    assert (type(source.facets), type(source.input_facets)) == (DatasetFacets, InputDatasetFacets)
    assert (type(target.facets), type(target.output_facets)) == (DatasetFacets, OutputDatasetFacets)
    assert type(StaticDataset(**TABLE, facets=[columns("id")]).facets) is DatasetFacets


def test_a_known_facet_may_be_given_in_the_wire_format() -> None:
    wire = nominal_time().to_dict()
    facets = Run(facets={"nominalTime": wire}).facets
    assert isinstance(facets and facets.nominal_time, NominalTimeRunFacet)


def test_a_facet_in_the_wire_format_is_validated_without_defaults() -> None:
    with pytest.raises(EventError) as rejected:
        Run(facets={"nominalTime": {"_producer": PRODUCER}})
    assert {finding.pointer for finding in rejected.value.findings} == {
        "/facets/nominalTime/_schemaURL",
        "/facets/nominalTime/nominalStartTime",
    }


def test_embedded_facets_of_another_entity_are_validated_as_facets_of_that_entity() -> None:
    quoted = parent_run.Run(run_id=RUN_ID, facets=[nominal_time()])
    assert quoted.facets is not None
    assert quoted.facets.get(NominalTimeRunFacet) == nominal_time()
    with pytest.raises(EventError, match=r"expected a RunFacet, found an? SQLJobFacet"):
        parent_run.Run(run_id=RUN_ID, facets=[sql()])


WRONG: list[tuple[Callable[..., object], str]] = [
    (lambda: Run(facets=[sql()]), "/facets/sql: expected a RunFacet, found a SQLJobFacet; SQLJobFacet is a"),
    (
        lambda: InputDataset(**TABLE, input_facets=[columns("id")]),
        "/inputFacets/schema: expected an InputDatasetFacet, found a SchemaDatasetFacet; ... add it",
    ),
    (
        lambda: InputDataset(**TABLE, input_facets=[OutputStatisticsOutputDatasetFacet(row_count=1)]),
        "/inputFacets/outputStatistics: expected an InputDatasetFacet, found an OutputStatistics",
    ),
    (lambda: RunFacets(nominal_time=sql()), "/nominalTime: expected a RunFacet, found a SQLJobFacet;"),
    (lambda: RunFacets(parent=nominal_time()), "/parent: expected the facet key 'nominalTime' for"),
    (
        lambda: Run(facets={"parentRun": parent()}),
        "/facets/parentRun: expected the facet key 'parent' for ..., found 'parentRun'; use 'parent'",
    ),
    (
        lambda: Run(facets={"nominal_time": nominal_time()}),
        "/facets/nominal_time: expected the facet key ..., found 'nominal_time'; use 'nominalTime'",
    ),
    (
        lambda: Run(facets={"nominalTime": RunFacet(cost=1)}),
        "/facets/nominalTime: expected a NominalTimeRunFacet, found a RunFacet",
    ),
    (
        lambda: Run(facets=[nominal_time(), nominal_time()]),
        "/facets/nominalTime: two facets under the key 'nominalTime'; remove one",
    ),
    (
        lambda: RunFacets([nominal_time()], nominal_time=nominal_time()),
        "/nominalTime: two facets under the key 'nominalTime'; remove one",
    ),
    (
        lambda: Run(facets=[TagRunFacet(tags=[]), TagsRunFacet(tags=[])]),
        "/facets/tags: two facets under the key 'tags'; remove one",
    ),
    (lambda: Run(facets=[RunFacet(cost=1)]), "/facets: RunFacet has no facet key; pass it by facet key:"),
    (
        lambda: Run(facets={"acme_cost": BaseFacet(cost=1)}),
        "/facets/acme_cost: expected a RunFacet, found a BaseFacet; use the base facet of the entity",
    ),
    (lambda: Run(facets=[TagFacet(tags=[])]), "/facets: expected a RunFacet, found a TagFacet; use the base"),
    (
        lambda: job(facets=[{"query": "SELECT 1"}]),
        "/facets: expected a facet, found an object; create one, such as DocumentationJobFacet(...)",
    ),
    (
        lambda: job(facets=[SQLJobFacet]),
        "/facets: expected a facet, found the class SQLJobFacet; create an instance: SQLJobFacet(...)",
    ),
    (
        lambda: job(facets={"sql": {"query": "SELECT 1"}}),
        "/facets/sql: expected a facet, found an object without ...; use its class: SQLJobFacet(query=...)",
    ),
    (
        lambda: Run(facets={"acme_cost": {"usd": 1, "by unit": {}}}),
        "/facets/acme_cost: expected a facet, found an object without ...; use its class: RunFacet(usd=...)",
    ),
    (
        lambda: Run(facets=nominal_time()),
        "/facets: expected a list of facets..., found a NominalTimeRunFacet; wrap a single facet in a list",
    ),
    (lambda: Run(facets="nominalTime"), "/facets: expected a list of facets, or a mapping from facet key to"),
    (lambda: Run(facets=JobFacets([sql()])), "/facets/sql: expected a RunFacet, found a SQLJobFacet"),
    (
        lambda: Run(
            facets=[
                TagRunFacet(
                    tags=[tag.TagFacetFields(key="retries", value=3)],
                    schema_url="https://example.com/Other.json",
                )
            ]
        ),
        "/facets/tags: expected a TagsRunFacet, found a TagRunFacet",
    ),
    (
        lambda: RunFacets(nominal_tme=nominal_time()),
        "/nominal_tme: RunFacets has no facet 'nominal_tme'; did you mean 'nominal_time'?",
    ),
    (lambda: RunFacets(with_facets=nominal_time()), "/with_facets: RunFacets has no facet 'with_facets';"),
]


@each(("compose", "message"), WRONG, ids=[message for _, message in WRONG])
def test_the_error_for_a_misplaced_facet_names_the_correct_place(
    compose: Callable[[], object], message: str
) -> None:
    with pytest.raises(EventError) as rejected:
        compose()
    assert_one_finding(rejected, message)


def outcome(compose: Callable[[], Job]) -> str:
    try:
        return compose().to_json().decode()
    except EventError as error:
        return str(error)


TWICE = [sql(), sql()]
DELETED = SQLJobFacet(query="SELECT 1", deleted=True)
GIVEN: dict[str, Any] = {
    "a facet": [sql()],
    "no facet": [],
    "by key": {"sql": sql()},
    "by the wrong key": {"query": sql()},
    "two of one class": TWICE,
    "deleted": [DELETED],
    "of another entity": [nominal_time()],
    "of both": (sql(), nominal_time()),
    "of an unusual class": [type("SQLJobFacet", (SQLJobFacet,), {})(query="SELECT 1")],
    "not a facet": ["SELECT 1"],
    "not a facet, in a tuple with one": (sql(), "SELECT 1"),
}


@each("facets", GIVEN.values(), ids=GIVEN)
def test_facets_are_accepted_or_refused_the_same_after_others_of_their_class(facets: Any) -> None:
    def compose() -> Job:
        return job(facets=facets)

    facet_map._usual_classes.cache_clear()
    first = outcome(compose)
    job(facets=[sql()])
    assert facet_map._usual_classes(JobFacets) == {SQLJobFacet: "sql"}
    assert outcome(compose) == first


def test_facets_are_in_the_order_of_the_schema_however_often_they_are_composed() -> None:
    facets = [sql(), JobTypeJobFacet(processing_type="BATCH", integration="SPARK", job_type="JOB")]
    names = [
        list(job(facets=order).to_dict()["facets"]) for order in (facets, facets[::-1], facets, facets[::-1])
    ]
    assert names == [names[0]] * 4
