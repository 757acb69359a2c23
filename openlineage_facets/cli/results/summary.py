"""Results of a check: of each chunk, small enough to be sent between processes, and their totals."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from openlineage_facets.base.display.short_values import counted

if TYPE_CHECKING:
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

    def location(self, file: str) -> str:
        """Return the name of its file, with the line if there is one."""
        return location_text(file, self.line)


def location_text(file: str, line: int | None) -> str:
    """Return the name of a file, with a line unless that is None."""
    return file if line is None else f"{file}:{line}"


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


_MAX_CUSTOM = 1000
"""Maximum number of custom facets that are listed."""


@dataclass
class Summary:
    """Totals of a check.

    Attributes:
        files: Number of files.
        events: Number of events, including unreadable ones.
        kinds: Number of events by kind: "run", "job", "dataset", "unreadable".
        custom: Number of custom facets without a schema, by entity and key.
        codes: Number of findings by code and severity.
        baselined: Number of findings in the baseline, which are not reported.
        untracked_runs: Number of runs that rules on event streams did not follow to their end.
        seconds: Duration of the check.
    """

    files: int = 0
    events: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    custom: Counter[tuple[str, str]] = field(default_factory=Counter)
    codes: Counter[tuple[str, str]] = field(default_factory=Counter)
    baselined: int = 0
    untracked_runs: int = 0
    seconds: float = 0.0

    @property
    def errors(self) -> int:
        """Number of errors."""
        return self._count_of("error")

    @property
    def warnings(self) -> int:
        """Number of warnings."""
        return self._count_of("warning")

    @property
    def notes(self) -> int:
        """Number of notes."""
        return self._count_of("note")

    def _count_of(self, severity: str) -> int:
        return sum(count for (_, of_code), count in self.codes.items() if of_code == severity)

    def add_chunk(self, result: ChunkResult) -> None:
        """Add the events of a chunk."""
        self.events += result.events
        self.kinds += result.kinds
        for key, count in result.custom.items():
            if key in self.custom or len(self.custom) < _MAX_CUSTOM:
                self.custom[key] += count

    def add_finding(self, finding: Finding) -> None:
        """Add a finding."""
        self.codes[finding.code, finding.severity] += 1

    def one_line(self) -> str:
        """Return the totals as one line, such as "1 error and 0 warnings in 7 events of 2 files"."""
        notes = f" and {counted(self.notes, 'note')}" if self.notes else ""
        separator = "," if notes else " and"
        findings = f"{counted(self.errors, 'error')}{separator} {counted(self.warnings, 'warning')}{notes}"
        line = f"{findings} in {counted(self.events, 'event')} of {counted(self.files, 'file')}"
        return f"{line}; {self.baselined:,} known from the baseline" if self.baselined else line

    def as_json(self) -> dict[str, object]:
        """Return the totals as a JSON object, without the duration."""
        return {
            "files": self.files,
            "events": self.events,
            "kinds": {kind: self.kinds[kind] for kind in sorted(self.kinds)},
            "errors": self.errors,
            "warnings": self.warnings,
            "notes": self.notes,
            "baselined": self.baselined,
            "codes": self._counts_by_code(),
            "customFacets": [
                {"entity": entity, "key": key, "count": count}
                for (entity, key), count in sorted(self.custom.items())
            ],
        }

    def _counts_by_code(self) -> Counter[str]:
        counts: Counter[str] = Counter()
        for (code, _), count in sorted(self.codes.items()):  # A policy may have several severities.
            counts[code] += count
        return counts
