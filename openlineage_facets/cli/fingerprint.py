"""What makes two findings the same one, however the events around them change."""

from __future__ import annotations

import re
from typing import NamedTuple

from openlineage_facets.cli.results import Judged

__all__ = ["Fingerprint", "fingerprint"]

_INDEX = re.compile(r"/\d+(?=/|$)")


class Fingerprint(NamedTuple):
    """What identifies a finding from one check to the next.

    Lines, run ids and the numbers of list entries are not in it: it stays the same where events are
    added, removed or put in another order.
    """

    code: str
    pointer: str
    """The JSON Pointer, "*" in the place of each index."""
    about: str
    """The job, and the dataset; the file where it is about no event that could be read."""


def fingerprint(file: str, judged: Judged) -> Fingerprint:
    """Return the fingerprint of a finding.

    Args:
        file: The file it is in.
        judged: The finding.
    """
    finding = judged.finding
    return Fingerprint(finding.code, _INDEX.sub("/*", finding.pointer), judged.about or file)
