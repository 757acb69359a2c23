"""The catalogue of codes: every kind of finding, with the page that explains it."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from openlineage_facets.validation.code import Code
from openlineage_facets.validation.ruleset import BROKEN_RULE, installed_rules
from openlineage_facets.validation.schema_codes import SCHEMA_CODES
from openlineage_facets.validation.schema_files import NO_SUCH_DEFINITION

__all__ = ["EXAMPLES", "Code", "catalogue", "examples_of", "explain"]

EXAMPLES = Path(__file__).parent / "examples"
"""Events that show each code: `CODE/bad/NAME.json` and `CODE/good/NAME.json`."""


@lru_cache(maxsize=1)
def catalogue() -> dict[str, Code]:
    """Return every code, in order, with its entry: of the schema, of rules built in and of rules installed.

    Example:
        >>> catalogue()["OL301"].title
        'A tag is listed twice'
    """
    rules = (rule.entry for rule in installed_rules())
    entries = [*SCHEMA_CODES, *rules, NO_SUCH_DEFINITION, BROKEN_RULE]
    return {entry.code: entry for entry in sorted(entries, key=lambda it: it.code)}


def explain(code: str) -> Code:
    """Return the entry of a code, however it is capitalized.

    Raises:
        KeyError: No finding has this code.
    """
    return catalogue()[code.strip().upper()]


def examples_of(code: str) -> dict[str, list[Path]]:
    """Return the files that show a code: under "bad" those that have the finding, under "good" mended
    ones.
    """
    return {
        kind: sorted(path for path in (EXAMPLES / code / kind).glob("*") if path.is_file())
        for kind in ("bad", "good")
    }
