"""Identity of a finding that is stable across runs of the check."""

from __future__ import annotations

import re
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
    """The job and the dataset, or the file if no event could be read."""


def fingerprint(file: str, reported: ReportedFinding) -> Fingerprint:
    """Return the fingerprint of a finding.

    Args:
        file: The file that contains it.
        reported: The finding.
    """
    finding = reported.finding
    return Fingerprint(finding.code, _INDEX.sub("/*", finding.pointer), reported.about or file)
