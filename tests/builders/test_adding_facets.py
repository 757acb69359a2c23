"""`.facet(...)` adds any facet of the entity, `.delete(...)` adds a tombstone."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from openlineage_facets import EventError, parse_event
from openlineage_facets.facets import (
    DatasetFacet,
    InputDatasetFacet,
    InputStatisticsInputDatasetFacet,
    JobFacet,
    OutputDatasetFacet,
    OutputStatisticsOutputDatasetFacet,
    SchemaDatasetFacet,
    SQLJobFacet,
)
from tests.builders.sample_builders import (
    DAILY,
    LAKE,
    PRODUCER,
    RAW,
    dataset_builder,
    job_builder,
    run_builder,
    without_producers,
)
from tests.cases import each
from tests.oracle.expected_results import oracle_result


class ScanInputDatasetFacet(InputDatasetFacet):
    __facet_key__ = "acme_scan"

    files: int


def facets_of(entity: Any, container: str = "facets") -> Any:
    """Return the wire form of the facets of a built entity."""
    return without_producers(entity.build().to_dict()).get(container)


def test_facet_object_and_facet_method_are_equivalent() -> None:
    by_object = run_builder().job.facet(SQLJobFacet(query="select 1", producer=PRODUCER)).build()
    assert by_object == run_builder().job.sql(query="select 1").build()


def test_later_facet_replaces_earlier_one() -> None:
    job = run_builder().job.sql(query="select 1").facet(SQLJobFacet(query="select 2"))
    assert facets_of(job) == {"sql": {"query": "select 2"}}
    assert facets_of(job.sql(query="select 3")) == {"sql": {"query": "select 3"}}


def test_base_facet_is_stored_under_the_passed_key() -> None:
    job = run_builder().job.facet(JobFacet(cron="0 5 * * *"), key="acme_schedule")
    assert facets_of(job) == {"acme_schedule": {"cron": "0 5 * * *"}}


def test_facets_of_a_dataset_and_of_its_use_are_separate() -> None:
    source, target = run_builder().input(LAKE, RAW), run_builder().output(LAKE, DAILY)
    source.facet(SchemaDatasetFacet(fields=[])).facet(InputStatisticsInputDatasetFacet(row_count=3))
    source.facet(DatasetFacet(shelf=7), key="acme_shelf").facet(ScanInputDatasetFacet(files=2))
    target.facet(SchemaDatasetFacet(fields=[])).facet(OutputStatisticsOutputDatasetFacet(row_count=3))
    assert facets_of(source).keys() == {"schema", "acme_shelf"}
    assert facets_of(source, "inputFacets").keys() == {"inputStatistics", "acme_scan"}
    assert facets_of(target).keys() == {"schema"}
    assert facets_of(target, "outputFacets").keys() == {"outputStatistics"}


def test_same_key_in_dataset_and_input_facets() -> None:
    source = run_builder().input(LAKE, RAW)
    source.data_quality_metrics(column_metrics={}, row_count=1)
    source.input_data_quality_metrics(column_metrics={}, row_count=2)
    assert facets_of(source)["dataQualityMetrics"]["rowCount"] == 1
    assert facets_of(source, "inputFacets")["dataQualityMetrics"]["rowCount"] == 2


# Tombstones.


@each(
    "entity",
    [
        pytest.param(lambda: run_builder().job, id="job of a run"),
        pytest.param(lambda: job_builder().job, id="job"),
        pytest.param(lambda: run_builder().input(LAKE, RAW), id="input"),
        pytest.param(lambda: run_builder().output(LAKE, DAILY), id="output"),
        pytest.param(lambda: dataset_builder().dataset, id="dataset"),
    ],
)
@each("key", ["documentation", "acme_shelf", "tags"])
def test_delete_adds_tombstone(entity: Any, key: str) -> None:
    builder = entity()
    assert builder.delete(key) is builder
    facets = builder.build().to_dict()["facets"]
    assert facets[key]["_deleted"] is True
    assert facets[key].keys() == {"_producer", "_schemaURL", "_deleted"}
    assert facets[key]["_producer"] == PRODUCER


@pytest.mark.parametrize("key", ["schema", "columnLineage", "lifecycleStateChange", "ownership"])
def test_tombstone_is_valid_without_required_fields(key: str) -> None:
    build = dataset_builder()
    build.dataset.delete(key)
    event = build.build()
    assert oracle_result(json.loads(event.to_json())).failed == ""
    assert parse_event(event.to_json()) == event


@each(
    ("entity", "key"),
    [
        ("run", "nominalTime"),
        *(("input", key) for key in ("inputStatistics", "icebergScanReport", "dataQualityAssertions")),
        *(("output", key) for key in ("outputStatistics", "icebergCommitReport")),
    ],
)
def test_facets_of_a_run_cannot_be_deleted(entity: str, key: str) -> None:
    """Input and output facets belong to one run: a tombstone of the dataset would have no effect."""
    build = run_builder()
    builders = {"run": build.run, "input": build.input(LAKE, RAW), "output": build.output(LAKE, DAILY)}
    problem = "facets of a run cannot be deleted; they end with the run"
    if entity != "run":
        problem = "input and output facets cannot be deleted; they describe one run"
    with pytest.raises(EventError, match=f"/{key}: {problem}$"):
        builders[entity].delete(key)
    assert facets_of(builders[entity]) is None


def test_facet_and_tombstone_replace_each_other() -> None:
    job = run_builder().job.sql(query="select 1").delete("sql")
    assert facets_of(job) == {"sql": {"_deleted": True}}
    assert facets_of(job.sql(query="select 2")) == {"sql": {"query": "select 2"}}


@each(
    ("entity", "key", "hint"),
    [
        ("job", "SQL", "did you mean 'sql'"),
        ("job", "job_type", "did you mean 'jobType'"),
        ("job", "tag", "did you mean 'tags'"),
        ("job", "OwnershipJobFacet", "did you mean 'ownership'"),
        ("job", "nominalTime", "it belongs to RunFacets"),
        ("job", "outputStatistics", "it belongs to OutputDatasetFacets"),
        ("output", "output_statistics", "did you mean 'outputStatistics'"),
        ("output", "inputStatistics", "it belongs to InputDatasetFacets"),
    ],
)
def test_misspelled_keys_and_keys_of_other_entities_are_rejected(entity: str, key: str, hint: str) -> None:
    build = run_builder()
    builder: Any = build.job if entity == "job" else build.output(LAKE, DAILY)
    base = JobFacet(acme=1) if entity == "job" else OutputDatasetFacet(acme=1)
    for add in (builder.delete, lambda key: builder.facet(base, key)):
        with pytest.raises(EventError, match=re.escape(hint)) as rejected:
            add(key)
        assert [finding.code for finding in rejected.value.findings] == ["OL013"]
    assert facets_of(builder) is None


@pytest.mark.parametrize("key", ["", 7, None])
def test_delete_rejects_invalid_keys(key: Any) -> None:
    job = run_builder().job
    with pytest.raises(EventError):
        job.delete(key)
    assert facets_of(job) is None


def test_column_can_have_any_name() -> None:
    """Keys of a map are column names, not field names."""
    target = run_builder().output(LAKE, DAILY)
    target.column_lineage(fields={"input_fields": {"inputFields": []}, "": {"inputFields": []}})
    assert facets_of(target)["columnLineage"]["fields"].keys() == {"input_fields", ""}
