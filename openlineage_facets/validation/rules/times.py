"""Rules for impossible times."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone

from openlineage_facets.base.errors.findings import Finding, describe
from openlineage_facets.base.times.rfc3339 import epoch_nanoseconds
from openlineage_facets.validation.event_document import Document, Facet
from openlineage_facets.validation.rule import facet_rule, rule

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
