"""Check a stream of events: whether the events of each run are in a valid order."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from openlineage_facets.base.errors.findings import Finding
from openlineage_facets.validation.event_document import Document
from openlineage_facets.validation.rule import Rule
from openlineage_facets.validation.ruleset import installed_rules, run_rule
from openlineage_facets.validation.run_event_summary import RunEventSummary, RunState

_RUNS = 200_000
"""Default for the number of runs whose state is kept."""

_LONGEST_RUN_ID = 100
"""Characters of a run id that is stored unchanged although it is not a UUID."""


class StreamRules:
    """Stream rules, and the state of the runs that they check.

    The state of up to `max_runs` runs is kept, about 400 bytes each. Beyond that, the run that ended first is
    dropped; if none has ended, the oldest. A dropped run counts as new if another of its events follows, and
    is not reported as one that never ends.

    Args:
        rules: The rules, by default all installed ones; rules for single events are ignored.
        max_runs: Number of runs whose state is kept.

    Example:
        >>> rules = StreamRules()
        >>> [finding.code for event in events for finding in rules.check(Document(event))]
        ['OL501']
        >>> [finding.code for position, finding in rules.finish()]
        ['OL507']
    """

    def __init__(self, rules: Iterable[Rule] | None = None, *, max_runs: int = _RUNS) -> None:
        selected = tuple(installed_rules() if rules is None else rules)
        self._event_rules = [rule for rule in selected if rule.subject == "run_event"]
        self._end_rules = [rule for rule in selected if rule.subject == "run_end"]
        self._max_runs = max(1, max_runs)
        self._runs: dict[int | str, RunState] = {}
        self._ended: deque[int | str] = deque()
        self.dropped = 0
        """Number of runs whose state was dropped before the end of the stream."""

    def check(self, document: Document, position: object = None) -> list[Finding]:
        """Return the findings of the next event of the stream.

        Args:
            document: The event; events without a run are ignored.
            position: Its position in any form; `finish` returns that of a run's first event.
        """
        summary = RunEventSummary.of(document)
        return [] if summary is None else self.check_summary(summary, position)

    def check_summary(self, event: RunEventSummary, position: object = None) -> list[Finding]:
        """Return the findings of the next event, passed as its summary.

        Args:
            event: The summary of the event.
            position: Its position, as for `check`.
        """
        key = _key(event.run_id)
        run = self._runs.get(key)
        if run is None:
            run = self._runs[key] = RunState(position)
            if len(self._runs) > self._max_runs:
                self._drop_run(key)
        findings: list[Finding] = []
        for rule in self._event_rules:
            findings += run_rule(rule, event, run)
        had_ended = run.ended_by is not None
        run.apply(event, event.time)
        if run.ended_by is not None and not had_ended:
            self._ended.append(key)
        return findings

    def finish(self) -> list[tuple[object, Finding]]:
        """Return the findings of runs at the end of the stream, with the positions of their first events."""
        return [
            (run.position, finding)
            for run in self._runs.values()
            for rule in self._end_rules
            for finding in run_rule(rule, run)
        ]

    def _drop_run(self, newest: int | str) -> None:
        oldest = self._ended.popleft() if self._ended else next(iter(self._runs))
        if oldest != newest:
            del self._runs[oldest]
            self.dropped += 1


def _key(run_id: str) -> int | str:
    """Return a UUID in any notation as an integer, which takes half the memory; other ids as text."""
    digits = run_id.replace("-", "")
    if len(digits) == 32:
        try:
            return int(digits, 16)
        except ValueError:
            pass
    return run_id if len(run_id) <= _LONGEST_RUN_ID else hash(run_id)
