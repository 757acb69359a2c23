"""Every code has an explanation and examples; bad examples have only this finding, good ones none."""

from __future__ import annotations

from pathlib import Path

from openlineage_facets.cli.results.codes import every_code
from openlineage_facets.validation import validate
from openlineage_facets.validation.code_catalogue import catalogue, examples_of
from openlineage_facets.validation.rule import FindingCode
from openlineage_facets.validation.ruleset import built_in_rules
from tests.cases import each
from tests.validation.code_examples import BAD_EXAMPLES, FILES, findings, name
from tools.findings_page import FAMILIES, PAGE, page

CODES = catalogue()
RULES = {rule.code for rule in built_in_rules()}
WITHOUT_EXAMPLES = {"OL211", "OL900"}
"""These need other schemas, or a broken rule."""

OF_BACKENDS = [path for path in FILES if path.parts[-3].startswith("OL7")]


def test_schema_codes_are_numbered_in_order_and_all_examples_have_a_code() -> None:
    schema_codes = [code for code in CODES if code.startswith("OL0")]
    assert schema_codes == [f"OL{number:03}" for number in range(1, len(schema_codes) + 1)]
    assert {path.parts[-3] for path in FILES} <= CODES.keys()
    assert len(RULES) == len(built_in_rules()) >= 40
    assert len(BAD_EXAMPLES) >= 70


@each("entry", CODES.values(), ids=lambda entry: entry.code)
def test_code_has_an_explanation_and_examples(entry: FindingCode) -> None:
    assert entry.title[0].isupper()
    assert not entry.title.endswith(".")
    assert len(entry.page) > 80
    assert entry.page.endswith(".")
    if entry.code in RULES:
        assert entry.see.startswith("https://openlineage.io/")
        assert entry.severity == "warning"
    if entry.code not in WITHOUT_EXAMPLES:
        shown = examples_of(entry.code)
        assert [path.name for path in shown["bad"]] == [path.name for path in shown["good"]] != []


@each("path", [path for path in FILES if path not in OF_BACKENDS], ids=name)
def test_bad_example_has_only_its_finding_and_good_example_none(path: Path) -> None:
    code, kind = path.parts[-3:-1]
    found = findings(path)
    expected = {(code, CODES[code].severity)} if kind == "bad" else set()
    assert {(finding.code, finding.severity) for finding in found} == expected
    assert not any("\n" in str(finding) for finding in found)


@each("path", BAD_EXAMPLES, ids=name)
def test_finding_of_a_rule_has_a_location_and_what_is_expected_and_found(path: Path) -> None:
    for finding in findings(path):
        assert finding.pointer.startswith("/")
        assert finding.expected
        assert finding.found


@each("path", OF_BACKENDS, ids=name)
def test_only_backends_report_the_example_of_a_code_of_backends(path: Path) -> None:
    code, kind = path.parts[-3:-1]
    assert (code in {finding.code for finding in findings(path)}) == (kind == "bad")
    assert kind == "good" or validate(path.read_bytes()) == []


def test_the_page_of_findings_is_up_to_date_and_contains_every_code() -> None:
    text = page()
    assert PAGE.read_text(encoding="utf-8") == text, "run `python tools/findings_page.py`"
    assert all(code.startswith(tuple(FAMILIES)) for code in every_code())
    assert all(f"### {code}\n" in text for code in every_code())
