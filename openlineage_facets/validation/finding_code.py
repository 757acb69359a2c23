"""A finding code, and the text that explains it."""

from __future__ import annotations

from dataclasses import dataclass

from openlineage_facets.base.errors.findings import Severity


@dataclass(frozen=True)
class FindingCode:
    """One finding code, as listed in the catalogue.

    Args:
        code: The code, such as "OL003"; stable across versions.
        title: The problem in a few words.
        severity: "error" if the event is invalid or refused, "warning" if it is valid but probably wrong,
            "note" if nothing is wrong with it.
        page: What the finding means, why it matters and how to fix it, in plain Markdown paragraphs.
        see: URL of the relevant section of the specification, or "".
    """

    code: str
    title: str
    severity: Severity
    page: str
    see: str = ""
