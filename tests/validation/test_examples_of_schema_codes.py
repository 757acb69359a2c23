"""Every code of the schemas has a page and examples: the bad ones show it alone, the good ones nothing.

An example is an event (`NAME.json`) or, where events can't show the code, Python that composes (`NAME.txt`).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from openlineage_facets import EventError, Finding, validate
from openlineage_facets.validation.codes import EXAMPLES
from openlineage_facets.validation.schema_codes import SCHEMA_CODES

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


@pytest.mark.parametrize("example", BAD, ids=named)
def test_a_bad_example_shows_its_code_and_no_other(example: Path):
    assert {finding.code for finding in findings_of(example)} == {example.parts[-3]}


@pytest.mark.parametrize("example", BAD, ids=named)
def test_a_finding_is_an_error_or_a_warning_as_the_catalogue_says(example: Path):
    [entry] = [entry for entry in SCHEMA_CODES if entry.code == example.parts[-3]]
    assert {finding.severity for finding in findings_of(example)} == {entry.severity}


@pytest.mark.parametrize("example", GOOD, ids=named)
def test_a_good_example_shows_nothing(example: Path):
    assert findings_of(example) == []


@pytest.mark.parametrize("entry", SCHEMA_CODES, ids=[entry.code for entry in SCHEMA_CODES])
def test_every_code_has_a_page_and_a_pair_of_examples(entry):
    bad, good = (
        {path.name for path in FILES if path.parts[-3:-1] == (entry.code, kind)} for kind in ("bad", "good")
    )
    assert bad == good != set()
    assert len(entry.page) > 80
    assert entry.see.startswith("https://")
    assert entry.title[0].isupper()


def test_the_codes_are_numbered_in_order_and_no_example_is_of_another():
    codes = [entry.code for entry in SCHEMA_CODES]
    assert codes == [f"OL{number:03}" for number in range(1, len(codes) + 1)]
    assert {path.parts[-3] for path in FILES} == set(codes)
