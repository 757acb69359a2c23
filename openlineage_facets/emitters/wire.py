"""Events as one line of JSON, and back; and which events must keep their order."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any

from openlineage_facets.emitters.errors import EmissionError

__all__ = ["event_line", "event_of", "stream_of"]

_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def event_line(event: Any) -> bytes:
    """Return an event as one line of compact JSON, without the line's end.

    Args:
        event: An event of this package, or its wire form as text, bytes or a mapping.

    Raises:
        EmissionError: It is no event, or JSON has no form for what it holds.
    """
    if hasattr(event, "to_json"):
        line = event.to_json()
        return line if isinstance(line, bytes) else str(line).encode()
    try:
        if isinstance(event, Mapping):
            text = json.dumps(dict(event), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
            return text.encode()
        if isinstance(event, (str, bytes, bytearray)):
            line = event.encode() if isinstance(event, str) else bytes(event)
            line = line.removeprefix(b"\xef\xbb\xbf").strip()
            if not isinstance(json.loads(line), dict):
                raise _no_event("JSON that is no object")
            # In JSON, the ends of lines stand between tokens alone, where a blank says the same.
            return line.replace(b"\r", b" ").replace(b"\n", b" ")
    except (TypeError, ValueError, RecursionError) as error:
        raise _no_event(f"what JSON has no form for ({error})") from None
    raise _no_event(f"a value of type {type(event).__name__}")


def _no_event(found: str) -> EmissionError:
    return EmissionError(f"expected an event, or its JSON as text or a dict, found {found}", kind="no event")


def event_of(line: bytes) -> Any:
    """Return the event of a line: typed where it is valid, else a dict."""
    from openlineage_facets.base.errors import EventError
    from openlineage_facets.parsing import parse_event

    try:
        return parse_event(line)
    except EventError:
        return json.loads(line)


def stream_of(line: bytes) -> str:
    """Return a name, fit for a file, for the events among which this one keeps its place.

    Those are the events of one run; of one job or one dataset, where there is no run.
    """
    event = json.loads(line)
    run_id = _member(event, "run", "runId")
    if isinstance(run_id, str):
        return f"run-{run_id.lower()}" if _UUID.fullmatch(run_id.lower()) else _hashed("run", run_id)
    for entity in ("job", "dataset"):
        name = _member(event, entity, "name")
        if isinstance(name, str):
            return _hashed(entity, json.dumps([_member(event, entity, "namespace"), name]))
    return "other"


def _member(event: Any, entity: str, name: str) -> Any:
    value = event.get(entity)
    return value.get(name) if isinstance(value, dict) else None


def _hashed(kind: str, identity: str) -> str:
    return f"{kind}-{hashlib.sha256(identity.encode(errors='surrogatepass')).hexdigest()[:32]}"
