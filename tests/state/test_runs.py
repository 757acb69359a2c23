"""Runs: accumulated events, lifecycle, and facets in force."""

from __future__ import annotations

import itertools
from uuid import UUID

from openlineage_facets import EventType, InputDataset, OutputDataset
from openlineage_facets.facets import (
    InputStatisticsInputDatasetFacet,
    NominalTimeRunFacet,
    OutputStatisticsOutputDatasetFacet,
    ProcessingEngineRunFacet,
)
from openlineage_facets.state import JobId, LineageState, RunState
from tests.cases import each
from tests.events import folded
from tests.state.sample_events import (
    OTHER_RUN,
    RUN,
    at,
    dataset_event,
    documentation_of,
    documented,
    job_documented,
    job_event,
    reading,
    run_event,
    writing,
)


def run(state: LineageState, run_id: str = RUN) -> RunState:
    found = state.run(run_id)
    assert found is not None
    return found


class TestLifecycle:
    @each(
        ("types", "reached"),
        [
            (["START"], EventType.START),
            (["START", "RUNNING"], EventType.RUNNING),
            (["RUNNING", "START"], EventType.RUNNING),
            (["START", "RUNNING", "COMPLETE"], EventType.COMPLETE),
            (["START", "FAIL", "OTHER"], EventType.FAIL),
            (["START", "ABORT", "RUNNING"], EventType.ABORT),
            (["COMPLETE", "START"], EventType.COMPLETE),
            (["FAIL", "COMPLETE"], EventType.FAIL),
            (["COMPLETE", "FAIL"], EventType.COMPLETE),
            (["OTHER"], None),
            ([None], None),
        ],
    )
    def test_earliest_terminal_event_ends_the_run(
        self, types: list[str | None], reached: EventType | None
    ) -> None:
        events = [run_event(second, event_type) for second, event_type in enumerate(types)]
        for order in itertools.permutations(events):
            assert run(folded(*order)).state is reached

    def test_fail_wins_over_complete_at_the_same_time(self) -> None:
        assert (
            run(folded(run_event(1, "COMPLETE"), run_event(1, "ABORT"), run_event(1, "FAIL"))).state == "FAIL"
        )

    def test_started_at_and_ended_at(self) -> None:
        ended = run(
            folded(run_event(1, "START"), run_event(2, "START"), run_event(5, "FAIL"), run_event(9, "OTHER"))
        )
        assert [str(ended.started_at), str(ended.ended_at), str(ended.last_seen)] == [at(1), at(5), at(9)]

    def test_unfinished_run_has_no_end(self) -> None:
        assert run(folded(run_event(1, "RUNNING"))).ended_at is None
        assert run(folded(run_event(1, "RUNNING"))).started_at is None

    def test_run_ids_are_case_insensitive(self) -> None:
        low = "01950000-0000-7000-8000-00000000abcd"
        state = folded(run_event(1, "START", low.upper()), run_event(2, "COMPLETE", low))
        assert list(state.runs()) == [low]
        assert state.run(UUID(low)) == state.run(low.upper()) == run(state, low)


class TestMetadata:
    def test_events_of_run_accumulate(self) -> None:
        nominal = NominalTimeRunFacet(nominal_start_time=at(0))
        engine = ProcessingEngineRunFacet(version="4.0.0")
        state = folded(
            run_event(1, "START", run_facets=[nominal], inputs=reading(name="a")),
            run_event(2, "RUNNING", inputs=reading(name="b"), outputs=writing(name="c")),
            run_event(3, "COMPLETE", run_facets=[engine]),
        )
        assert (run(state).facets.nominal_time, run(state).facets.processing_engine) == (nominal, engine)
        assert [dataset.name for dataset in run(state).inputs] == ["a", "b"]
        assert [dataset.name for dataset in run(state).outputs] == ["c"]
        assert run(state).job == JobId("etl", "load")

    def test_later_run_facet_replaces_earlier(self) -> None:
        old, new = (ProcessingEngineRunFacet(version=version) for version in ("3.5", "4.0"))
        state = folded(run_event(2, "RUNNING", run_facets=[new]), run_event(1, "START", run_facets=[old]))
        assert run(state).facets.processing_engine == new

    def test_metadata_can_be_added_after_the_end(self) -> None:
        state = folded(
            run_event(1, "COMPLETE"),
            run_event(
                2,
                "OTHER",
                run_facets=[ProcessingEngineRunFacet(version="4.0.0")],
                job_facets=[job_documented("late")],
                outputs=writing(
                    documented("late"), output_facets=[OutputStatisticsOutputDatasetFacet(row_count=7)]
                ),
            ),
        )
        (output,) = run(state).outputs
        assert run(state).state == "COMPLETE"
        assert "processing_engine" in run(state).facets
        assert documentation_of(run(state).job_facets) == "late"
        assert documentation_of(output.facets) == "late"
        assert output.output_facets.output_statistics == OutputStatisticsOutputDatasetFacet(row_count=7)

    def test_input_and_output_facets_belong_to_one_run(self) -> None:
        counted = InputStatisticsInputDatasetFacet(row_count=1)
        written = OutputStatisticsOutputDatasetFacet(row_count=2)
        state = folded(
            run_event(
                1,
                "START",
                run_facets=[ProcessingEngineRunFacet(version="4.0.0")],
                inputs=reading(name="a", input_facets=[counted]),
                outputs=writing(name="b", output_facets=[written]),
            ),
            run_event(2, "START", OTHER_RUN, inputs=reading(name="a"), outputs=writing(name="b")),
        )
        other = run(state, OTHER_RUN)
        assert run(state).inputs[0].input_facets.input_statistics == counted
        assert run(state).outputs[0].output_facets.output_statistics == written
        assert not other.facets
        assert not other.inputs[0].input_facets
        assert not other.outputs[0].output_facets
        for name in ("a", "b"):
            dataset = state.dataset("db", name)
            assert dataset is not None
            assert not dataset.facets

    def test_input_facets_of_job_events_are_ignored(self) -> None:
        planned = job_event(1).replace(
            inputs=[
                InputDataset(
                    namespace="db", name="a", input_facets=[InputStatisticsInputDatasetFacet(row_count=1)]
                )
            ],
            outputs=[OutputDataset(namespace="db", name="b")],
        )
        state = folded(planned, run_event(2, "START"))
        assert (run(state).inputs, run(state).outputs) == ((), ())


