"""The lineage facet of a run contains, for each output, what its own writes have read."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from typing import Any

from pyspark.errors import AnalysisException

from openlineage_facets.builders import RunEventBuilder
from openlineage_facets.facets import ColumnLineageDatasetFacet, LineageJobFacet
from openlineage_facets.spark.capture.recorded_write import RecordedWrite
from openlineage_facets.spark.capture.recorder import FinishedWrite, Recorder
from openlineage_facets.spark.capture.reported_writes import CapturedCall
from openlineage_facets.spark.metrics.counts import Counts
from openlineage_facets.spark.spark_dataset import Change, SparkDataset, new_dataset
from openlineage_facets.spark.statements import DefinedTable

REFUSAL = AnalysisException("[TABLE_OR_VIEW_ALREADY_EXISTS] The table or view already exists")


class Run:
    """A recorder and the builder of its events."""

    def __init__(self) -> None:
        self.builder = RunEventBuilder("etl", "copies")
        self.builder.start()
        self.recorder = Recorder(self.builder, nullcontext())

    def new_write(self) -> RecordedWrite:
        return RecordedWrite(self.recorder, None, CapturedCall(0))

    def planned(self, target: str, *inputs: str, from_python: bool = False, **options: Any) -> RecordedWrite:
        write = self.new_write()
        write.add_inputs([dataset(name) for name in inputs], has_unknown_rows=from_python)
        write.plan(dataset(target), **options)
        return write

    def write(
        self,
        target: str,
        *inputs: str,
        overwrote: bool = False,
        from_python: bool = False,
        change: Change | None = None,
    ) -> None:
        write = self.planned(target, *inputs, from_python=from_python)
        write.add_result(FinishedWrite(dataset(target), Counts(), change, overwrote))
        write.complete()

    def fail(self, target: str, *inputs: str, **options: Any) -> None:
        self.planned(target, *inputs, **options).fail(ValueError("a task has failed"))

    def define(
        self, target: str, change: Change, *inputs: str, previous: str | None = None, **options: Any
    ) -> None:
        write = self.new_write()
        write.add_inputs([dataset(name) for name in inputs])
        renamed = None if previous is None else ("file", previous)
        write.add_definition(DefinedTable(dataset(target), change, renamed, **options))

    def read(self, name: str) -> None:
        self.recorder.inputs.add([dataset(name)])

    def running(self) -> dict[str, Any]:
        """Return the job facets of a RUNNING event."""
        self.recorder.add_lineage()
        return self.builder.running().to_dict()["job"].get("facets", {})

    @property
    def entries(self) -> list[dict[str, Any]]:
        """The entries of the facet in the event of the moment."""
        self.recorder.add_lineage()
        return self.builder.job.build().to_dict()["facets"]["lineage"]["entries"]

    @property
    def sources(self) -> dict[str, list[str] | None]:
        return {
            entry["name"]: [one["name"] for one in entry["inputs"]] if "inputs" in entry else None
            for entry in self.entries
        }


def dataset(name: str) -> SparkDataset:
    return replace(new_dataset("file", name), location=None)


def copied(source: str, *columns: str) -> ColumnLineageDatasetFacet:
    """Return the column lineage of a copy of columns."""
    return ColumnLineageDatasetFacet(
        fields={
            column: {"inputFields": [{"namespace": "file", "name": source, "field": column}]}
            for column in columns
        }
    )


def test_writes_of_an_output_add_up_and_an_overwrite_replaces_them() -> None:
    run = Run()
    run.write("x", "a")
    run.write("x", "b")
    run.write("y", "c")
    assert run.sources == {"x": ["a", "b"], "y": ["c"]}
    run.write("x", "c", overwrote=True)
    assert run.sources == {"x": ["c"], "y": ["c"]}


def test_a_planned_write_counts_until_spark_refuses_it() -> None:
    run = Run()
    run.write("x", "a")
    refused = run.planned("x", "b")
    assert run.sources == {"x": ["a", "b"]}
    refused.fail(REFUSAL)
    assert run.sources == {"x": ["a"]}
    run.planned("y", "b").fail(REFUSAL)
    run.recorder.discard_rejected()
    assert run.sources == {"x": ["a"]}


def test_a_failed_write_remains_an_output_although_spark_refuses_a_later_one() -> None:
    run = Run()
    run.fail("x", "a")
    run.planned("x", "b").fail(REFUSAL)
    run.planned("x", "c", refused=True).fail(REFUSAL)
    run.recorder.discard_rejected()
    assert run.sources == {"x": ["a"]}
    assert [output.name for output in run.builder.complete().outputs or ()] == ["x"]


def test_rows_of_a_failed_write_keep_their_sources_until_they_are_replaced() -> None:
    run = Run()
    run.fail("x", "a")
    run.fail("x", "b")
    run.write("x", "c")
    assert run.sources == {"x": ["a", "b", "c"]}
    run.define("y", "RENAME", previous="x")
    run.write("x", "d")
    assert run.sources == {"x": ["d"], "y": ["a", "b", "c"]}
    run.write("y", "e", overwrote=True)
    assert run.sources == {"x": ["d"], "y": ["e"]}


def test_a_failed_write_has_left_nothing_if_a_later_one_has_created_the_dataset() -> None:
    run = Run()
    run.fail("x", "a")
    run.write("x", "b", change="CREATE")
    assert run.sources == {"x": ["b"]}


def test_columns_of_a_failed_write_remain_and_those_of_a_refused_one_do_not() -> None:
    run = Run()
    run.fail("x", "a", lineage=copied("a", "failed"))
    run.write("x", "b")
    run.planned("x", "c", lineage=copied("c", "refused")).fail(REFUSAL)
    run.define("table", "CREATE")
    run.planned("table", "c", lineage=copied("c", "refused")).fail(REFUSAL)
    columns = {
        output.name: list(output.facets.column_lineage.fields)
        for output in run.builder.complete().outputs or ()
        if output.facets and output.facets.column_lineage
    }
    assert columns == {"x": ["failed"], "table": []}


def test_a_clone_keeps_its_sources_when_rows_are_appended() -> None:
    run = Run()
    run.define("clone", "CREATE", "a", lineage=copied("a", "amount"))
    run.define("like", "CREATE", "a")
    for name in ("clone", "like"):
        run.write(name, "b")
    assert run.sources == {"clone": ["a", "b"], "like": ["b"]}


def test_without_the_only_output_no_entry_is_left() -> None:
    run = Run()
    refused = run.planned("x", "a")
    assert run.sources == {"x": ["a"]}
    refused.fail(REFUSAL)
    run.recorder.discard_rejected()
    assert run.entries == []


def test_what_is_dropped_has_no_sources_and_what_is_altered_keeps_them() -> None:
    run = Run()
    for name in ("dropped", "altered"):
        run.write(name, "a")
    run.define("dropped", "DROP")
    run.define("altered", "ALTER")
    run.define("view", "CREATE", "altered")
    assert run.sources == {"dropped": [], "altered": ["a"], "view": ["altered"]}


def test_rows_that_a_plan_generates_have_no_sources_whatever_python_has_read() -> None:
    run = Run()
    run.write("x", "a")
    run.write("generated")
    run.define("defined", "CREATE")
    run.read("collected")
    run.recorder.add_collected([dataset("collected")])
    assert run.sources == {"x": ["a"], "generated": [], "defined": []}


def test_rows_from_python_may_be_copies_of_other_inputs_than_those_of_their_plan() -> None:
    run = Run()
    run.write("x", "a", from_python=True)
    run.write("rows", from_python=True)
    run.write("copy", "b")
    assert run.sources == {"x": ["a"], "rows": [], "copy": ["b"]}
    run.recorder.add_collected([dataset("a")])
    assert run.sources == {"x": ["a"], "rows": None, "copy": ["b"]}
    run.recorder.add_collected([dataset("b")])
    assert run.sources == {"x": None, "rows": None, "copy": ["b"]}
    assert [name for _, name in run.recorder.outputs_with_unknown_rows()] == ["x", "rows"]


def test_what_was_used_before_it_was_removed_or_replaced_keeps_its_sources() -> None:
    run = Run()
    for number, name in enumerate(("dropped", "truncated", "replaced")):
        run.write(name, f"a{number}")
        run.write(f"copy of {name}", name)
    run.define("dropped", "DROP")
    run.define("truncated", "TRUNCATE")
    run.write("truncated", "b")
    run.write("replaced", "b", overwrote=True)
    run.write("replaced", "c", overwrote=True)
    assert {name: sources for name, sources in run.sources.items() if " " not in name} == {
        "dropped": ["a0"],
        "truncated": ["a1", "b"],
        "replaced": ["a2", "c"],
    }


def test_what_is_renamed_keeps_its_sources() -> None:
    run = Run()
    run.write("new", "a")
    run.define("x", "RENAME", previous="new")
    run.define("y", "RENAME", previous="unknown")
    assert run.sources == {"new": ["a"], "x": ["a"], "y": []}


def test_a_write_whose_inputs_could_not_be_found_has_unknown_sources() -> None:
    run = Run()
    run.new_write().plan(dataset("x"))
    run.write("x", "a")
    assert run.sources == {"x": ["a"]}, "a planned write counts until the next one"
    run.new_write().add_result(FinishedWrite(dataset("x"), Counts()))
    assert run.sources == {"x": None}


def test_columns_are_those_of_the_column_lineage() -> None:
    def source(field: str, kind: str, subtype: str) -> dict[str, Any]:
        steps = [{"type": kind, "subtype": subtype, "description": "", "masking": False}]
        return {"namespace": "file", "name": "a", "field": field, "transformations": steps}

    fields = {"total": {"inputFields": [source("amount", "DIRECT", "AGGREGATION")]}}
    filtered = [source("day", "INDIRECT", "FILTER")]
    document = ColumnLineageDatasetFacet(fields={}).to_dict()
    lineage = ColumnLineageDatasetFacet.from_json({**document, "fields": fields, "dataset": filtered})
    run = Run()
    run.planned("x", "a", lineage=lineage)
    kind = {"type": "DATASET"}
    assert run.entries == [
        {
            "namespace": "file",
            "name": "x",
            **kind,
            "inputs": [{"namespace": "file", "name": "a", **kind}, {**filtered[0], **kind}],
            "fields": {"total": {"inputs": [{**fields["total"]["inputFields"][0], **kind}]}},
        }
    ]


def test_an_event_contains_the_facet_if_it_has_changed() -> None:
    run = Run()
    run.write("x", "a")
    assert "lineage" in run.running()
    run.write("x", "a")
    assert "lineage" not in run.running()
    run.write("y", "a")
    assert [entry["name"] for entry in run.running()["lineage"]["entries"]] == ["x", "y"]


def test_the_facet_of_the_user_is_kept() -> None:
    run = Run()
    run.builder.job.facet(LineageJobFacet(entries=[]))
    run.write("x", "a")
    assert run.entries == []
