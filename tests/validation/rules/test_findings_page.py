"""docs/findings.md says what the catalogue says."""

from __future__ import annotations

from openlineage_facets.cli.results.codes import every_code
from tools.findings_page import FAMILIES, PAGE, page


def test_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run `python tools/findings_page.py`"


def test_page_contains_every_code() -> None:
    assert all(code.startswith(tuple(FAMILIES)) for code in every_code())
    text = page()
    assert all(f"### {code}\n" in text for code in every_code())
