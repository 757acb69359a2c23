"""One part of an event, however large, costs little memory and few calls for each of its characters or items.

The limits are a fraction of the cost of the faults that these tests exclude, and a multiple of today's cost.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from openlineage_facets import parse_event
from openlineage_facets.cli.check.chunk_checker import CheckSettings, ChunkChecker
from openlineage_facets.cli.results.codes import CodeSelection
from openlineage_facets.event_files.chunks import Values
from openlineage_facets.naming.uris import is_uri
from openlineage_facets.validation import validate
from openlineage_facets.validation.line_numbers import line_numbers
from tests.cases import each
from tests.events import JOB, job_event, run_event
from tests.speed.counting import peak_bytes, python_calls

LENGTH = 200_000


@each("part", ["a:@/", "%20", "a%20:", "?x=%41&", "#/a", "a:b@[::1]:8/"])
def test_checking_a_long_uri_needs_little_memory(part: str) -> None:
    text = "http://" + part * (LENGTH // len(part))
    assert peak_bytes(lambda: is_uri(text)) < 10 * LENGTH


@each("part", ["\\n", '\\"', "\\\\", " a", "[]"])
def test_finding_lines_in_text_with_a_long_string_needs_little_memory(part: str) -> None:
    text = '{"a": "' + part * (LENGTH // len(part)) + '",\n"b": 1}'
    assert line_numbers(text, ["/b"]) == {"/b": 2}
    assert peak_bytes(lambda: line_numbers(text, ["/b"])) < 20 * LENGTH


def test_finding_lines_in_text_with_many_lines_needs_little_memory() -> None:
    text = "[" + "\n" * LENGTH + "1]"
    assert line_numbers(text, ["/0"]) == {"/0": LENGTH + 1}
    assert peak_bytes(lambda: line_numbers(text, ["/0"])) < 10 * LENGTH


@pytest.mark.check
@each("key", ["acme_engine{}", "processing{}engine", "{}"])
def test_an_unknown_facet_takes_few_calls(key: str) -> None:
    def calls(count: int) -> int:
        events = iter([event_with_facets(key, first, count) for first in (10_000, 20_000)])
        return python_calls(lambda: validate(next(events)))

    assert calls(100) - calls(50) < 50 * 3_000


@each("key", ["acme_f{}", "processing{}engine", "{}"])
def test_parsing_an_unknown_facet_takes_few_calls(key: str) -> None:
    few, many = (event_with_facets(key, 0, count) for count in (50, 150))
    more = python_calls(lambda: parse_event(many)) - python_calls(lambda: parse_event(few))
    assert more <= 100 * 4


def event_with_facets(key: str, first: int, count: int) -> bytes:
    """Return an event with custom facets that are in no cache."""
    url = "https://example.com/cost.json"
    facets: dict[str, Any] = {
        key.format(number): {"_producer": "https://example.com/etl", "_schemaURL": f"{url}?{number}"}
        for number in range(first, first + count)
    }
    return json.dumps(job_event(job={**JOB, "facets": facets})).encode()


@pytest.mark.check
def test_reporting_findings_about_many_datasets_takes_linear_work() -> None:
    def check(count: int) -> int:
        facet = {"_producer": "https://acme.example", "_schemaURL": "https://acme.example/x.json"}
        outputs = [
            {"namespace": f"n{number}", "name": f"t{number}", "facets": {f"acme_{number}": facet}}
            for number in range(count)
        ]
        text = json.dumps(run_event(outputs=outputs), indent=1).encode()
        checker = ChunkChecker(CheckSettings(CodeSelection.parse((), ()), snippets=True))
        result = checker.check(Values(((1, text),)))
        assert len(result.findings) >= 2 * count
        return len(result.findings)

    small, large = (python_calls(lambda count=count: check(count)) for count in (50, 400))
    assert large < 9 * small
    assert large / check(400) < 1_500
