"""The catalogue of finding codes, with their explanations and examples."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from openlineage_facets.validation.backends.checks import BACKEND_CODES
from openlineage_facets.validation.rule import FindingCode
from openlineage_facets.validation.ruleset import installed_rules

if TYPE_CHECKING:
    from openlineage_facets.base.errors.findings import Finding


EXAMPLES = Path(__file__).parent / "examples"
"""Example events for each code: `CODE/bad/NAME.json` and `CODE/good/NAME.json`."""


@lru_cache(maxsize=1)
def catalogue() -> dict[str, FindingCode]:
    """Return every code of the schemas, of the built-in and installed rules, and of backends, sorted.

    Example:
        >>> catalogue()["OL301"].title
        'Duplicate tag'
    """
    codes = [*_described_codes(), *(rule.finding_code for rule in installed_rules())]
    return {entry.code: entry for entry in sorted(codes, key=lambda it: it.code)}


def _described_codes() -> Iterator[FindingCode]:
    """Yield the codes that are not those of rules, whose docstrings describe them."""
    for section in _SECTION.finditer(Path(__file__).with_name("codes.md").read_text(encoding="utf-8")):
        paragraphs = section["page"].strip().split("\n\n")
        page = "\n\n".join(paragraph.replace("\n", " ") for paragraph in paragraphs)
        severity: Any = section["severity"]
        yield FindingCode(section["code"], section["title"], severity, page, section["see"] or "")


_SECTION = re.compile(
    r"^## (?P<code>\w+) (?P<title>.+) \((?P<severity>\w+)\)\n\n"
    r"(?:<(?P<see>.+)>\n\n)?(?P<page>(?:(?!## ).*\n)+)",
    re.MULTILINE,
)


def examples_of(code: str) -> dict[str, list[Path]]:
    """Return the example files of a code: "bad" ones with the finding, and their fixed "good" versions."""
    return {
        kind: sorted(path for path in (EXAMPLES / code / kind).glob("*") if path.is_file())
        for kind in ("bad", "good")
    }


def findings_of_example(code: str, event: str | bytes) -> list[Finding]:
    """Return the findings with this code of one of its example events."""
    from openlineage_facets.validation.event_validation import validate

    findings = validate(event, backends="all" if code in BACKEND_CODES else ())
    return [finding for finding in findings if finding.code == code]
