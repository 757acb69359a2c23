"""Findings about files, independent of the events in them."""

from __future__ import annotations

from typing import Literal

from openlineage_facets.base.errors.findings import Finding


def file_finding(
    code: str, expected: str, found: str, hint: str = "", severity: Literal["error", "warning"] = "error"
) -> Finding:
    """Return a finding about a whole file."""
    return Finding("", expected, found, hint, code=code, severity=severity)
