"""Write docs/findings.md from the catalogue of finding codes and its examples."""

from __future__ import annotations

import json
from pathlib import Path

from openlineage_facets.base.errors.findings import Finding
from openlineage_facets.cli.results.codes import every_code
from openlineage_facets.validation.code_catalogue import examples_of, findings_of_example
from openlineage_facets.validation.event_document import Document
from openlineage_facets.validation.rule import FindingCode
from openlineage_facets.validation.stream_rules import StreamRules
from tools.generated_files import ROOT, write_or_check

PAGE = ROOT / "docs" / "findings.md"

FAMILIES = {
    "OL0": "Schema errors and composed values",
    "OL1": "Facet keys and class names",
    "OL2": "Schema URLs",
    "OL3": "Contents of events",
    "OL4": "Dataset names",
    "OL5": "Order of the events of a run",
    "OL7": "Backends",
    "OL80": "Files",
    "OL82": "Policies",
    "OL9": "Failed rules",
}

HEAD = """# Findings

Each finding has a code, which is stable across versions. An *error* is an event that violates the
specification, or that a backend refuses. A *warning* is an event that is valid but probably wrong, or of
which a backend loses something. A *note* is what a backend changes. The command
`openlineage-facets explain CODE` shows an entry in the terminal. The tests validate the linked examples.
See [rules](rules.md) for custom rules and schemas.

This page is generated from the catalogue by `python tools/findings_page.py`.
"""


def page() -> str:
    """Return the contents of the page."""
    parts = [HEAD]
    for start, family in FAMILIES.items():
        entries = [entry for entry in every_code().values() if entry.code.startswith(start)]
        rows = [
            f"| [{entry.code}](#{entry.code.lower()}) | {entry.title} | {entry.severity} |"
            for entry in entries
        ]
        parts.append(
            "\n".join([f"## {family}", "", "| code | title | severity |", "| --- | --- | --- |", *rows, ""])
        )
        parts += map(_section, entries)
    return "\n".join(parts)


def _section(entry: FindingCode) -> str:
    lines = [
        f"### {entry.code}",
        "",
        f"*{entry.title}.* A{'n' if entry.severity == 'error' else ''} {entry.severity}.",
        "",
    ]
    lines += [entry.page, ""]
    shown = examples_of(entry.code)
    for path in shown["bad"]:
        bad, good = (path.parent.parent / kind / path.name for kind in ("bad", "good"))
        links = f"[bad]({_link(bad)}), [good]({_link(good)})"
        finding = next((one for one in _findings(entry.code, bad) if one.code == entry.code), None)
        lines.append(f"- {links}" + (f": `{finding}`" if finding and "`" not in str(finding) else ""))
    lines += [""] if shown["bad"] else []
    if entry.see:
        lines += [f"See {entry.see}", ""]
    return "\n".join(lines)


def _link(path: Path) -> str:
    return f"../{path.relative_to(ROOT).as_posix()}"


def _findings(code: str, example: Path) -> list[Finding]:
    if example.suffix == ".json":
        return findings_of_example(code, example.read_bytes())
    if example.suffix != ".ndjson":
        return []
    rules = StreamRules()
    found = []
    for line in example.read_bytes().splitlines():
        found += rules.check(Document(json.loads(line)))
    return found + [finding for _, finding in rules.finish()]


if __name__ == "__main__":
    raise SystemExit(write_or_check([(PAGE, page())], "findings_page.py"))
