"""The limit on the length of an event in a file."""

from __future__ import annotations

from openlineage_facets.base.errors.findings import Finding

MAX_BYTES = 32 << 20
"""Maximum length of an event in bytes."""

TOO_LONG = Finding(
    "",
    "an event of at most 32 MiB",
    "more",
    "check for a missing line break or quotation mark",
    code="OL806",
)
"""Finding about a longer event, which is not parsed."""
