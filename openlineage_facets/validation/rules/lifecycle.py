"""How the events of a run follow each other."""

from __future__ import annotations

from collections.abc import Iterator

from openlineage_facets.base.errors import Finding, shown
from openlineage_facets.validation.rule import end_rule, stream_rule
from openlineage_facets.validation.run_state import ENDS, Moment, RunState

_SEE = "https://openlineage.io/docs/spec/run-cycle"


@stream_rule("OL501", "A run starts twice", see=_SEE)
def start_twice(moment: Moment, run: RunState) -> Iterator[Finding]:
    """A run has one START. A second one under the same run id is another run that took over the id, a
    retry that needs an id of its own, or an event that was delivered twice.
    """
    if moment.event_type == "START" and run.started:
        yield Finding("/eventType", "one START for a run", "another", "make a new run id for a new run")


@stream_rule("OL502", "A run does not begin with START", see=_SEE)
def start_first(moment: Moment, run: RunState) -> Iterator[Finding]:
    """The first event of a run is START; only OTHER may come before. Without it nobody knows when the run
    began. Where a stream was cut in the middle, the START is in the part before.
    """
    if not run.seen and moment.event_type not in ("START", "OTHER", None):
        yield Finding(
            "/eventType", "START first", f"{shown(moment.event_type)} as the first event of the run"
        )


@stream_rule("OL503", "A run ends twice", see=_SEE)
def end_twice(moment: Moment, run: RunState) -> Iterator[Finding]:
    """One of COMPLETE, FAIL and ABORT ends a run, once. After two different ones nobody knows how it
    ended.
    """
    if moment.event_type in ENDS and run.ended_by is not None:
        yield Finding("/eventType", "one end of a run", f"{moment.event_type} after {run.ended_by}")


@stream_rule("OL504", "A run goes on after its end", see=_SEE)
def after_end(moment: Moment, run: RunState) -> Iterator[Finding]:
    """After COMPLETE, FAIL or ABORT a run is over. What is told later comes as OTHER, which adds metadata and
    changes no state.
    """
    again = moment.event_type == "START" and run.started
    if run.ended_by is not None and moment.event_type in ("START", "RUNNING") and not again:
        yield Finding(
            "/eventType", "OTHER after the end of the run", f"{moment.event_type} after {run.ended_by}"
        )


@stream_rule("OL505", "An event of a run lies before the one it follows", see=_SEE)
def time_order(moment: Moment, run: RunState) -> Iterator[Finding]:
    """The events of a run come in the order of their event times. One that is earlier than the event
    before it was delayed on its way, or the clocks of its machines differ. Readers that go by the order
    of arrival and readers that go by event time see two different runs.
    """
    time = moment.time
    if time is not None and run.latest is not None and time < run.latest:
        seconds = (run.latest - time) / 1e9
        yield Finding(
            "/eventTime",
            "a time not before that of the run's event before it",
            f"{shown(moment.event_time)}, {seconds:.9g} s before it",
        )


@stream_rule("OL506", "A run is of two jobs", see=_SEE)
def two_jobs(moment: Moment, run: RunState) -> Iterator[Finding]:
    """A run is one run of one job, so all its events name the same job, by the same namespace and name. A
    run id that is handed down from a job to the jobs it starts mixes their runs: each has an id of its
    own, and the `parent` facet connects them.
    """
    if run.job is not None and moment.job is not None and moment.job != run.job:
        yield Finding(
            "/job",
            f"the job of the run's events before it, {shown(run.job)}",
            shown(moment.job),
            "make a run id for each job, and connect them by 'parent'",
        )


@end_rule("OL507", "A run never ends", see=_SEE)
def never_ends(run: RunState) -> Iterator[Finding]:
    """A run that has begun ends with COMPLETE, FAIL or ABORT. Where none came, the job died without a
    word, its last event was lost, or it is still running.
    """
    if run.seen and run.ended_by is None:
        yield Finding("/run/runId", "an event that ends the run", "none", "send COMPLETE, FAIL or ABORT")
