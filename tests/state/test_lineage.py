"""The lineage graph of jobs, datasets and columns."""

from __future__ import annotations

from typing import Any

from openlineage_facets import DatasetEvent, Event, EventType, JobEvent, StaticDataset
from openlineage_facets.facets import (
    ColumnLineageDatasetFacet,
    DatasetFacet,
    LineageDatasetFacet,
    LineageJobFacet,
    OutputStatisticsOutputDatasetFacet,
    SymlinksDatasetFacet,
    column_lineage_dataset,
    lineage,
    symlinks_dataset,
)
from openlineage_facets.state import (
    ColumnEdge,
    ColumnId,
    DatasetId,
    Edge,
    JobId,
    LineageState,
    Transformation,
)
from tests.events import folded
from tests.state.sample_events import at, dataset_event, job_event, reading, run_event, writing

LOAD = JobId("etl", "load")


def db(name: str) -> DatasetId:
    return DatasetId("db", name)


def column(dataset: str, name: str) -> ColumnId:
    return ColumnId(db(dataset), name)


def edges(state: LineageState, **options: Any) -> dict[tuple[Any, Any], Edge]:
    return {(edge.source, edge.target): edge for edge in state.lineage(**options).edges}


def columns(state: LineageState, **options: Any) -> dict[tuple[Any, Any], ColumnEdge]:
    return {(edge.source, edge.target): edge for edge in state.lineage(**options).columns}


def from_column(dataset: str, name: str, *steps: column_lineage_dataset.Transformation) -> Any:
    return column_lineage_dataset.InputField(
        namespace="db", name=dataset, field=name, transformations=steps or None
    )


def made_from(**sources: list[Any]) -> ColumnLineageDatasetFacet:
    return ColumnLineageDatasetFacet(
        fields={name: column_lineage_dataset.Fields(input_fields=inputs) for name, inputs in sources.items()}
    )


def dataset_source(name: str, field: str | None = None, **parts: Any) -> lineage.LineageDatasetInput:
    return lineage.LineageDatasetInput(namespace="db", name=name, type="DATASET", field=field, **parts)


class TestJobs:
    def test_edges_of_run_event(self) -> None:
        state = folded(run_event(1, "START", inputs=reading(name="orders"), outputs=writing(name="daily")))
        assert list(edges(state)) == [(db("orders"), LOAD), (LOAD, db("daily"))]
        assert state.lineage().columns == ()

    def test_origins_and_time_span_of_edge(self) -> None:
        state = folded(
            job_event(2, inputs=["orders"], outputs=["daily"]),
            run_event(4, "START", inputs=reading(name="orders")),
            run_event(3, "START", inputs=reading(name="orders")),
        )
        read, written = edges(state)[db("orders"), LOAD], edges(state)[LOAD, db("daily")]
        assert read.origins == ("job", "run")
        assert written.origins == ("job",)
        assert (str(read.first_seen), str(read.last_seen)) == (at(2), at(4))

    def test_inputs_and_outputs_of_job_accumulate(self) -> None:
        state = folded(job_event(1, inputs=["a"], outputs=["c"]), job_event(2, inputs=["b"]), job_event(3))
        now, before = state.job("etl", "load"), state.job("etl", "load", at=at(1))
        assert now is not None
        assert before is not None
        assert (now.inputs, now.outputs) == ((db("a"), db("b")), (db("c"),))
        assert before.inputs == (db("a"),)


