"""A container accepts facets in a list, by facet key or by Python name, and rejects misplaced ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from openlineage_facets import EventError, InputDataset, Job, OutputDataset, Run, StaticDataset
from openlineage_facets.base.containers import facet_map
from openlineage_facets.facets import (
    BaseFacet,
    DatasetFacet,
    DatasetFacets,
    InputDatasetFacets,
    InputStatisticsInputDatasetFacet,
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
from tests.composing.orders import PRODUCER, RUN_ID, columns, nominal_time, sql

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


@pytest.mark.parametrize("collection", [list, tuple, iter], ids=lambda kind: kind.__name__)
def test_facets_may_be_any_iterable(collection: Callable[[list[Any]], Any]) -> None:
    facets = Run(facets=collection([nominal_time(), engine()])).facets
    assert facets == {"nominalTime": nominal_time(), "processing_engine": engine()}


def test_facets_may_be_a_container() -> None:
    facets = RunFacets([nominal_time()])
    assert Run(facets=facets).facets == facets


def test_every_entity_has_a_container_of_its_own_class() -> None:
    source = InputDataset(
        namespace="a",
        name="b",
        facets=[columns("id")],
        input_facets=[InputStatisticsInputDatasetFacet(row_count=1)],
    )
    target = OutputDataset(
        namespace="a",
        name="b",
        facets=[columns("id")],
        output_facets=[OutputStatisticsOutputDatasetFacet(row_count=1)],
    )
    static = StaticDataset(namespace="a", name="b", facets=[columns("id")])
    assert type(Run(facets=[]).facets) is RunFacets
    assert type(Job(namespace="a", name="b", facets=[]).facets) is JobFacets
    assert (type(source.facets), type(source.input_facets)) == (DatasetFacets, InputDatasetFacets)
    assert (type(target.facets), type(target.output_facets)) == (DatasetFacets, OutputDatasetFacets)
    assert type(static.facets) is DatasetFacets


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


WRONG: dict[str, tuple[Callable[[], object], str, str]] = {
    "a job facet on a run": (
        lambda: Run(facets=[sql()]),
        "/facets",
        "expected a RunFacet, found an? SQLJobFacet; .*JobFacet",
    ),
    "a run facet on a job": (
        lambda: Job(namespace="a", name="b", facets=[nominal_time()]),
        "/facets",
        "expected a JobFacet, found a NominalTimeRunFacet; .*RunFacet",
    ),
    "a dataset facet on a run": (lambda: Run(facets=[columns("id")]), "/facets", "DatasetFacet"),
    "a dataset facet among the input facets": (
        lambda: InputDataset(namespace="a", name="b", input_facets=[columns("id")]),
        "/inputFacets",
        "expected an InputDatasetFacet, found a SchemaDatasetFacet",
    ),
    "an output facet on an input": (
        lambda: InputDataset(
            namespace="a",
            name="b",
            input_facets=[OutputStatisticsOutputDatasetFacet(row_count=1)],
        ),
        "/inputFacets",
        "expected an InputDatasetFacet, found an OutputStatisticsOutputDatasetFacet",
    ),
    "an input facet among the dataset's": (
        lambda: InputDataset(
            namespace="a",
            name="b",
            facets=[InputStatisticsInputDatasetFacet(row_count=1)],
        ),
        "/facets",
        "expected a DatasetFacet, found an InputStatisticsInputDatasetFacet",
    ),
    "a job facet by keyword": (
        lambda: RunFacets(nominal_time=sql()),
        "",
        "expected a (NominalTime)?RunFacet, found an? SQLJobFacet",
    ),
    "a facet by another's keyword": (
        lambda: RunFacets(parent=nominal_time()),
        "",
        "'nominalTime'",
    ),
    "a facet under a near key": (
        lambda: Run(facets={"parentRun": parent()}),
        "/facets",
        "expected the facet key 'parent' for ParentRunFacet, found 'parentRun'; use 'parent'",
    ),
    "a facet under another's key": (
        lambda: Run(facets={"parent": nominal_time()}),
        "/facets",
        "expected the facet key 'nominalTime' for NominalTimeRunFacet, found 'parent'",
    ),
    "a facet under its Python name": (
        lambda: Run(facets={"nominal_time": nominal_time()}),
        "/facets",
        "expected the facet key 'nominalTime' for NominalTimeRunFacet, found 'nominal_time'",
    ),
    "a base facet under a known key": (
        lambda: Run(facets={"nominalTime": RunFacet(cost=1)}),
        "/facets/nominalTime",
        "expected a NominalTimeRunFacet, found a RunFacet",
    ),
    "a facet twice": (
        lambda: Run(facets=[nominal_time(), nominal_time()]),
        "/facets/nominalTime",
        "two facets under the key 'nominalTime'; remove one",
    ),
    "a facet by list and by keyword": (
        lambda: RunFacets([nominal_time()], nominal_time=nominal_time()),
        "/nominalTime",
        "two facets under the key 'nominalTime'; remove one",
    ),
    "both wire formats of the tags": (
        lambda: Run(facets=[TagRunFacet(tags=[]), TagsRunFacet(tags=[])]),
        "/facets/tags",
        "two facets under the key 'tags'; remove one",
    ),
    "a base facet without a key": (
        lambda: Run(facets=[RunFacet(cost=1)]),
        "/facets",
        "RunFacet has no facet key; pass it by facet key",
    ),
    "a facet of no entity": (
        lambda: Run(facets={"acme_cost": BaseFacet(cost=1)}),
        "/facets",
        "expected a RunFacet, found a BaseFacet; (?!.*BaseFacet is a BaseFacet)",
    ),
    "the common part of the tag facets": (
        lambda: Run(facets=[TagFacet(tags=[])]),
        "/facets",
        "expected a RunFacet, found a TagFacet; (?!.*TagFacet is a TagFacet)",
    ),
    "another entity's base facet": (
        lambda: Run(facets={"acme_cost": DatasetFacet()}),
        "/facets",
        "expected a RunFacet, found a DatasetFacet",
    ),
    "a facet class instead of a facet": (
        lambda: Run(facets=[NominalTimeRunFacet]),
        "/facets",
        "expected a facet",
    ),
    "plain dicts in a list": (
        lambda: Job(namespace="a", name="b", facets=[{"query": "SELECT 1"}]),
        "/facets",
        r"expected a facet, found an object; create one, such as \w+JobFacet\(\.\.\.\)$",
    ),
    "a class in a list": (
        lambda: Job(namespace="a", name="b", facets=[SQLJobFacet]),
        "/facets",
        r"expected a facet, found the class SQLJobFacet; create an instance: SQLJobFacet\(\.\.\.\)$",
    ),
    "the fields of a known facet": (
        lambda: Job(namespace="a", name="b", facets={"sql": {"query": "SELECT 1"}}),
        "/facets/sql",
        r"expected a facet, found an object without '_producer' and '_schemaURL'; "
        r"use its class: SQLJobFacet\(query=\.\.\.\)$",
    ),
    "the fields of a custom facet": (
        lambda: Run(facets={"acme_cost": {"usd": 1, "by unit": {}}}),
        "/facets/acme_cost",
        r"use its class: RunFacet\(usd=\.\.\.\)$",
    ),
    "a single facet": (
        lambda: Run(facets=nominal_time()),
        "/facets",
        "wrap a single facet in a list",
    ),
    "text": (lambda: Run(facets="nominalTime"), "/facets", "a list of facets, or a mapping"),
    "another entity's container": (
        lambda: Run(facets=JobFacets([sql()])),
        "/facets",
        "RunFacet",
    ),
    "a proposal's facet under a schema URL that hides it": (
        lambda: Run(
            facets=[
                TagRunFacet(
                    tags=[tag.TagFacetFields(key="retries", value=3)],
                    schema_url="https://example.com/Other.json",
                )
            ]
        ),
        "/facets/tags",
        "expected a TagsRunFacet, found a TagRunFacet",
    ),
    "a keyword near a facet's name": (
        lambda: RunFacets(nominal_tme=nominal_time()),
        "",
        "did you mean 'nominal_time'",
    ),
    "a wire key as keyword": (
        lambda: RunFacets(nominalTime=nominal_time()),
        "",
        "did you mean 'nominal_time'",
    ),
    "a method's name as keyword": (
        lambda: RunFacets(with_facets=nominal_time()),
        "",
        "with_facets",
    ),
}


@each(("compose", "pointer", "words"), WRONG.values(), ids=WRONG)
def test_the_error_for_a_misplaced_facet_names_the_correct_place(
    compose: Callable[[], object], pointer: str, words: str
) -> None:
    with pytest.raises(EventError, match=words) as rejected:
        compose()
    assert all(finding.pointer.startswith(pointer) for finding in rejected.value.findings)
    assert len(str(rejected.value).splitlines()) == len(rejected.value.findings) > 0


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
        return Job(namespace="etl", name="orders", facets=facets)

    facet_map._usual_classes.cache_clear()
    first = outcome(compose)
    Job(namespace="etl", name="orders", facets=[sql()])
    assert facet_map._usual_classes(JobFacets) == {SQLJobFacet: "sql"}
    assert outcome(compose) == first


def test_facets_are_in_the_order_of_the_schema_however_often_they_are_composed() -> None:
    facets = [sql(), JobTypeJobFacet(processing_type="BATCH", integration="SPARK", job_type="JOB")]
    names = [
        list(Job(namespace="etl", name="orders", facets=order).to_dict()["facets"])
        for order in (facets, facets[::-1], facets, facets[::-1])
    ]
    assert names == [names[0]] * 4
