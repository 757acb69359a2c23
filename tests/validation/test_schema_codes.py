"""Every schema code has an explanation and examples; bad examples have only this finding, good ones none.

An example is an event (`NAME.json`), or Python code (`NAME.txt`) for codes that only composing reports.
"""

from __future__ import annotations

from pathlib import Path

from openlineage_facets import EventError, Finding, validate
from openlineage_facets.validation.code_catalogue import EXAMPLES, catalogue
from tests.cases import each

SCHEMA_CODES = [entry for entry in catalogue().values() if entry.code.startswith("OL0")]
FILES = sorted(path for path in EXAMPLES.glob("OL0*/*/*") if path.is_file())
BAD = [path for path in FILES if path.parent.name == "bad"]
GOOD = [path for path in FILES if path.parent.name == "good"]


def findings_of(example: Path) -> list[Finding]:
    text = example.read_text(encoding="utf-8")
    if example.suffix == ".json":
        return validate(text)
    try:
        exec(compile(text, str(example), "exec", dont_inherit=True), {"__name__": example.stem})
    except EventError as error:
        return list(error.findings)
    return []


def named(path: Path) -> str:
    return "/".join(path.parts[-3:])


@each("example", BAD, ids=named)
def test_bad_example_has_only_findings_with_its_code(example: Path):
    assert {finding.code for finding in findings_of(example)} == {example.parts[-3]}


@each("example", BAD, ids=named)
def test_severity_matches_the_catalogue(example: Path):
    [entry] = [entry for entry in SCHEMA_CODES if entry.code == example.parts[-3]]
    assert {finding.severity for finding in findings_of(example)} == {entry.severity}


@each("example", GOOD, ids=named)
def test_good_example_has_no_findings(example: Path):
    assert findings_of(example) == []


@each("entry", SCHEMA_CODES, ids=[entry.code for entry in SCHEMA_CODES])
def test_every_code_has_an_explanation_and_examples(entry):
    bad, good = (
        {path.name for path in FILES if path.parts[-3:-1] == (entry.code, kind)} for kind in ("bad", "good")
    )
    assert bad == good != set()
    assert len(entry.page) > 80
    assert entry.see.startswith("https://")
    assert entry.title[0].isupper()


def test_codes_are_numbered_in_order_and_examples_are_complete():
    codes = [entry.code for entry in SCHEMA_CODES]
    assert codes == [f"OL{number:03}" for number in range(1, len(codes) + 1)]
    assert {path.parts[-3] for path in FILES} == set(codes)
