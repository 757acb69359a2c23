"""What is wrong with a file is named with its line, and the rest of it is checked."""

from __future__ import annotations

import errno
import gzip
import json
import os
from pathlib import Path
from types import ModuleType

import pytest
import zstandard

from openlineage_facets.cli import chunks, lines
from tests.cli.conftest import Command
from tests.cli.events import bad_event, job_event, line
from tests.cli.events import lines as text_of

GOOD = [job_event(number) for number in range(3)]


@pytest.mark.parametrize(
    "broken",
    [
        b'{"eventTime": "2026-1\n',
        b"hello\n",
        b"{}}\n",
        line(GOOD[0]).replace(b"etl", b"e\0tl"),
        line(GOOD[0]).replace(b"etl", b"e\xfftl"),
        b"\xff\xfe\x00\n",
        b"[" * 100_000 + b"\n",
        b'{"a": ' + b"9" * 100_000 + b"}\n",
    ],
    ids=["cut", "words", "a bracket too many", "NUL", "no UTF-8", "binary", "nested deep", "a long number"],
)
def test_a_broken_line_is_named_and_the_others_are_checked(broken: bytes, check: Command) -> None:
    Path("e.ndjson").write_bytes(text_of(GOOD[0], broken, bad_event(), GOOD[2]))
    answer = check("e.ndjson")
    assert answer.code == 1
    assert answer.places[0][0] == 2
    assert answer.report["findings"][0]["severity"] == "error"
    assert answer.places[-1] == (3, "OL011")
    assert answer.report["summary"]["events"] == 4
    assert answer.report["summary"]["kinds"] == {"job": 3, "unreadable": 1}


@pytest.mark.parametrize(
    ("text", "places"),
    [
        (b'[\n{"a": 1},\n', [(2, "OL002"), (1, "OL802")]),
        (b'[\n{"a": \n', [(2, "OL001"), (1, "OL802")]),
        (b'[{"a": 1},,\n{"a": 1}]', [(1, "OL002"), (1, "OL805"), (2, "OL002")]),
        (b'[{"a": 1}\n{"a": 1}]', [(1, "OL002"), (2, "OL805"), (2, "OL002")]),
        (b'[{"a": 1},\n]', [(1, "OL002"), (2, "OL805")]),
        (b'{"a":\n 1}}\nwords {"a": 1}', [(1, "OL002"), (2, "OL805"), (3, "OL805"), (3, "OL002")]),
        (b"[1,\n null]", [(1, "OL002"), (2, "OL002")]),
    ],
    ids=[
        "an array cut between entries",
        "an array cut in an entry",
        "a comma too many",
        "no comma",
        "a comma at the end",
        "words between values",
        "entries that are no objects",
    ],
)
def test_an_array_or_values_with_slips_are_read_around_them(
    text: bytes, places: list[tuple[int, str]], check: Command
) -> None:
    Path("e.json").write_bytes(text)
    assert check("e.json").places == places


def test_a_missing_bracket_costs_one_event_and_not_the_rest(check: Command) -> None:
    parts = [json.dumps(event, indent=2) for event in (GOOD[0], GOOD[1], bad_event(), GOOD[2])]
    parts[1] = parts[1].rstrip("\n}")
    Path("e.json").write_text("\n".join(parts))
    answer = check("e.json")
    assert [code for _, code in answer.places] == ["OL001", "OL011"]
    assert answer.report["summary"]["events"] == 4


