"""Convert events to lines of JSON and back, and find the key by which they are ordered."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any

from openlineage_facets.base.errors.findings import EventError, is_client_object
from openlineage_facets.base.json.client_objects import client_document
from openlineage_facets.emitters.errors import EmissionError

_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def event_line(event: Any) -> bytes:
    """Return an event as one line of compact JSON, without a line break.

    Args:
        event: An event of this package or of openlineage-python, or its wire format as text, bytes or a
            mapping.

    Raises:
        EmissionError: It is not an event or not serializable as JSON.
    """
    if hasattr(event, "to_json"):
        line = event.to_json()
        return line if isinstance(line, bytes) else str(line).encode()
    try:
        if is_client_object(event):
            event = client_document(event)
        if isinstance(event, Mapping):
            text = json.dumps(dict(event), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
            return text.encode()
        if isinstance(event, (str, bytes, bytearray)):
            line = event.encode() if isinstance(event, str) else bytes(event)
            line = line.removeprefix(b"\xef\xbb\xbf").strip()
            if not isinstance(_DECODER.decode(line.decode()), dict):  # Bytes may also be UTF-16.
                raise _invalid_event("JSON that is not an object")
            # Line breaks in JSON occur only between tokens, where a space is equivalent.
            return line.replace(b"\r", b" ").replace(b"\n", b" ")
    except EventError as error:
        raise _invalid_event(error.findings[0].found) from None
    except (TypeError, ValueError, RecursionError) as error:
        raise _invalid_event(f"invalid JSON or a value that JSON cannot represent ({error})") from None
    raise _invalid_event(f"a value of type {type(event).__name__}")


def _reject(constant: str) -> None:
    raise ValueError(constant)


_DECODER = json.JSONDecoder(parse_constant=_reject)
"""Decodes JSON without NaN and Infinity, which Python's accepts."""


def _invalid_event(found: str) -> EmissionError:
    return EmissionError(f"expected an event or its JSON as text or a dict, found {found}", kind="no event")


def parsed_event(line: bytes) -> Any:
    """Parse a line: return a typed event if it is valid, otherwise a dict."""
    from openlineage_facets.parsing import parse_event

    try:
        return parse_event(line)
    except EventError:
        return json.loads(line)


def ordering_key(line: bytes) -> str:
    """Return the key of the events that must be delivered in order. It is a valid file name.

    Events of one run share a key; without a run, those of one job or one dataset.
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
