"""Review lineage: lock files, and what a change of jobs does to their data.

>>> from openlineage_facets.review import lock_text, read_lock
>>> Path("lineage.lock.json").write_text(lock_text(state.lineage()), encoding="utf-8")
>>> before = read_lock(Path("lineage.lock.json").read_bytes())
"""

from __future__ import annotations

from openlineage_facets.naming.naming_rules import Naming, NamingError, read_naming
from openlineage_facets.review.changes import ChangeKind, Fact, LineageChange, LineageChanges, Part
from openlineage_facets.review.comparison import compare
from openlineage_facets.review.lock import lock_text
from openlineage_facets.review.lock_reading import read_lock
from openlineage_facets.review.reviewed_lineage import joined, reviewed
from openlineage_facets.state.renaming import JoinedNames, joined_names, renamed, renamed_event

__all__ = [
    "ChangeKind",
    "Fact",
    "JoinedNames",
    "LineageChange",
    "LineageChanges",
    "Naming",
    "NamingError",
    "Part",
    "compare",
    "joined",
    "joined_names",
    "lock_text",
    "read_lock",
    "read_naming",
    "renamed",
    "renamed_event",
    "reviewed",
]