@pytest.mark.parametrize("before", [0, 1, 20])
def test_a_text_that_breaks_is_told_by_its_line_in_the_file_and_shown_there(
    before: int, command: Command
) -> None:
    text = json.dumps(GOOD[1], indent=2).replace('daily_1"', "daily_1")
    good = [json.dumps(event, indent=2) for event in GOOD[:1] * before]
    Path("e.json").write_text("\n".join([*good, text]))
    at = next(number for number, line in enumerate(text.split("\n")) if "daily_1" in line)
    line = sum(event.count("\n") + 1 for event in good) + at + 1
    first, second, *_ = command("validate", "e.json").out.splitlines()
    assert first.startswith(f"e.json:{line}: error OL001 (root): expected JSON")
    assert " line " not in first
    assert second == '    | "name": "orders.daily_1'


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress])
def test_a_compressed_file_cut_in_the_middle_is_read_up_to_there(pack, check: Command) -> None:
    text = text_of(
        *(job_event(number, producer=f"https://example.com/{os.urandom(40).hex()}") for number in range(3000))
    )
    packed = pack(text)
    Path("e.ndjson").write_bytes(packed[: len(packed) * 2 // 3])
    answer = check("e.ndjson")
    assert answer.code == 1
    assert answer.places[-1] == (None, "OL802")
    assert 1000 < answer.report["summary"]["events"] < 2500


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress])
def test_damaged_compression_is_named(pack, check: Command) -> None:
    packed = bytearray(pack(text_of(*GOOD)))
    packed[len(packed) // 2 :] = b"rubbish" * 10
    Path("e.ndjson").write_bytes(packed)
    assert "OL802" in [code for _, code in check("e.ndjson").places]


def test_an_unreadable_file_is_named_and_the_others_are_checked(check: Command) -> None:
    Path("in").mkdir()
    Path("in/a.json").symlink_to("nowhere")
    Path("in/b.json").write_bytes(line(bad_event()))
    answer = check("in")
    assert answer.places == [(None, "OL801"), (1, "OL011")]
    assert answer.report["findings"][0]["message"] == (
        "expected a file that can be read, found a link to what is not there; "
        "mend the link, which names nowhere"
    )


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (PermissionError(errno.EACCES, "Permission denied"), "permission denied; check its permissions"),
        (OSError(errno.EIO, "Input/output error"), "input/output error"),
        (FileNotFoundError(errno.ENOENT, "No such file or directory"), "no such file or directory"),
    ],
)
@pytest.mark.parametrize("module", [chunks, lines], ids=["when it is opened", "when a part of it is read"])
def test_why_a_file_cannot_be_read_is_told_with_what_helps_against_it(
    module: ModuleType, error: OSError, message: str, check: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise error

    Path("e.ndjson").write_bytes(line(bad_event()))
    monkeypatch.setattr(module, "open", refuse, raising=False)
    (finding,) = check("e.ndjson").report["findings"]
    assert finding["message"] == f"expected a file that can be read, found {message}"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (b"PAR1\0\0\0rubbish", "binary data"),
        ("[{}]".encode("utf-16"), "UTF-16 text"),
        ('{"a": 1}'.encode("utf-16-le"), "UTF-16 text"),
    ],
)
def test_a_file_that_holds_no_text_is_named_once(text: bytes, found: str, check: Command) -> None:
    Path("e.ndjson").write_bytes(text * 5)
    answer = check("e.ndjson")
    assert answer.places == [(None, "OL803")]
    assert answer.report["findings"][0]["found"] == found


@pytest.mark.parametrize("name", ["e.ndjson", "e.json"])
def test_a_byte_order_mark_is_a_warning(name: str, check: Command) -> None:
    Path(name).write_bytes(b"\xef\xbb\xbf" + line(GOOD[0]))
    answer = check(name)
    assert (answer.code, answer.places) == (0, [(1, "OL804")])
    assert answer.report["summary"]["kinds"] == {"job": 1}


def test_an_empty_file_is_an_error_where_it_should_hold_one_event(check: Command) -> None:
    Path("e.json").touch()
    Path("e.ndjson").touch()
    assert check("e.json").places == [(None, "OL802")]
    assert check("e.ndjson").places == []
    assert check("-", stdin=b"").code == 0


@pytest.mark.parametrize("source", ["e.ndjson", "e.json", "-"])
def test_an_event_that_is_too_long_is_passed_over(
    source: str, check: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (chunks, lines):
        monkeypatch.setattr(module, "LONGEST", 1 << 20)
    monkeypatch.setattr("openlineage_facets.cli.json_values.json_values.__defaults__", (1 << 20,))
    text = text_of(GOOD[0], b'{"a": "' + b"x" * (6 << 20) + b'"}\n', bad_event())
    if source == "e.json":
        text = b"\n" + text.replace(b"\n", b"\n\n").replace(b"{", b"{\n ", 1)
    if source != "-":
        Path(source).write_bytes(text)
    answer = check(source, stdin=text)
    assert [code for _, code in answer.places] == ["OL806", "OL011"]
    first, second = (place[0] for place in answer.places)
    assert b"xxx" in text.split(b"\n")[first - 1]
    assert b'"2026-11-21T08:30:00"' in text.split(b"\n")[second - 1]
