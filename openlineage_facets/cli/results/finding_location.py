"""Location of a finding, and the offending part of its event in one line, with secrets redacted."""

from __future__ import annotations

import json
from typing import Any

from openlineage_facets.base.display.printable import printable
from openlineage_facets.base.errors.json_pointer import MISSING, steps_of, value_at
from openlineage_facets.base.redaction.redact import (
    MAX_REDACTED_LENGTH,
    redact_json,
    redact_repeated,
    redact_start,
    redact_unparsed,
)
from openlineage_facets.validation.line_numbers import json_error_position

_WIDTH = 100
_LARGE = 1 << 20
"""Of larger texts, only the beginning is redacted and shown."""


def snippet_at(document: Any, pointer: str) -> str:
    """Return the key and value at `pointer`, or its nearest existing parent.

    Args:
        document: The event.
        pointer: JSON Pointer.
    """
    steps = steps_of(pointer)
    while steps and value_at(document, steps) is MISSING:
        steps.pop()
    value = _shortened(value_at(document, steps), 3)
    if steps and isinstance(value_at(document, steps[:-1]), dict):
        ((key, value),) = redact_json({_shortened(steps[-1], 0): value}, for_display=True).items()
        text = f"{json.dumps(key, ensure_ascii=False)}: {json.dumps(value, ensure_ascii=False, default=str)}"
    else:
        text = json.dumps(redact_json(value, for_display=True), ensure_ascii=False, default=str)
    return printable(text if len(text) <= _WIDTH else text[: _WIDTH - 3] + "...")


def snippet_of_text(text: bytes) -> str:
    """Return the part of a line around the position where `text` becomes invalid JSON."""
    if len(text) > _LARGE:
        return beginning_of_text(text)
    plain = redact_unparsed(text)
    line, column = json_error_position(plain.encode("utf-8", "surrogateescape")) or (1, 1)
    row = plain.split("\n")[line - 1]
    position = len(row.encode("utf-8", "surrogateescape")[: column - 1].decode("utf-8", "replace"))
    start = max(0, min(position - _WIDTH // 2, len(row) - _WIDTH))
    before = "..." if start else ""
    after = "..." if start + _WIDTH < len(row) else ""
    return _in_one_line(f"{before}{row[start : start + _WIDTH]}{after}")


def beginning_of_text(text: bytes) -> str:
    """Return the beginning of a text that is too long to read."""
    return _in_one_line(f"{redact_unparsed(text[:MAX_REDACTED_LENGTH])[:_WIDTH]}...")


def _in_one_line(text: str) -> str:
    decoded = text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return printable(" ".join(decoded.split()))


def _shortened(value: Any, depth: int) -> Any:
    """Return enough of a value to fill a line, to avoid serializing large values.

    Secrets are redacted before shortening, because a truncated secret might not be recognized.
    """
    if isinstance(value, dict):
        if depth == 0 and value:
            return {"...": 0}
        return {_shortened(key, 0): _shortened(item, depth - 1) for key, item in list(value.items())[:12]}
    if isinstance(value, list):
        return [_shortened(item, depth - 1) for item in value[:12]] if depth else [0] * bool(value)
    return redact_start(value, 2 * _WIDTH) if isinstance(value, str) else value


def job_and_dataset(document: dict[str, Any], pointer: str) -> str:
    """Return the job of an event, followed by the dataset that contains `pointer`."""
    parts = [_name(document.get("job"))]
    steps = steps_of(pointer)
    if steps and steps[0] in ("inputs", "outputs"):
        parts.append(_name(value_at(document, steps[:2])))
    elif steps and "dataset" in document:
        parts.append(_name(document["dataset"]))
    return " ".join(part for part in parts if part)


def redacted_name(namespace: object, name: object) -> str:
    """Return namespace and name of a job or dataset with secrets redacted. Invalid parts are omitted."""
    return " ".join(redact_repeated(part) for part in (namespace, name) if isinstance(part, str) and part)


def _name(entity: Any) -> str:
    return redacted_name(entity.get("namespace"), entity.get("name")) if isinstance(entity, dict) else ""
