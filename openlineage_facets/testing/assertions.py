"""Assertions about events."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from openlineage_facets.base.errors import Finding
from openlineage_facets.testing.wire_forms import wire_form
from openlineage_facets.validation import validate

__all__ = ["assert_valid", "finding_lines", "objectionable"]


def assert_valid(event: Any, *, ignore: Collection[str] = (), warnings: bool = False) -> None:
    """Assert that an event is what the specification says.

    Args:
        event: An event of this package or of openlineage-python, JSON text, or a JSON object as
            `json.loads` gives it.
        ignore: Codes of findings to let pass, such as `{"OL016"}`.
        warnings: Whether warnings fail the assertion, too, as `--strict` does on the command line.

    Raises:
        AssertionError: It is not; the message has a line for each finding.
        TypeError: It is nothing that could be an event.
    """
    __tracebackhide__ = True
    found = objectionable(validate(wire_form(event), rules=warnings), ignore=ignore, warnings=warnings)
    if found:
        raise AssertionError("\n".join(["the event is not valid:", *finding_lines(found)]))


def objectionable(findings: Iterable[Finding], *, ignore: Collection[str], warnings: bool) -> list[Finding]:
    """Return the findings that make an assertion fail."""
    if isinstance(ignore, str):
        raise TypeError(f"expected codes in a list or a set, found the string {ignore!r}")
    return [
        finding
        for finding in findings
        if finding.code not in ignore and (warnings or finding.severity == "error")
    ]


def finding_lines(findings: Iterable[Finding]) -> list[str]:
    """Return a line for each finding: code, place and remedy."""
    return [f"{finding.code} {finding.severity} {finding}" for finding in findings]
