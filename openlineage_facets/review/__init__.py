"""Review lineage: lock files, and what a change of jobs does to their data.

>>> from openlineage_facets.review import lock_text, read_lock
>>> Path("lineage.lock.json").write_text(lock_text(state.lineage()), encoding="utf-8")
>>> before = read_lock(Path("lineage.lock.json").read_bytes())
"""

from __future__ import annotations

from openlineage_facets.review.changes import ChangeKind, LineageChange, LineageChanges
from openlineage_facets.review.comparison import compare
from openlineage_facets.review.facts import Fact, Part
from openlineage_facets.review.lock import lock_text
from openlineage_facets.review.lock_reading import read_lock
from openlineage_facets.review.reviewed import joined, reviewed

__all__ = [
    "ChangeKind",
    "Fact",
    "LineageChange",
    "LineageChanges",
    "Part",
    "compare",
    "joined",
    "lock_text",
    "read_lock",
    "reviewed",
]
