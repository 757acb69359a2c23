"""Location of a finding in terms of jobs, datasets and JSON Pointers, with secrets redacted."""

from __future__ import annotations

from typing import Any

from openlineage_facets.base.errors.json_pointer import json_pointer, steps_of
from openlineage_facets.base.redaction.redact import redact_repeated
from openlineage_facets.validation.pointer_lookup import value_at


def job_and_dataset(document: dict[str, Any], pointer: str) -> str:
    """Return the job of an event, followed by the dataset that contains `pointer`."""
    parts = [_name(document.get("job"))]
    steps = steps_of(pointer)
    if steps and steps[0] in ("inputs", "outputs"):
        parts.append(_name(value_at(document, steps[:2])))
    elif steps and "dataset" in document:
        parts.append(_name(document["dataset"]))
    return " ".join(part for part in parts if part)


def redacted_pointer(pointer: str) -> str:
    """Return a JSON Pointer with secrets in its keys redacted."""
    return json_pointer(step if step.isdecimal() else redact_repeated(step) for step in steps_of(pointer))


def redacted_name(namespace: object, name: object) -> str:
    """Return namespace and name of a job or dataset with secrets redacted. Invalid parts are omitted."""
    return " ".join(redact_repeated(part) for part in (namespace, name) if isinstance(part, str) and part)


def _name(entity: Any) -> str:
    return redacted_name(entity.get("namespace"), entity.get("name")) if isinstance(entity, dict) else ""
