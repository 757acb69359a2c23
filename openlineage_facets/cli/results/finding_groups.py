"""Groups of findings with the same identity, which is stable across runs of the check."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from openlineage_facets.cli.results.chunk_results import ReportedFinding

_INDEX = re.compile(r"/\d+(?=/|$)")


class Fingerprint(NamedTuple):
    """Identity of a finding.

    Does not include lines, run ids and list indexes, so that it is unchanged if events are added, removed or
    reordered.
    """

    code: str
    pointer: str
    """The JSON Pointer, with "*" instead of each index."""
    about: str
    """The job and the dataset, or the file if no event could be read; the fact about a backend."""


def fingerprint(file: str, reported: ReportedFinding) -> Fingerprint:
    """Return the fingerprint of a finding.

    Args:
        file: The file that contains it.
        reported: The finding.
    """
    finding = reported.finding
    about = " ".join(filter(None, (reported.about or file, finding.fact)))
    return Fingerprint(finding.code, _INDEX.sub("/*", finding.pointer), about)


_MAX_GROUPS = 10_000
"""Number of groups from which on new ones are only counted by code, so that memory is bounded."""


@dataclass(slots=True)
class FindingGroup:
    """Findings with the same code and the same place in events of the same job.

    Attributes:
        identity: What they have in common; pointer and job are "" in the group of all others with a code.
        file: File of the first one.
        line: Line of the first one, None if it concerns the whole file.
        count: Number of findings.
        printed: Number of those that were printed one by one.
    """

    identity: Fingerprint
    file: str
    line: int | None
    count: int = 0
    printed: int = 0


class FindingGroups:
    """Findings grouped by fingerprint: code, JSON Pointer without indexes, job."""

    def __init__(self) -> None:
        self._groups: dict[Fingerprint, FindingGroup] = {}

    def add(self, file: str, reported: ReportedFinding) -> FindingGroup:
        """Count a finding and return its group."""
        identity = fingerprint(file, reported)
        if identity not in self._groups and len(self._groups) >= _MAX_GROUPS:
            identity = Fingerprint(identity.code, "", "")
        group = self._groups.get(identity)
        if group is None:
            group = self._groups[identity] = FindingGroup(identity, file, reported.line)
        group.count += 1
        return group

    def __iter__(self) -> Iterator[FindingGroup]:
        """Yield the groups, the largest first."""
        return iter(sorted(self._groups.values(), key=lambda group: -group.count))
