"""The examples of finding codes, and their findings.

An example is an event (`NAME.json`), the events of a run (`NAME.ndjson`), or Python code (`NAME.txt`) for
codes that only composing reports.
"""

from __future__ import annotations

from pathlib import Path

from pydantic_core import from_json

from openlineage_facets import EventError
from openlineage_facets.base.errors.findings import Finding
from openlineage_facets.validation import validate
from openlineage_facets.validation.code_catalogue import EXAMPLES
from openlineage_facets.validation.event_document import Document
from openlineage_facets.validation.stream_rules import StreamRules

FILES = sorted(path for path in EXAMPLES.glob("*/*/*") if path.is_file())
RULE_EXAMPLES = [path for path in FILES if "OL1" <= path.parts[-3] < "OL7"]
"""The examples of rules, without those of schema codes and of backends."""

BAD_EXAMPLES = [path for path in RULE_EXAMPLES if path.parts[-2] == "bad"]


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
    """Return the findings of an example: for NDJSON also of stream rules, for their codes of backends."""
    if path.suffix == ".txt":
        try:
            exec(compile(path.read_text(), str(path), "exec", dont_inherit=True), {"__name__": path.stem})
        except EventError as error:
            return list(error.findings)
        return []
    backends = "all" if path.parts[-3].startswith("OL7") else ()
    found = [finding for event in events(path) for finding in validate(event, backends=backends)]
    if path.suffix == ".ndjson":
        rules = StreamRules()
        found += [finding for document in documents(path) for finding in rules.check(document)]
        found += [finding for _, finding in rules.finish()]
    return found
