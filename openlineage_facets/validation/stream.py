"""Judges a stream of events: whether those of each run follow each other as they should."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from openlineage_facets.base.errors import Finding
from openlineage_facets.validation.document import Document
from openlineage_facets.validation.rule import Rule
from openlineage_facets.validation.ruleset import installed_rules, run_rule
from openlineage_facets.validation.run_state import Moment, RunState

__all__ = ["Moment", "StreamRules"]

_RUNS = 200_000
"""How many runs are remembered."""

_LONGEST = 100
"""Characters of a run id that is kept as it is, though it is no UUID."""


class StreamRules:
    """The rules on how the events of a run follow each other, and what they must remember.

    At most `remembered` runs are kept at hand, some 400 bytes each. Beyond that, the run that ended first
    is forgotten first; where none has ended, the one that came first. A forgotten run counts as new when
    another of its events comes, and is not reported as one that never ends.

    Args:
        rules: The rules, all installed ones if left out; rules on single events are passed over.
        remembered: How many runs to keep at hand.

    Example:
        >>> rules = StreamRules()
        >>> [finding.code for event in events for finding in rules.see(Document(event))]
        ['OL501']
        >>> [finding.code for position, finding in rules.finish()]
        ['OL507']
    """

    def __init__(self, rules: Iterable[Rule] | None = None, *, remembered: int = _RUNS) -> None:
        chosen = tuple(installed_rules() if rules is None else rules)
        self._of_moments = [rule for rule in chosen if rule.subject == "moment"]
        self._of_ends = [rule for rule in chosen if rule.subject == "end"]
        self._remembered = max(1, remembered)
        self._runs: dict[int | str, RunState] = {}
        self._ended: deque[int | str] = deque()
        self.forgotten = 0
        """How many runs were forgotten before the end of the stream."""

    def see(self, document: Document, position: object = None) -> list[Finding]:
        """Return what the rules object to in the next event of the stream.

        Args:
            document: The event; events without a run are passed over.
            position: Where it stands, in whatever terms the caller wants to hear of it from `finish`.
        """
        moment = Moment.of(document)
        return [] if moment is None else self.see_moment(moment, position)

    def see_moment(self, moment: Moment, position: object = None) -> list[Finding]:
        """Return what the rules object to in the next event, given in short.

        Args:
            moment: What `Moment.of` made of the event.
            position: Where it stands, as for `see`.
        """
        key = _key(moment.run_id)
        run = self._runs.get(key)
        if run is None:
            run = self._runs[key] = RunState(position)
            if len(self._runs) > self._remembered:
                self._forget_one(key)
        findings: list[Finding] = []
        for rule in self._of_moments:
            findings += run_rule(rule, moment, run)
        was_over = run.ended_by is not None
        run.apply(moment, moment.time)
        if run.ended_by is not None and not was_over:
            self._ended.append(key)
        return findings

    def finish(self) -> list[tuple[object, Finding]]:
        """Return what the rules object to in the runs as they are left, each with the position of its
        first event.

        Call it when no more events come.
        """
        return [
            (run.position, finding)
            for run in self._runs.values()
            for rule in self._of_ends
            for finding in run_rule(rule, run)
        ]

    def _forget_one(self, newest: int | str) -> None:
        oldest = self._ended.popleft() if self._ended else next(iter(self._runs))
        if oldest != newest:
            del self._runs[oldest]
            self.forgotten += 1


def _key(run_id: str) -> int | str:
    """Return the number of a UUID, however it is written, which takes half the memory; else the text
    itself.
    """
    digits = run_id.replace("-", "")
    if len(digits) == 32:
        try:
            return int(digits, 16)
        except ValueError:
            pass
    return run_id if len(run_id) <= _LONGEST else hash(run_id)
