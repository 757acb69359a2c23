"""Assertions about events, and the wire format of the events that tests pass."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from openlineage_facets.base.errors.client_classes import is_client_object
from openlineage_facets.base.errors.findings import Finding
from openlineage_facets.base.model.model import Model
from openlineage_facets.validation import validate


def wire_form(event: Any) -> str | bytes | bytearray | Mapping[str, Any]:
    """Return an event as JSON text or as a JSON object.

    Args:
        event: An event of this package or of openlineage-python, JSON text, or a JSON object.

    Raises:
        TypeError: `event` has another type.
    """
    if isinstance(event, (str, bytes, bytearray, Mapping)):
        return event
    if isinstance(event, Model):
        return event.to_json()
    if is_client_object(event):
        from openlineage.client.serde import Serde

        return Serde.to_json(event)
    raise TypeError(f"expected an event, JSON text or a dict, found {type(event).__name__}")


def assert_valid(event: Any, *, ignore: Collection[str] = (), warnings: bool = False) -> None:
    """Assert that an event is valid.

    Args:
        event: An event of this package or of openlineage-python, JSON text, or a JSON object as returned by
            `json.loads`.
        ignore: Codes of findings to ignore, such as `{"OL016"}`.
        warnings: Whether to treat warnings as errors, like `--strict` on the command line.

    Raises:
        AssertionError: The event is invalid. The message has one line per finding.
        TypeError: `event` has another type.

    Example:
        >>> assert_valid(event, ignore={"OL016"})
    """
    __tracebackhide__ = True
    found = failing_findings(validate(wire_form(event), rules=warnings), ignore=ignore, warnings=warnings)
    if found:
        raise AssertionError("\n".join(["invalid event:", *finding_lines(found)]))


def failing_findings(
    findings: Iterable[Finding], *, ignore: Collection[str], warnings: bool
) -> list[Finding]:
    """Return the findings that fail an assertion."""
    if isinstance(ignore, str):
        raise TypeError(f"ignore: expected a collection of codes, found the string {ignore!r}")
    return [
        finding
        for finding in findings
        if finding.code not in ignore and (warnings or finding.severity == "error")
    ]


def finding_lines(findings: Iterable[Finding]) -> list[str]:
    """Return one line per finding: code, severity, location, cause and fix."""
    return [f"{finding.code} {finding.severity} {finding}" for finding in findings]
