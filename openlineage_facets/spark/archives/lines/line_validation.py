"""Validate one line of an archive."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from openlineage_facets.base.errors.findings import Finding
from openlineage_facets.event_files.bounded_lines import MAX_BYTES, TOO_LONG
from openlineage_facets.validation.event_validation import validate_document
from openlineage_facets.validation.ruleset import installed_rules

if TYPE_CHECKING:
    from openlineage_facets.validation.backends.profile import Profile


class ValidatedLine(NamedTuple):
    """A line with its findings."""

    valid: bool | None
    """None for blank lines."""
    findings: list[Finding]
    value: Any = None
    """Its JSON value, without nulls if they are read as absent; the line itself or None if it has none."""


def validated_line(
    line: bytes | str, *, null_is_absent: bool, backends: Sequence[Profile] = ()
) -> ValidatedLine:
    """Validate a line.

    Args:
        line: JSON text. Blank lines are neither valid nor invalid.
        null_is_absent: Read fields that are null as absent.
        backends: The profiles of backends: what they refuse is invalid.
    """
    if len(line) > MAX_BYTES:
        return ValidatedLine(valid=False, findings=[TOO_LONG])
    if not line.strip():
        return ValidatedLine(valid=None, findings=[])
    result = validate_document(line, null_is_absent=null_is_absent, backends=backends)
    valid = all(finding.severity != "error" for finding in result.findings)
    return ValidatedLine(valid, result.findings, result.raw)


def errors_of(line: bytes, *, null_is_absent: bool, backends: Sequence[Profile] = ()) -> ValidatedLine:
    """Validate a line, but leave out the warnings of a valid one, which take half of the time.

    Args:
        line: JSON text, as for `validated_line`.
        null_is_absent: Read fields that are null as absent.
        backends: The profiles of backends, as for `validated_line`.
    """
    if not _rules_report_errors() and len(line) <= MAX_BYTES and line.strip():
        result = validate_document(line, rules=False, null_is_absent=null_is_absent, backends=backends)
        if not result.findings:
            return ValidatedLine(valid=True, findings=[], value=result.raw)
    return validated_line(line, null_is_absent=null_is_absent, backends=backends)


@lru_cache(maxsize=1)
def _rules_report_errors() -> bool:
    """Return whether a rule of another package can make an event invalid."""
    return any(rule.severity == "error" for rule in installed_rules())
