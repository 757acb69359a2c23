"""The catalogue of finding codes, with their explanations and examples."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from openlineage_facets.validation.backends.codes import BACKEND_CODES
from openlineage_facets.validation.finding_code import FindingCode
from openlineage_facets.validation.ruleset import BROKEN_RULE, installed_rules
from openlineage_facets.validation.schema_codes import SCHEMA_CODES
from openlineage_facets.validation.schemas.schema_files import UNKNOWN_DEFINITION

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
    rules = (rule.finding_code for rule in installed_rules())
    codes = [*SCHEMA_CODES, *rules, *BACKEND_CODES, UNKNOWN_DEFINITION, BROKEN_RULE]
    return {entry.code: entry for entry in sorted(codes, key=lambda it: it.code)}


def examples_of(code: str) -> dict[str, list[Path]]:
    """Return the example files of a code: "bad" ones with the finding, and their fixed "good" versions."""
    return {
        kind: sorted(path for path in (EXAMPLES / code / kind).glob("*") if path.is_file())
        for kind in ("bad", "good")
    }


def findings_of_example(code: str, event: str | bytes) -> list[Finding]:
    """Return the findings with this code of one of its example events."""
    from openlineage_facets.validation.event_validation import validate

    of_backends = any(entry.code == code for entry in BACKEND_CODES)
    return [one for one in validate(event, backends="all" if of_backends else ()) if one.code == code]
