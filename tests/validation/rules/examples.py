"""The examples of each code, and what is found in them."""

from __future__ import annotations

from pathlib import Path

from pydantic_core import from_json

from openlineage_facets.base.errors import Finding
from openlineage_facets.validation import validate
from openlineage_facets.validation.codes import EXAMPLES
from openlineage_facets.validation.document import Document
from openlineage_facets.validation.stream import StreamRules

RULE_EXAMPLES = sorted(path for path in EXAMPLES.glob("*/*/*") if path.is_file() and path.parts[-3] >= "OL1")
"""Every example of a rule; those of the schemas have tests of their own."""


def name(path: Path) -> str:
    """Return what an example is called in the output of a test."""
    return "/".join(path.parts[-3:])


def events(path: Path) -> list[bytes]:
    """Return the events of an example."""
    content = path.read_bytes()
    return content.splitlines() if path.suffix == ".ndjson" else [content]


def documents(path: Path) -> list[Document]:
    """Return the events of an example as rules see them."""
    return [Document(from_json(event)) for event in events(path)]


def findings(path: Path) -> list[Finding]:
    """Return all that is found in an example: in each event and, of a stream, in what they add up to."""
    found = [finding for event in events(path) for finding in validate(event)]
    if path.suffix == ".ndjson":
        rules = StreamRules()
        found += [finding for document in documents(path) for finding in rules.see(document)]
        found += [finding for _, finding in rules.finish()]
    return found
