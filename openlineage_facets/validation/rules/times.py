"""Times that can't be."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone

from openlineage_facets.base.errors import Finding, shown
from openlineage_facets.validation.document import Document, Facet
from openlineage_facets.validation.moments import moment_of
from openlineage_facets.validation.rule import facet_rule, rule

_OLDEST = "2000"
"""No lineage was told before this year."""

_AHEAD = timedelta(days=1)
"""How far a clock may be ahead."""


@rule("OL311", "The event time can't be", see="https://openlineage.io/docs/spec/run-cycle")
def event_time(document: Document) -> Iterator[Finding]:
    """`eventTime` is the moment at which the thing happened that the event tells of. A time before the year
    2000 is a clock that was never set, or a default such as year 1 or 1970; one that lies more than a
    day ahead of the clock here is a wrong clock or a wrong unit.

    Readers order events by this time, so one far ahead outweighs all that come after it.
    """
    text = document.value.get("eventTime")
    if not isinstance(text, str):
        return
    if text[:4] < _OLDEST:
        if moment_of(text) is not None:
            yield Finding("/eventTime", "the moment at which it happened", shown(text), "set the clock")
    elif text[:10] > _today():
        limit = datetime.now(timezone.utc) + _AHEAD
        moment = moment_of(text)
        if moment is not None and moment > limit.timestamp() * 1e9:
            yield Finding("/eventTime", "a moment that has come", shown(text), "set the clock")


@facet_rule(
    "OL312",
    "The nominal end lies before the nominal start",
    see="https://openlineage.io/docs/spec/facets/run-facets/nominal_time",
    keys=("nominalTime",),
)
def nominal_times(facet: Facet) -> Iterator[Finding]:
    """The nominal times of a run are the beginning and the end of the period that it is scheduled for, so
    the end does not come first.
    """
    start, end = (facet.value.get(name) for name in ("nominalStartTime", "nominalEndTime"))
    if isinstance(start, str) and isinstance(end, str):
        if len(start) == len(end) and start[-1:] == end[-1:] == "Z" and start <= end:
            return  # Of one form, they sort as text.
        begun, ended = moment_of(start), moment_of(end)
        if begun is not None and ended is not None and ended < begun:
            yield Finding("/nominalEndTime", "a time not before nominalStartTime", shown(end))


def _today() -> str:
    """Return the day that it is nowhere on earth yet past, as RFC 3339 writes it."""
    day = int(time.time()) // 86400
    if day not in _DAYS:
        _DAYS.clear()
        _DAYS[day] = datetime.fromtimestamp(day * 86400, timezone.utc).strftime("%Y-%m-%d")
    return _DAYS[day]


_DAYS: dict[int, str] = {}
