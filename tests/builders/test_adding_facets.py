"""`.facet(...)` adds any facet of the entity, `.delete(...)` adds a tombstone."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from openlineage_facets import EventError, parse_event
from openlineage_facets.facets import (
    ColumnLineageDatasetFacet,
    DatasetFacet,
    InputDatasetFacet,
    InputStatisticsInputDatasetFacet,
    JobFacet,
    NominalTimeRunFacet,
    OutputStatisticsOutputDatasetFacet,
    RunFacet,
    SchemaDatasetFacet,
    SQLJobFacet,
    column_lineage_dataset,
    schema_dataset,
)
from tests.builders.sample_builders import (
    DAILY,
    LAKE,
    NOON,
    PRODUCER,
    RAW,
    dataset_builder,
    job_builder,
    run_builder,
    without_producers,
)
from tests.cases import each
from tests.oracle.expected_results import oracle_result


class CostRunFacet(RunFacet):
    __facet_key__ = "acme_cost"
    __schema_url__ = "https://example.com/schemas/CostRunFacet.json#/$defs/CostRunFacet"

    usd: float


class ScanInputDatasetFacet(InputDatasetFacet):
    __facet_key__ = "acme_scan"

    files: int


def facets_of(entity: Any, container: str = "facets") -> Any:
    """Return the wire form of the facets of a built entity."""
    return without_producers(entity.build().to_dict()).get(container)


def test_typed_facet_is_stored_under_its_key() -> None:
    run = run_builder().run.facet(NominalTimeRunFacet(nominal_start_time=NOON))
    assert facets_of(run) == {"nominalTime": {"nominalStartTime": NOON}}


def test_facet_object_and_facet_method_are_equivalent() -> None:
    by_object = run_builder().job.facet(SQLJobFacet(query="select 1", producer=PRODUCER)).build()
    assert by_object == run_builder().job.sql(query="select 1").build()


def test_later_facet_replaces_earlier_one() -> None:
    job = run_builder().job.sql(query="select 1").facet(SQLJobFacet(query="select 2"))
    assert facets_of(job) == {"sql": {"query": "select 2"}}
    assert facets_of(job.sql(query="select 3")) == {"sql": {"query": "select 3"}}


def test_custom_facet_is_stored_under_the_key_of_its_class() -> None:
    run = run_builder().run.facet(CostRunFacet(usd=1.5))
    facet = run.build().to_dict()["facets"]["acme_cost"]
    assert (facet["usd"], facet["_schemaURL"]) == (1.5, CostRunFacet.__schema_url__)


def test_base_facet_is_stored_under_the_passed_key() -> None:
    job = run_builder().job.facet(JobFacet(cron="0 5 * * *"), key="acme_schedule")
    assert facets_of(job) == {"acme_schedule": {"cron": "0 5 * * *"}}


def test_dataset_facets_and_input_facets_are_separate() -> None:
    source = run_builder().input(LAKE, RAW)
    source.facet(SchemaDatasetFacet(fields=[])).facet(InputStatisticsInputDatasetFacet(row_count=3))
    source.facet(DatasetFacet(shelf=7), key="acme_shelf").facet(ScanInputDatasetFacet(files=2))
    assert facets_of(source).keys() == {"schema", "acme_shelf"}
    assert facets_of(source, "inputFacets").keys() == {"inputStatistics", "acme_scan"}


def test_dataset_facets_and_output_facets_are_separate() -> None:
    target = run_builder().output(LAKE, DAILY)
    target.facet(SchemaDatasetFacet(fields=[])).facet(OutputStatisticsOutputDatasetFacet(row_count=3))
    assert facets_of(target).keys() == {"schema"}
    assert facets_of(target, "outputFacets").keys() == {"outputStatistics"}


def test_same_key_in_dataset_and_input_facets() -> None:
    source = run_builder().input(LAKE, RAW)
    source.data_quality_metrics(column_metrics={}, row_count=1)
    source.input_data_quality_metrics(column_metrics={}, row_count=2)
    assert facets_of(source)["dataQualityMetrics"]["rowCount"] == 1
    assert facets_of(source, "inputFacets")["dataQualityMetrics"]["rowCount"] == 2


def test_custom_facet_round_trip() -> None:
    build = run_builder()
    build.run.facet(CostRunFacet(usd=1.5))
    event = build.start()
    assert oracle_result(json.loads(event.to_json())).failed == ""
    read = parse_event(event.to_json())
    assert read.to_json() == event.to_json()


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


def test_facet_and_tombstone_replace_each_other() -> None:
    job = run_builder().job.sql(query="select 1").delete("sql")
    assert facets_of(job) == {"sql": {"_deleted": True}}
    assert facets_of(job.sql(query="select 2")) == {"sql": {"query": "select 2"}}


def test_run_facets_cannot_be_deleted() -> None:
    run = run_builder().run.nominal_time(nominal_start_time=NOON)
    with pytest.raises(EventError, match="/facets/nominalTime: facets of a run cannot be deleted; they end"):
        run.delete("nominalTime")
    assert facets_of(run) == {"nominalTime": {"nominalStartTime": NOON}}


@pytest.mark.parametrize("key", ["inputStatistics", "icebergScanReport", "dataQualityAssertions"])
def test_input_facets_cannot_be_deleted(key: str) -> None:
    """Input facets belong to one run. A tombstone among the dataset facets would have no effect."""
    source = run_builder().input(LAKE, RAW)
    with pytest.raises(EventError, match=f"/{key}: facets of a run cannot be deleted; they end"):
        source.delete(key)
    assert facets_of(source) is None


@pytest.mark.parametrize("key", ["outputStatistics", "icebergCommitReport"])
def test_output_facets_cannot_be_deleted(key: str) -> None:
    with pytest.raises(EventError, match=f"/{key}: facets of a run cannot be deleted; they end"):
        run_builder().output(LAKE, DAILY).delete(key)


@pytest.mark.parametrize(
    ("name", "key"), [("column_lineage", "columnLineage"), ("data_source", "dataSource")]
)
def test_delete_requires_facet_key(name: str, key: str) -> None:
    with pytest.raises(EventError, match=key):
        dataset_builder().dataset.delete(name)


WRONG_KEYS = [
    ("SQL", "did you mean 'sql'"),
    ("jobtype", "did you mean 'jobType'"),
    ("job_type", "did you mean 'jobType'"),
    ("tag", "did you mean 'tags'"),
    ("OwnershipJobFacet", "did you mean 'ownership'"),
    ("nominalTime", "it belongs to RunFacets"),
    ("outputStatistics", "it belongs to OutputDatasetFacets"),
]
"""Wrong keys of job facets, with the suggested key."""


@pytest.mark.parametrize(("key", "hint"), WRONG_KEYS)
def test_delete_rejects_misspelled_keys_and_keys_of_other_entities(key: str, hint: str) -> None:
    job = run_builder().job
    for add in (job.delete, lambda key: job.facet(JobFacet(acme=1), key)):
        with pytest.raises(EventError, match=re.escape(hint)) as rejected:
            add(key)
        assert [finding.code for finding in rejected.value.findings] == ["OL013"]
    assert facets_of(job) is None


def test_delete_on_output_requires_facet_key() -> None:
    output = run_builder().output(LAKE, DAILY)
    for key, hint in (("output_statistics", "'outputStatistics'"), ("inputStatistics", "InputDatasetFacets")):
        with pytest.raises(EventError, match=hint):
            output.delete(key)
    assert facets_of(output) is None


def test_delete_custom_facet() -> None:
    assert facets_of(run_builder().job.delete("acme_cost")) == {"acme_cost": {"_deleted": True}}


@pytest.mark.parametrize("key", ["", 7, None])
def test_delete_rejects_invalid_keys(key: Any) -> None:
    job = run_builder().job
    with pytest.raises(EventError):
        job.delete(key)
    assert facets_of(job) is None


# Nested items as dicts.


def test_nested_items_can_be_dicts_with_wire_names() -> None:
    rows: list[Any] = [
        {"name": "id", "type": "bigint", "ordinal_position": 1},
        {"name": "address", "type": "struct", "fields": [{"name": "city"}]},
    ]
    typed = [
        schema_dataset.SchemaDatasetFacetFields(name="id", type="bigint", ordinal_position=1),
        schema_dataset.SchemaDatasetFacetFields(
            name="address", type="struct", fields=[schema_dataset.SchemaDatasetFacetFields(name="city")]
        ),
    ]
    plain = dataset_builder().dataset.schema(fields=rows)
    assert plain.build() == dataset_builder().dataset.schema(fields=typed).build()
    assert plain.build() == dataset_builder().dataset.schema(fields=[rows[0], typed[1]]).build()
    assert facets_of(plain)["schema"]["fields"] == rows


def test_nested_items_in_mapping_can_be_dicts() -> None:
    row = {"namespace": LAKE, "name": RAW, "field": "amount", "transformations": [{"type": "DIRECT"}]}
    plain = run_builder().output(LAKE, DAILY).column_lineage(fields={"total": {"inputFields": [row]}})
    facet = plain.build().facets.column_lineage
    assert isinstance(facet, ColumnLineageDatasetFacet)
    assert isinstance(facet.fields["total"], column_lineage_dataset.Fields)
    assert facet.fields["total"].input_fields[0].field == "amount"
    assert facets_of(plain)["columnLineage"]["fields"]["total"]["inputFields"] == [row]


def test_nested_object_can_be_dict() -> None:
    run = run_builder().run.parent(
        run={"runId": "0195793a-e7b1-7d09-b2c8-40f6a95e1d37"}, job={"namespace": "airflow", "name": "orders"}
    )
    assert run.build().facets.parent.job.name == "orders"


@pytest.mark.parametrize(
    ("row", "pointer"),
    [
        ({"type": "int"}, "/fields/1/name"),
        ({"name": 7}, "/fields/1/name"),
        ({"name": "id", "ordinal_position": "1"}, "/fields/1/ordinal_position"),
        ({"name": "id", "fields": [{}]}, "/fields/1/fields/0/name"),
        ({"name": "id", "ordinalPosition": 1}, "/fields/1/ordinalPosition"),
        ({"name": "id", "typ": "int"}, "/fields/1/typ"),
        ("id", "/fields/1"),
    ],
    ids=str,
)
def test_invalid_nested_item_is_rejected_with_its_pointer(row: Any, pointer: str) -> None:
    dataset = dataset_builder().dataset
    with pytest.raises(EventError) as rejected:
        dataset.schema(fields=[{"name": "first"}, row])
    assert [finding.pointer for finding in rejected.value.findings] == [pointer]
    assert facets_of(dataset) is None


def test_dicts_use_wire_names_only() -> None:
    target = run_builder().output(LAKE, DAILY)
    with pytest.raises(EventError, match="/fields/id/inputFields|did you mean 'inputFields'"):
        target.column_lineage(fields={"id": {"input_fields": []}})
    row = {"namespace": LAKE, "name": RAW, "field": "id", "transformation": []}
    with pytest.raises(EventError, match="/transformation: .*did you mean 'transformations'"):
        target.column_lineage(fields={"id": {"inputFields": [row]}})
    assert facets_of(target) is None


def test_column_can_have_any_name() -> None:
    """Keys of a map are column names, not field names."""
    target = run_builder().output(LAKE, DAILY)
    target.column_lineage(fields={"input_fields": {"inputFields": []}, "": {"inputFields": []}})
    assert facets_of(target)["columnLineage"]["fields"].keys() == {"input_fields", ""}