class TestFacetsInForce:
    def test_later_facets_do_not_apply_to_run(self) -> None:
        events = [
            job_event(1, job_documented("old")),
            dataset_event(1, documented("old")),
            run_event(2, "START", inputs=reading()),
            run_event(4, "COMPLETE", outputs=writing(name="daily")),
            job_event(5, job_documented("new")),
            dataset_event(5, documented("new")),
            run_event(6, "COMPLETE", OTHER_RUN, inputs=reading()),
        ]
        for order in (events, events[::-1]):
            early, late = run(folded(*order)), run(folded(*order), OTHER_RUN)
            assert [documentation_of(it.job_facets) for it in (early, late)] == ["old", "new"]
            assert [documentation_of(it.inputs[0].facets) for it in (early, late)] == ["old", "new"]

    def test_facet_changed_during_run_applies(self) -> None:
        state = folded(
            dataset_event(1, documented("old")),
            run_event(2, "START", inputs=reading()),
            dataset_event(3, documented("new")),
            run_event(4, "COMPLETE"),
        )
        assert documentation_of(run(state).inputs[0].facets) == "new"

    def test_facet_changed_exactly_at_the_end_applies(self) -> None:
        end = run_event("04.5", "COMPLETE", inputs=reading())
        late = dataset_event("04.500000001", documented("late"))
        assert documentation_of(run(folded(end, late)).inputs[0].facets) is None
        at_the_end = dataset_event("04.500", documented("in time"))
        assert documentation_of(run(folded(end, late, at_the_end)).inputs[0].facets) == "in time"

    def test_unfinished_run_uses_facets_at_its_latest_event(self) -> None:
        state = folded(run_event(1, "START", inputs=reading()), dataset_event(2, documented("new")))
        assert documentation_of(run(state).inputs[0].facets) is None
        state.apply(run_event(3, "RUNNING"))
        assert documentation_of(run(state).inputs[0].facets) == "new"

    def test_late_event_changes_facets_of_past_runs(self) -> None:
        state = folded(
            dataset_event(1, documented("first")),
            run_event(4, "COMPLETE", inputs=reading()),
            dataset_event(5, documented("third")),
        )
        assert documentation_of(run(state).inputs[0].facets) == "first"
        state.apply(dataset_event(3, documented("second")))
        assert documentation_of(run(state).inputs[0].facets) == "second"


class TestRepeats:
    """One source reports a value three times, with another value in between."""

    stream = (
        dataset_event(1, documented("a")),
        dataset_event(2, documented("b")),
        dataset_event(3, documented("a")),
        dataset_event(5, documented("a")),
        run_event(4, "COMPLETE", inputs=reading()),
    )

    def test_exact_history_keeps_every_time(self) -> None:
        state = folded(*self.stream, exact_history=True)
        assert documentation_of(run(state).inputs[0].facets) == "a"

    def test_default_history_keeps_first_and_last_time(self) -> None:
        state = folded(*self.stream)
        dataset = state.dataset("db", "orders")
        assert documentation_of(run(state).inputs[0].facets) == "b"
        assert dataset is not None
        assert documentation_of(dataset.facets) == "a"

    def test_a_late_event_between_first_and_last_time_changes_nothing(self) -> None:
        first, between, late, last, end = self.stream
        assert documentation_of(run(folded(first, last, between, late, end)).inputs[0].facets) == "b"

    def test_queries_do_not_change_what_is_kept(self) -> None:
        state = LineageState()
        for event in self.stream:
            state.apply(event)
            state.dataset("db", "orders", at=at(4))
        assert run(state) == run(folded(*self.stream))
        state.apply(dataset_event(0, documented("a")))
        assert run(state) == run(folded(*self.stream, dataset_event(0, documented("a"))))

    def test_times_are_kept_per_run(self) -> None:
        runs = [f"01950000-0000-7000-8000-0000000001{second:02}" for second in range(5)]
        repeated = [
            run_event(second, "COMPLETE", runs[second], outputs=writing(documented("a")))
            for second in (1, 3, 4)
        ]
        state = folded(
            *repeated, dataset_event(2, documented("b")), run_event("03.5", "COMPLETE", inputs=reading())
        )
        assert documentation_of(run(state).inputs[0].facets) == "a"
