"""What a whole check adds up to."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from openlineage_facets.base.errors import Finding
from openlineage_facets.cli.results import ChunkResult

__all__ = ["Summary"]

_CUSTOM = 1000
"""How many custom facets are listed."""


@dataclass
class Summary:
    """Counts of what was read and found.

    Attributes:
        files: Files read.
        events: Events, unreadable ones included.
        kinds: Events by kind: "run", "job", "dataset", "unreadable".
        custom: Custom facets, by entity and key.
        codes: Findings, by code and severity.
        known: Findings that the baseline holds, and that count no more.
        forgotten: Runs that were too many to follow to their end.
        seconds: How long it took.
    """

    files: int = 0
    events: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    custom: Counter[tuple[str, str]] = field(default_factory=Counter)
    codes: Counter[tuple[str, str]] = field(default_factory=Counter)
    known: int = 0
    forgotten: int = 0
    seconds: float = 0.0

    @property
    def errors(self) -> int:
        """How many findings are errors."""
        return sum(count for (_, severity), count in self.codes.items() if severity == "error")

    @property
    def warnings(self) -> int:
        """How many findings are warnings."""
        return sum(count for (_, severity), count in self.codes.items() if severity == "warning")

    def add(self, result: ChunkResult) -> None:
        """Count the events of a chunk."""
        self.events += result.events
        self.kinds += result.kinds
        for key, count in result.custom.items():
            if key in self.custom or len(self.custom) < _CUSTOM:
                self.custom[key] += count

    def count(self, finding: Finding) -> None:
        """Count a finding."""
        self.codes[finding.code, finding.severity] += 1

    def sentence(self) -> str:
        """Say all of it in one line."""
        told = f"{_many(self.errors, 'error')} and {_many(self.warnings, 'warning')} in "
        told += f"{_many(self.events, 'event')} of {_many(self.files, 'file')}"
        return f"{told}; {self.known:,} known from the baseline" if self.known else told

    def as_json(self) -> dict[str, object]:
        """Return the counts as a JSON object; the time is not among them."""
        return {
            "files": self.files,
            "events": self.events,
            "kinds": {kind: self.kinds[kind] for kind in sorted(self.kinds)},
            "errors": self.errors,
            "warnings": self.warnings,
            "baselined": self.known,
            "codes": {code: count for (code, _), count in sorted(self.codes.items())},
            "customFacets": [
                {"entity": entity, "key": key, "count": count}
                for (entity, key), count in sorted(self.custom.items())
            ],
        }


def _many(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
