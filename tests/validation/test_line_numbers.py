"""Findings have the line number of their value in any JSON text."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from openlineage_facets import validate
from openlineage_facets.base.errors.json_pointer import json_pointer
from openlineage_facets.validation.line_numbers import line_numbers
from tests.cases import each
from tests.hypothesis_profiles import share
from tests.oracle import values

TEXT = """{
  "a": {"b": [1,
    {"c": null}, [], {}
  ],
  "d/e~f": "x"
  },

  "a\\u0062": "\\"{,[",
  "last": 7
}"""


@each(
    ("pointer", "line"),
    [
        ("", 1),
        ("/a", 2),
        ("/a/b", 2),
        ("/a/b/0", 2),
        ("/a/b/1", 3),
        ("/a/b/1/c", 3),
        ("/a/b/2", 3),
        ("/a/b/3", 3),
        ("/a/d~1e~0f", 5),
        ("/ab", 8),
        ("/last", 9),
        # Of missing values, that of the parent
        ("/missing", 1),
        ("/a/missing", 2),
        ("/a/b/1/missing/deeper", 3),
        ("/a/b/9", 2),
        ("/last/x", 9),
    ],
)
def test_line_of_a_value_is_its_first_line(pointer: str, line: int):
    assert line_numbers(TEXT, [pointer]) == {pointer: line}


@each("end", ["\n", "\r\n", "\r"])
def test_all_line_endings_are_counted(end: str):
    assert line_numbers(end.join(("[", "1,", "2,", "", "3", "]")), ["/0", "/2"]) == {"/0": 2, "/2": 5}


def test_last_value_of_a_duplicate_key_counts():
    text = '{"a": {"b": 1},\n"a": {"c": 2},\n"z": {"a": 3}}'
    assert line_numbers(text, ["/a", "/a/c", "/a/b"]) == {"/a": 2, "/a/c": 2, "/a/b": 2}


def test_value_on_another_line_than_its_key():
    assert line_numbers('{\n"a"\n:\n7}', ["/a"]) == {"/a": 4}


def formatted(
    value: Any, random: Random, lines: dict[str, int], at: int = 1, path: tuple[Any, ...] = ()
) -> tuple[str, int]:
    """Return JSON with random line breaks, and store the line of each value in `lines`."""

    def gap() -> str:
        return random.choice(("", "", " ", "\n", "\r\n", "\n\n\t"))

    lines[json_pointer(path)] = at
    if not isinstance(value, (dict, list)) or not value:
        return json.dumps(value, ensure_ascii=random.random() < 0.5), at
    text = ""
    entries = value.items() if isinstance(value, dict) else enumerate(value)
    for number, (step, inner) in enumerate(entries):
        before = ("," if number else "") + gap()
        if isinstance(value, dict):
            before += f"{json.dumps(step)}{gap()}:{gap()}"
        at += before.count("\n")
        piece, at = formatted(inner, random, lines, at, (*path, step))
        text += before + piece
    end = gap()
    return ("{%s%s}" if isinstance(value, dict) else "[%s%s]") % (text, end), at + end.count("\n")


@each("seed", range(share(1.5)))
def test_every_value_of_a_random_document_is_found(seed: int):
    random = Random(seed)
    value = {"a": values.anything(random, 4), 'k"e\\y': [values.anything(random, 3) for _ in range(3)]}
    expected: dict[str, int] = {}
    text, _ = formatted(value, random, expected)
    assert json.loads(text) == value
    assert line_numbers(text, expected) == expected
    for pointer in random.sample(sorted(expected), min(8, len(expected))):
        assert line_numbers(text, [pointer]) == {pointer: expected[pointer]}


def test_findings_have_line_numbers_only_in_multiline_text():
    event = {"eventTime": "now", "job": {"namespace": "etl"}}
    found = {finding.pointer: finding.line for finding in validate(json.dumps(event, indent=2), rules=False)}
    assert found == {"/eventTime": 2, "/job/name": 3, "/producer": 1, "/schemaURL": 1}
    assert {finding.line for finding in validate(json.dumps(event) + "\n")} == {None}
    assert {finding.line for finding in validate(event)} == {None}


@each(
    ("text", "line", "column"),
    [
        ('{\n"a": 1,\n}', 3, 1),
        ('{\r"a": 1,\r}', 3, 1),
        ('{"a":\n\n tru}', 3, 5),
        ('{"a":\r\n\r tru}', 3, 5),
        ('{"job":\n "etl\n"}', 2, 6),
        ('{"job":\r\n tru}', 2, 5),
        ('{"job":\n {"name": "x"', 2, 14),
        ('{\n"a":', 2, 5),
        ('{"job": {\n', None, 10),
        ('{"job": tru}', None, 12),
        ('{"a"', None, 5),
    ],
)
def test_invalid_json_has_line_and_column_of_the_error(text: str, line: int | None, column: int):
    [finding] = validate(text)
    assert (finding.code, finding.line) == ("OL001", line)
    assert finding.found.endswith(f" at column {column})")
    assert " line " not in finding.found


@each(
    ("text", "line"),
    [("[1,\n 2]", 1), ("\n\n[\n]", 3), ("\r\n[\r\n1]", 2), ("[1, 2]", None), ('\n"a"', None)],
)
def test_value_that_is_not_an_object_has_its_first_line(text: str, line: int | None) -> None:
    (finding,) = validate(text)
    assert (finding.code, finding.pointer, finding.line) == ("OL002", "", line)
    assert [one.line for one in validate(text.encode())] == [line]
