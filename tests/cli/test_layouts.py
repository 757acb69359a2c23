"""Events are found in whatever layout a file has, told by its content."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from tests.cli.conftest import Command
from tests.cli.events import bad_event, job_event, line, lines

EVENTS = [job_event(0), bad_event(1), job_event(2)]
PRETTY = [json.dumps(event, indent=2) for event in EVENTS]

LAYOUTS: dict[str, tuple[str, bytes]] = {
    "an event a line": ("e.ndjson", lines(*EVENTS)),
    "an event a line, without the last line break": ("e.jsonl", lines(*EVENTS).rstrip()),
    "an event a line, with empty lines between": ("e.ndjson", b"\n".join(line(one) for one in EVENTS)),
    "an event a line, with Windows line breaks": ("e.ndjson", lines(*EVENTS).replace(b"\n", b"\r\n")),
    "an event a line, in a file called .json": ("e.json", lines(*EVENTS)),
    "one array in one line": ("e.json", json.dumps(EVENTS).encode()),
    "one array in several lines": ("e.json", b"[" + b",\n".join(line(one).strip() for one in EVENTS) + b"]"),
    "one array laid out": ("e.json", json.dumps(EVENTS, indent=2).encode()),
    "one array in a file called .ndjson": ("e.ndjson", json.dumps(EVENTS, indent=2).encode()),
    "several events laid out": ("e.json", "\n".join(PRETTY).encode()),
    "several events laid out in a file called .ndjson": ("e.ndjson", "\n".join(PRETTY).encode()),
    "several events in one line": ("e.json", " ".join(map(json.dumps, EVENTS)).encode()),
    "events on a line each, then one laid out": ("e.json", lines(*EVENTS[:2]) + PRETTY[2].encode()),
    "an event on a line, then some laid out": (
        "e.ndjson",
        line(EVENTS[0]) + "\n".join(PRETTY[1:]).encode().replace(b"\n", b"\r\n"),
    ),
    "an event on a line, then an array laid out": (
        "e.json",
        line(EVENTS[0]) + json.dumps(EVENTS[1:], indent=1).encode(),
    ),
    "text in a file with no suffix": ("events", lines(*EVENTS)),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(
    ("suffix", "packed"),
    [
        ("", bytes),
        (".gz", gzip.compress),
        (".gz", lambda text: b"".join(map(gzip.compress, (text[:99], text[99:])))),
        (".zst", zstandard.compress),
        (".zst", lambda text: b"".join(map(zstandard.compress, (text[:99], text[99:])))),
        ("-with-no-suffix-that-says-so", gzip.compress),
    ],
    ids=["plain", "gzip", "two gzip members", "zstd", "two zstd frames", "gzip by content"],
)
def test_every_layout_gives_the_same_finding_on_its_line(
    layout: str, suffix: str, packed: Callable[[bytes], bytes], check: Command
) -> None:
    name, text = LAYOUTS[layout]
    Path(name + suffix).write_bytes(packed(text))
    answer = check(name + suffix)
    assert answer.report["summary"]["events"] == 3
    assert [code for _, code in answer.places] == ["OL011"]
    at = answer.report["findings"][0]["line"]
    assert b'"2026-11-21T08:30:00"' in text.split(b"\n")[at - 1]
    assert answer.report["findings"][0]["event"] == 2


def test_one_event_laid_out_has_the_line_of_the_offending_value(check: Command) -> None:
    Path("e.json").write_text(json.dumps(bad_event(), indent=2))
    assert check("e.json").places == [(2, "OL011")]


def test_standard_input_is_read_like_a_file(check: Command) -> None:
    answer = check("-", stdin=lines(*EVENTS))
    assert answer.places == [(2, "OL011")]
    assert answer.report["findings"][0]["file"] == "<stdin>"


def test_lines_are_counted_over_chunks_of_a_large_file(check: Command) -> None:
    note = "x" * 4000
    events = [
        bad_event(number) if number % 400 == 399 else job_event(number, note=note) for number in range(2_000)
    ]
    Path("large.ndjson").write_bytes(lines(*events))
    Path("large.ndjson.gz").write_bytes(gzip.compress(lines(*events)))
    told = [(number, "OL011") for number in range(400, 2_001, 400)]
    assert Path("large.ndjson").stat().st_size > 4 << 20
    assert check("large.ndjson").places == told
    assert check("large.ndjson.gz").places == told
