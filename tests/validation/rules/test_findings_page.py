"""docs/findings.md says what the catalogue says."""

from __future__ import annotations

from openlineage_facets.cli.file_codes import every_code
from tools.findings_page import FAMILIES, PAGE, page


def test_the_page_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run `python tools/findings_page.py`"


def test_every_code_is_on_the_page() -> None:
    assert {code[:3] for code in every_code()} <= set(FAMILIES)
    text = page()
    assert all(f"### {code}\n" in text for code in every_code())
