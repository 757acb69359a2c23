"""Rules for runs: ids, parents, the order of events and impossible times."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone

from openlineage_facets.base.errors.findings import Finding, describe
from openlineage_facets.base.times.rfc3339 import epoch_nanoseconds
from openlineage_facets.event_kind import TERMINAL_EVENT_TYPES
from openlineage_facets.validation.event_document import Document, Facet
from openlineage_facets.validation.rule import end_rule, facet_rule, rule, stream_rule
from openlineage_facets.validation.run_event_summary import RunEventSummary, RunState

_NIL_IDS = {"0" * 32, "f" * 32}


def _normalized(run_id: object) -> str | None:
    """Return a run id in lower case without dashes, None if it is not a string."""
    return run_id.replace("-", "").lower() if isinstance(run_id, str) else None


@facet_rule(
    "OL309",
    "Run is its own parent",
    see="https://openlineage.io/docs/spec/facets/run-facets/parent_run",
    keys=("parent",),
)
def own_parent(facet: Facet) -> Iterator[Finding]:
    """The `parent` facet refers to the run that started this one, such as the DAG run of a task or the Spark
    application of an action. A run that refers to itself is an infinite loop for consumers that follow
    parents.

    A root run has no `parent` facet.
    """
    if facet.container != "RunFacets":
        return
    parent = facet.value.get("run")
    own = _normalized(facet.entity.value.get("runId"))
    if own is not None and isinstance(parent, dict) and _normalized(parent.get("runId")) == own:
        yield Finding(
            "/run/runId", "the run that started this one", "the run itself", "remove 'parent' from a root run"
        )


@rule("OL310", "Nil run id", see="https://openlineage.io/docs/spec/run-cycle")
def nil_run_id(document: Document) -> Iterator[Finding]:
    """A run id identifies one run. The nil UUID (all zeros) and the max UUID (all Fs) mean "no id": all runs
    with one of them are treated as the same run.

    Create a new UUID for each run. Version 7 is recommended, since it sorts by time.
    """
    run = document.run
    if run is not None and _normalized(run.value.get("runId")) in _NIL_IDS:
        yield Finding("/run/runId", "a unique UUID", describe(run.value["runId"]), "create one for each run")


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


_OLDEST = "2000"
"""No lineage was emitted before this year."""

_AHEAD = timedelta(days=1)
"""Tolerance for clocks that are ahead."""


@rule("OL311", "Implausible event time", see="https://openlineage.io/docs/spec/run-cycle")
def event_time(document: Document) -> Iterator[Finding]:
    """`eventTime` is the time at which the reported change happened. A time before 2000 comes from a clock
    that was never set, or from a default such as year 1 or 1970. A time more than a day in the future comes
    from a wrong clock or a wrong unit.

    Consumers order events by this time, so an event in the far future hides all later ones.
    """
    text = document.value.get("eventTime")
    if not isinstance(text, str):
        return
    if text[:4] < _OLDEST:
        if epoch_nanoseconds(text) is not None:
            yield Finding("/eventTime", "the time of the change", describe(text), "check the clock")
    elif text[:10] > _today():
        limit = datetime.now(timezone.utc) + _AHEAD
        nanoseconds = epoch_nanoseconds(text)
        if nanoseconds is not None and nanoseconds > limit.timestamp() * 1e9:
            yield Finding("/eventTime", "a time in the past", describe(text), "check the clock and the unit")


@facet_rule(
    "OL312",
    "Nominal end before nominal start",
    see="https://openlineage.io/docs/spec/facets/run-facets/nominal_time",
    keys=("nominalTime",),
    cached=True,
)
def nominal_times(facet: Facet) -> Iterator[Finding]:
    """The nominal times of a run are the start and the end of the period that it is scheduled for. The end
    must not be before the start.
    """
    start, end = (facet.value.get(name) for name in ("nominalStartTime", "nominalEndTime"))
    if isinstance(start, str) and isinstance(end, str):
        if len(start) == len(end) and start[-1:] == end[-1:] == "Z" and start <= end:
            return  # Of the same format: comparable as text.
        start_time, end_time = epoch_nanoseconds(start), epoch_nanoseconds(end)
        if start_time is not None and end_time is not None and end_time < start_time:
            yield Finding("/nominalEndTime", "a time not before nominalStartTime", describe(end))


def _today() -> str:
    """Return the current date in UTC, in RFC 3339 format; cached."""
    day = int(time.time()) // 86400
    if day not in _DAYS:
        _DAYS.clear()
        _DAYS[day] = datetime.fromtimestamp(day * 86400, timezone.utc).strftime("%Y-%m-%d")
    return _DAYS[day]


_DAYS: dict[int, str] = {}
