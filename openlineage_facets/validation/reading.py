"""Judge an event, and read it whatever is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from openlineage_facets.base.errors import EventError, Finding
from openlineage_facets.parsing import parse_event
from openlineage_facets.validation.judgement import judge
from openlineage_facets.validation.tolerant import tolerant_event

if TYPE_CHECKING:
    from openlineage_facets.parsing import Event
    from openlineage_facets.validation.judgement import Schemas

__all__ = ["Reading", "read_event", "validate"]


class Reading(NamedTuple):
    """What tolerant reading gives.

    Attributes:
        event: The event, None where the document is no JSON object, or has neither run, job nor dataset.
        findings: What is wrong with it: errors first, then warnings, each in the order of the document.
        raw: The JSON value, or what was given where that is no JSON.
    """

    event: Event | None
    findings: list[Finding]
    raw: Any


def validate(
    data: str | bytes | bytearray | Mapping[str, Any], *, rules: bool = True, schemas: Schemas | None = None
) -> list[Finding]:
    """Return what is wrong with an event: errors first, then warnings.

    Errors are what the schemas forbid, formats date-time and uuid included; an event without one is what
    `parse_event` takes. Warnings are URIs that are none, fields that look misspelt, and what the rules
    beyond the schema object to.

    Args:
        data: JSON text, or a JSON object as `json.loads` gives it.
        rules: Whether to give warnings, too.
        schemas: Schemas to judge by, such as a `SchemaSet`, which knows the version that each facet names.

    Example:
        >>> for finding in validate('{"run": {"runId": "seven"}, "job": {"namespace": "etl"}}'):
        ...     print(finding.severity, finding.code, finding)
    """
    if not rules and schemas is None:
        try:
            parse_event(data)
        except EventError:
            pass  # Read again for its places, hints and lines.
        else:
            return []
    return judge(data, rules=rules, schemas=schemas).findings


def read_event(
    data: str | bytes | bytearray | Mapping[str, Any], *, rules: bool = True, schemas: Schemas | None = None
) -> Reading:
    """Read an event whatever is wrong with it, and say what that is.

    A facet that is valid by itself is typed. One that is not stands under its key as the base facet of
    its entity, with all its fields, and its attribute is None. A field that is not valid, or missing and
    required, reads as None; a run id that is no UUID reads as it came. Written again, the event is the
    very JSON value that was read.

    Args:
        data: JSON text, or a JSON object as `json.loads` gives it.
        rules: Whether the findings hold warnings, too.
        schemas: Schemas to judge by, as for `validate`. They change the findings, not the event.

    Example:
        >>> reading = read_event('{"job": {"namespace": "etl", "name": "orders"}}')
        >>> reading.event.job.name, reading.event.event_time
        ('orders', None)
    """
    judged = judge(data, rules=rules, schemas=schemas)
    event = judged.event
    if event is None and judged.document is not None:
        event = tolerant_event(judged.raw)
    return Reading(event, judged.findings, judged.raw)
