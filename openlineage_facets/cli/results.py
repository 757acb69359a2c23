"""What checking a chunk tells: small enough to send between processes."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from openlineage_facets.base.errors import Finding
from openlineage_facets.validation.stream import Moment

__all__ = ["ChunkResult", "Judged"]


@dataclass(frozen=True, slots=True)
class Judged:
    """One finding, with what tells it from the same finding elsewhere.

    Args:
        finding: What is wrong.
        line: The line of the file it is about, None where it is about the whole file.
        event: Which event of the file it is about, counted from 1; None where it is about no event.
        about: The job, and the dataset if it points into one; "" where that is not known.
        snippet: What stands at the place, in one line.
    """

    finding: Finding
    line: int | None = None
    event: int | None = None
    about: str = ""
    snippet: str = ""


@dataclass(slots=True)
class ChunkResult:
    """What is known of a chunk. Lines and events count from the chunk's first.

    Args:
        lines: Lines of the file that it stands for.
        events: Events in it, broken ones included.
        kinds: Events by kind: "run", "job", "dataset", "unreadable".
        custom: Custom facets, by entity and key.
        findings: What is wrong, in order.
        moments: What the rules on streams need to know of each run event: line, number, moment.
    """

    lines: int = 0
    events: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    custom: Counter[tuple[str, str]] = field(default_factory=Counter)
    findings: list[Judged] = field(default_factory=list)
    moments: list[tuple[int, int, Moment]] = field(default_factory=list)
