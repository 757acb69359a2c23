"""The examples of rules and their findings."""

from __future__ import annotations

from pathlib import Path

from pydantic_core import from_json

from openlineage_facets.base.errors.findings import Finding
from openlineage_facets.validation import validate
from openlineage_facets.validation.code_catalogue import EXAMPLES
from openlineage_facets.validation.event_document import Document
from openlineage_facets.validation.stream_rules import StreamRules

RULE_EXAMPLES = sorted(
    path for path in EXAMPLES.glob("*/*/*") if path.is_file() and "OL1" <= path.parts[-3] < "OL7"
)
"""The examples of all rules; those of schema codes and of backends are tested separately."""


def name(path: Path) -> str:
    """Return the test id of an example."""
    return "/".join(path.parts[-3:])


def events(path: Path) -> list[bytes]:
    """Return the events of an example."""
    content = path.read_bytes()
    return content.splitlines() if path.suffix == ".ndjson" else [content]


def documents(path: Path) -> list[Document]:
    """Return the events of an example as documents."""
    return [Document(from_json(event)) for event in events(path)]


def findings(path: Path) -> list[Finding]:
    """Return the findings of an example, including those of stream rules for NDJSON."""
    found = [finding for event in events(path) for finding in validate(event)]
    if path.suffix == ".ndjson":
        rules = StreamRules()
        found += [finding for document in documents(path) for finding in rules.check(document)]
        found += [finding for _, finding in rules.finish()]
    return found
