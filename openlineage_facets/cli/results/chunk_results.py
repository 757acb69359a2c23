"""Result of checking a chunk. Small enough to be sent between processes."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from openlineage_facets.base.errors.findings import Finding
from openlineage_facets.validation.run_event_summary import RunEventSummary


@dataclass(frozen=True, slots=True)
class ReportedFinding:
    """A finding and its location in a file.

    Args:
        finding: The finding.
        line: Line in the file, None if the finding concerns the whole file.
        event: Number of the event in the file, counted from 1. None if the finding concerns no event.
        about: The job, and the dataset if the finding is inside one. "" if unknown.
        snippet: The offending JSON in one line.
    """

    finding: Finding
    line: int | None = None
    event: int | None = None
    about: str = ""
    snippet: str = ""


@dataclass(slots=True)
class ChunkResult:
    """Findings and counts of a chunk. Lines and events are counted from its start.

    Args:
        lines: Number of lines of the file.
        events: Number of events, including unreadable ones.
        kinds: Number of events by kind: "run", "job", "dataset", "unreadable".
        custom: Number of custom facets without a schema, by entity and key.
        findings: Findings in order.
        run_events: For each run event, its line, its number and what rules on event streams need.
    """

    lines: int = 0
    events: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    custom: Counter[tuple[str, str]] = field(default_factory=Counter)
    findings: list[ReportedFinding] = field(default_factory=list)
    run_events: list[tuple[int, int, RunEventSummary]] = field(default_factory=list)
