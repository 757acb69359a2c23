"""Rules for the order of the events of a run."""

from __future__ import annotations

from collections.abc import Iterator

from openlineage_facets.base.errors.findings import Finding, describe
from openlineage_facets.event_kind import TERMINAL_EVENT_TYPES
from openlineage_facets.validation.rule import end_rule, stream_rule
from openlineage_facets.validation.run_event_summary import RunEventSummary, RunState

_SEE = "https://openlineage.io/docs/spec/run-cycle"


@stream_rule("OL501", "Run starts twice", see=_SEE)
def start_twice(event: RunEventSummary, run: RunState) -> Iterator[Finding]:
    """A run has one START event. A second one with the same run id is another run that reuses the id, a
    retry, or an event that was delivered twice.

    Create a new run id for each run, including retries.
    """
    if event.event_type == "START" and run.started:
        yield Finding("/eventType", "one START per run", "another", "create a new run id for each run")


@stream_rule("OL502", "Run does not begin with START", see=_SEE)
def start_first(event: RunEventSummary, run: RunState) -> Iterator[Finding]:
    """The first event of a run is START; only OTHER may precede it. Without it, the start time of the run is
    unknown. If the stream was truncated, the START event may be in the missing part.
    """
    if not run.seen and event.event_type not in ("START", "OTHER", None):
        yield Finding(
            "/eventType", "START first", f"{describe(event.event_type)} as the first event of the run"
        )


@stream_rule("OL503", "Run ends twice", see=_SEE)
def end_twice(event: RunEventSummary, run: RunState) -> Iterator[Finding]:
    """A run ends with exactly one of COMPLETE, FAIL and ABORT. With two of them, the result of the run is
    ambiguous.
    """
    if event.event_type in TERMINAL_EVENT_TYPES and run.ended_by is not None:
        yield Finding("/eventType", "one end of a run", f"{event.event_type} after {run.ended_by}")


@stream_rule("OL504", "Run continues after its end", see=_SEE)
def after_end(event: RunEventSummary, run: RunState) -> Iterator[Finding]:
    """COMPLETE, FAIL or ABORT ends a run. Emit later metadata as OTHER, which does not change the state of
    the run.
    """
    again = event.event_type == "START" and run.started
    if run.ended_by is not None and event.event_type in ("START", "RUNNING") and not again:
        yield Finding(
            "/eventType", "OTHER after the end of the run", f"{event.event_type} after {run.ended_by}"
        )


@stream_rule("OL505", "Events of a run are out of order", see=_SEE)
def time_order(event: RunEventSummary, run: RunState) -> Iterator[Finding]:
    """The events of a run are expected in the order of their event times. An earlier time than that of the
    previous event means that the event was delayed, or that the clocks of two machines differ. Consumers that
    sort by arrival and those that sort by event time then see different histories.
    """
    time = event.time
    if time is not None and run.latest is not None and time < run.latest:
        seconds = (run.latest - time) / 1e9
        yield Finding(
            "/eventTime",
            "a time not before that of the run's previous event",
            f"{describe(event.event_time)}, {seconds:.9g} s earlier",
        )


@stream_rule("OL506", "Run belongs to two jobs", see=_SEE)
def two_jobs(event: RunEventSummary, run: RunState) -> Iterator[Finding]:
    """A run belongs to one job, so all its events have the same job namespace and name. A run id that a job
    passes on to the jobs it starts mixes their runs.

    Create a run id for each job, and connect the runs with the `parent` facet.
    """
    if run.job is not None and event.job is not None and event.job != run.job:
        yield Finding(
            "/job",
            f"the job of the run's previous events, {describe(run.job)}",
            describe(event.job),
            "create a run id for each job, and connect the runs with the 'parent' facet",
        )


@end_rule("OL507", "Run never ends", see=_SEE)
def never_ends(run: RunState) -> Iterator[Finding]:
    """A run ends with COMPLETE, FAIL or ABORT. If there is none of them, the job crashed, its last event was
    lost, or the job is still running.
    """
    if run.seen and run.ended_by is None:
        problem = "missing event that ends the run"
        hint = "emit COMPLETE, FAIL or ABORT"
        yield Finding("/run/runId", "an event that ends the run", "nothing", hint, problem=problem)
