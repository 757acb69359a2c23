"""Write the optional fields of an event that some consumers require, as empty lists and objects."""

from __future__ import annotations

import json
from typing import Any


def with_empty_fields(line: bytes) -> bytes:
    """Return an event with `inputs`, `outputs` and the `facets` of run, job and dataset, empty if absent.

    The specification allows to omit them, and this package does. For consumers that read an absent field as
    an error, pass this function to `prepare_lines` of an emitter.

    Args:
        line: An event as JSON. Anything else is returned unchanged.

    Example:
        >>> emitter = HttpEmitter("https://acme.atlan.com", endpoint="events/openlineage/spark/api/v1")
        >>> emitter.prepare_lines(with_empty_fields)
    """
    event = json.loads(line)
    if not isinstance(event, dict):
        return line
    owners = [event[name] for name in ("run", "job", "dataset") if isinstance(event.get(name), dict)]
    changed = [_add(owner, "facets", {}) for owner in owners]
    if "job" in event:
        changed += [_add(event, name, []) for name in ("inputs", "outputs")]
    if not any(changed):
        return line
    return json.dumps(event, separators=(",", ":")).encode()


def _add(owner: dict[str, Any], name: str, empty: Any) -> bool:
    is_absent = name not in owner
    owner.setdefault(name, empty)
    return is_absent