class TestColumns:
    def test_edges_of_column_lineage_facet(self) -> None:
        summed = column_lineage_dataset.Transformation(
            type="DIRECT", subtype="AGGREGATION", description="sum"
        )
        facet = made_from(total=[from_column("orders", "amount", summed)])
        state = folded(run_event(1, "COMPLETE", outputs=writing(facet, name="daily")))
        assert state.lineage().columns == (
            ColumnEdge(
                column("orders", "amount"),
                column("daily", "total"),
                (Transformation("DIRECT", "AGGREGATION", "sum"),),
            ),
        )

    def test_dataset_level_column_lineage(self) -> None:
        facet = ColumnLineageDatasetFacet(fields={}, dataset=[from_column("orders", "status")])
        assert list(columns(folded(dataset_event(1, facet, name="daily")))) == [
            (column("orders", "status"), db("daily"))
        ]

    def test_only_current_column_lineage_is_used(self) -> None:
        state = folded(
            dataset_event(1, made_from(a=[from_column("orders", "x")]), name="daily"),
            dataset_event(2, made_from(a=[from_column("orders", "y")]), name="daily"),
        )
        assert list(columns(state)) == [(column("orders", "y"), column("daily", "a"))]
        state.apply(dataset_event(3, name="daily", columnLineage=DatasetFacet(deleted=True)))
        assert columns(state) == {}

    def test_deprecated_transformation_fields(self) -> None:
        entries = {
            name: column_lineage_dataset.Fields.from_json(
                {
                    "inputFields": [{"namespace": "db", "name": "orders", "field": name}],
                    "transformationType": kind,
                    "transformationDescription": "as it is",
                }
            )
            for name, kind in (("id", "IDENTITY"), ("email", "MASKED"))
        }
        found = columns(folded(dataset_event(1, ColumnLineageDatasetFacet(fields=entries), name="daily")))
        assert [edge.transformations for edge in found.values()] == [
            (Transformation("DIRECT", None, "as it is", masking=True),),
            (Transformation("DIRECT", "IDENTITY", "as it is"),),
        ]

    def test_transformations_override_deprecated_fields(self) -> None:
        entry = column_lineage_dataset.Fields.from_json(
            {
                "inputFields": [
                    {
                        "namespace": "db",
                        "name": "orders",
                        "field": "email",
                        "transformations": [{"type": "INDIRECT", "subtype": "JOIN"}],
                    }
                ],
                "transformationType": "MASKED",
            }
        )
        facet = ColumnLineageDatasetFacet(fields={"email": entry})
        (edge,) = columns(folded(dataset_event(1, facet, name="daily"))).values()
        assert edge.transformations == (Transformation("INDIRECT", "JOIN"),)


class TestLineageFacets:
    def test_dataset_lineage_facet(self) -> None:
        facet = LineageDatasetFacet(inputs=[dataset_source("orders"), dataset_source("orders", "status")])
        state = folded(dataset_event(1, facet, name="view"), dataset_event(2, facet, name="view"))
        edge = edges(state)[db("orders"), db("view")]
        assert edge.origins == ("facet",)
        assert (str(edge.first_seen), str(edge.last_seen)) == (at(1), at(2))
        assert list(columns(state)) == [(column("orders", "status"), db("view"))]

    def test_dataset_lineage_facet_with_columns(self) -> None:
        masked = lineage.LineageTransformation(type="DIRECT", masking=True)
        entry = lineage.LineageFieldEntry(
            inputs=[
                dataset_source("orders", "email", transformations=[masked]),
                dataset_source("people"),
                lineage.LineageJobInput(namespace="etl", name="generate", type="JOB"),
            ]
        )
        facet = LineageDatasetFacet(fields={"email": entry})
        target = column("view", "email")
        assert columns(folded(dataset_event(1, facet, name="view"))) == {
            (source, target): ColumnEdge(source, target, steps)
            for source, steps in (
                (column("orders", "email"), (Transformation("DIRECT", masking=True),)),
                (db("people"), ()),
                (JobId("etl", "generate"), ()),
            )
        }

    def test_job_lineage_facet(self) -> None:
        facet = LineageJobFacet(
            entries=[
                lineage.LineageDatasetEntry(
                    namespace="db", name="daily", type="DATASET", inputs=[dataset_source("orders")]
                ),
                lineage.LineageJobEntry(type="JOB", inputs=[dataset_source("rates")]),
                lineage.LineageDatasetEntry(
                    namespace="db", name="seed", type="DATASET", inputs=[lineage.LineageJobInput(type="JOB")]
                ),
            ]
        )
        assert list(edges(folded(job_event(1, facet)))) == [
            (db("orders"), db("daily")),
            (db("rates"), LOAD),
            (LOAD, db("seed")),
        ]

    def test_job_lineage_facet_with_another_job(self) -> None:
        entry = lineage.LineageJobEntry(
            namespace="etl", name="export", type="JOB", inputs=[dataset_source("daily")]
        )
        assert list(edges(folded(job_event(1, LineageJobFacet(entries=[entry]))))) == [
            (db("daily"), JobId("etl", "export"))
        ]

    def test_unnamed_job_is_the_job_of_the_reporting_run(self) -> None:
        facet = LineageDatasetFacet(inputs=[lineage.LineageJobInput(type="JOB")])
        by_run = folded(run_event(1, "COMPLETE", outputs=writing(facet, name="seed")))
        assert edges(by_run)[LOAD, db("seed")].origins == ("facet", "run")
        assert edges(folded(dataset_event(1, facet, name="seed"))) == {}


