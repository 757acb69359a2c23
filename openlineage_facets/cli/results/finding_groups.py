"""Groups of findings with the same identity, which is stable across runs, and baselines of known ones."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TextIO

from openlineage_facets.cli.command_error import CommandError
from openlineage_facets.cli.results.summary import ReportedFinding

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


_SHOWN_PER_GROUP = 3
"""Number of findings of a group that are shown one by one."""


class ShownFindings:
    """The findings that are shown one by one: the first ones of each group, up to a limit.

    Args:
        most: The number of findings. 0 shows all, and does not group them.
    """

    def __init__(self, most: int) -> None:
        self.groups = FindingGroups()
        self._most = most
        self._shown = 0

    def shows(self, file: str, reported: ReportedFinding) -> bool:
        """Count a finding and return whether it is shown."""
        if not self._most:
            return True
        group = self.groups.add(file, reported)
        if group.printed >= _SHOWN_PER_GROUP or self._shown >= self._most:
            return False
        group.printed += 1
        self._shown += 1
        return True


_VERSION = 1


def read_baseline(path: Path) -> frozenset[Fingerprint]:
    """Return the findings in a baseline file.

    Raises:
        CommandError: The file does not exist or is not a valid baseline.
    """
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(document, dict) or document.get("version") != _VERSION:
            raise ValueError(f"something other than a baseline of version {_VERSION}")
        entries = document["findings"]
        return frozenset(
            Fingerprint(str(entry["code"]), str(entry["pointer"]), str(entry["about"])) for entry in entries
        )
    except OSError as error:
        reason = error.strerror or type(error).__name__
        hint = "create it with --write-baseline"
        raise CommandError(f"baseline {path}: {reason}; {hint}") from None
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise CommandError(
            f"baseline {path}: expected a file written by --write-baseline, found {_reason(error)}"
        ) from None


def write_fingerprints(file: TextIO, findings: Iterable[Fingerprint]) -> None:
    """Write a baseline with one finding per line in a stable order, so that diffs are readable."""
    lines = [json.dumps(finding._asdict(), ensure_ascii=False) for finding in sorted(set(findings))]
    file.write(f'{{"version": {_VERSION}, "findings": [')
    file.write(",".join(f"\n  {line}" for line in lines))
    file.write("\n]}\n")


def is_baseline(text: str) -> bool:
    """Return whether a text is a baseline."""
    return text.startswith(f'{{"version": {_VERSION}, "findings": [') and text.endswith("\n]}\n")


def _reason(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"invalid JSON ({error})"
    if isinstance(error, KeyError):
        return f"a finding without {error}"
    return str(error) or type(error).__name__