class TestSymlinks:
    def linked(self, name: str, *others: str) -> Event:
        identifiers = [
            symlinks_dataset.Identifier(namespace="db", name=other, type="TABLE") for other in others
        ]
        return dataset_event(1, SymlinksDatasetFacet(identifiers=identifiers), name=name)

    def ends(self, *events: Event) -> set[str]:
        state = folded(
            job_event(1, inputs=["a"]),
            JobEvent.from_json(job_event(1, outputs=["b"]).to_json()),
            *events,
            dataset_event(1, made_from(x=[from_column("b", "y")]), name="c"),
        )
        (source,) = (
            edge.source.name for edge in state.lineage(join_symlinks=True).edges if edge.target == LOAD
        )
        (target,) = (
            edge.target.name for edge in state.lineage(join_symlinks=True).edges if edge.source == LOAD
        )
        (column_edge,) = state.lineage(join_symlinks=True).columns
        assert isinstance(column_edge.source, ColumnId)
        assert column_edge.source.dataset.name == target
        return {source, target}

    def test_symlinks_are_not_joined_by_default(self) -> None:
        state = folded(job_event(1, inputs=["alias"]), self.linked("table", "alias"))
        assert list(edges(state)) == [(db("alias"), LOAD)]
        assert list(edges(state, join_symlinks=True)) == [(db("table"), LOAD)]

    def test_join_without_symlinks_facets(self) -> None:
        assert self.ends() == {"a", "b"}

    def test_primary_name_has_the_facet(self) -> None:
        assert self.ends(self.linked("b", "a")) == {"b"}
        assert self.ends(self.linked("z", "a", "b")) == {"z"}

    def test_chains_are_one_dataset(self) -> None:
        assert self.ends(self.linked("m", "a"), self.linked("z", "m"), self.linked("m2", "b")) == {"z", "m2"}
        assert self.ends(self.linked("z", "a", "b"), self.linked("a", "q")) == {"z"}
        assert self.ends(self.linked("z", "z", "a", "b"), self.linked("a", "q")) == {"z"}

    def test_mutual_symlinks_use_the_first_name(self) -> None:
        assert self.ends(self.linked("b", "a"), self.linked("a", "b")) == {"a"}

    def test_symlink_to_itself_is_ignored(self) -> None:
        assert self.ends(self.linked("a", "a")) == {"a", "b"}

    def test_joined_edges_keep_span_and_origins(self) -> None:
        state = folded(
            job_event(1, inputs=["alias"]),
            run_event(3, "START", inputs=reading(name="table")),
            self.linked("table", "alias"),
        )
        ((_, edge),) = edges(state, join_symlinks=True).items()
        assert edge.origins == ("job", "run")
        assert (str(edge.first_seen), str(edge.last_seen)) == (at(1), at(3))


def test_dataset_event_adds_no_edges() -> None:
    state = folded(DatasetEvent(event_time=at(1), dataset=StaticDataset(namespace="db", name="new")))
    assert list(state.datasets()) == [db("new")]
    assert state.lineage().edges == ()


def test_nodes_are_ordered_by_namespace_and_name() -> None:
    for kind in (JobId, DatasetId):
        first, second, third = kind("a", "y"), kind("b", "x"), kind("b", "y")
        assert sorted([third, second, first]) == [first, second, third]


def test_nodes_of_a_graph_are_members_of_sets() -> None:
    event = run_event(0, "COMPLETE", inputs=reading(name="raw"), outputs=writing(name="clean"))
    graph = folded(event).lineage()
    assert len({*graph.jobs, *graph.datasets}) == 3


def test_jobs_have_their_last_ten_runs() -> None:
    runs = [f"01950000-0000-7000-8000-{number:012}" for number in range(12)]
    events = []
    for number, run in enumerate(runs):
        outputs = writing(output_facets=[OutputStatisticsOutputDatasetFacet(row_count=number)])
        events += [
            run_event(2 * number, "START", run),
            run_event(2 * number + 1, "COMPLETE", run, outputs=outputs),
        ]
    (job,) = folded(*reversed(events)).lineage().jobs
    assert job.last_run is not None
    shown = [job.last_run, *job.earlier_runs]
    assert [run.run_id for run in shown] == runs[:1:-1]
    assert all(run.state == EventType.COMPLETE and run.started_at and run.ended_at for run in shown)
    rows = [output.facets["outputStatistics"]["rowCount"] for run in shown for output in run.outputs]
    assert rows == [*range(11, 1, -1)]
    (job,) = folded(*events).lineage(facets={"documentation"}).jobs
    assert job.last_run is not None
    assert [output.facets for output in job.last_run.outputs] == [{}]
