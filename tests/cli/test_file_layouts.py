"""The layout of a file is detected from its content."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from tests.cases import each
from tests.cli.conftest import Command
from tests.cli.example_events import invalid_event, job_event, line, lines

EVENTS = [job_event(0), invalid_event(1), job_event(2)]
INDENTED = [json.dumps(event, indent=2) for event in EVENTS]

LAYOUTS: dict[str, tuple[str, bytes]] = {
    "one event per line": ("e.ndjson", lines(*EVENTS)),
    "one event per line, without final line break": ("e.jsonl", lines(*EVENTS).rstrip()),
    "one event per line, with empty lines": ("e.ndjson", b"\n".join(line(one) for one in EVENTS)),
    "one event per line, with Windows line breaks": ("e.ndjson", lines(*EVENTS).replace(b"\n", b"\r\n")),
    "one event per line in a .json file": ("e.json", lines(*EVENTS)),
    "array on one line": ("e.json", json.dumps(EVENTS).encode()),
    "array on several lines": ("e.json", b"[" + b",\n".join(line(one).strip() for one in EVENTS) + b"]"),
    "indented array": ("e.json", json.dumps(EVENTS, indent=2).encode()),
    "indented array in a .ndjson file": ("e.ndjson", json.dumps(EVENTS, indent=2).encode()),
    "indented events": ("e.json", "\n".join(INDENTED).encode()),
    "indented events in a .ndjson file": ("e.ndjson", "\n".join(INDENTED).encode()),
    "several events on one line": ("e.json", " ".join(map(json.dumps, EVENTS)).encode()),
    "one event per line, then an indented one": ("e.json", lines(*EVENTS[:2]) + INDENTED[2].encode()),
    "event on one line, then indented ones": (
        "e.ndjson",
        line(EVENTS[0]) + "\n".join(INDENTED[1:]).encode().replace(b"\n", b"\r\n"),
    ),
    "event on one line, then an indented array": (
        "e.json",
        line(EVENTS[0]) + json.dumps(EVENTS[1:], indent=1).encode(),
    ),
    "file without suffix": ("events", lines(*EVENTS)),
}


PACKED: dict[str, tuple[str, Callable[[bytes], bytes]]] = {
    "plain": ("", bytes),
    "gzip": (".gz", gzip.compress),
    "two gzip members": (".gz", lambda text: b"".join(map(gzip.compress, (text[:99], text[99:])))),
    "zstd": (".zst", zstandard.compress),
    "two zstd frames": (".zst", lambda text: b"".join(map(zstandard.compress, (text[:99], text[99:])))),
    "gzip by content": ("-without-suffix", gzip.compress),
}
COMBINED = [(layout, "plain") for layout in LAYOUTS] + [
    (layout, packing)
    for layout in ("one event per line", "indented array", "event on one line, then indented ones")
    for packing in PACKED
]
"""Each layout, and each packing with layouts that are read in different ways."""


@pytest.mark.check
@each(("layout", "packing"), COMBINED)
def test_every_layout_has_the_same_finding_on_its_line(layout: str, packing: str, check: Command) -> None:
    name, text = LAYOUTS[layout]
    suffix, packed = PACKED[packing]
    Path(name + suffix).write_bytes(packed(text))
    result = check(name + suffix)
    assert result.report["summary"]["events"] == 3
    assert [code for _, code in result.locations] == ["OL011"]
    at = result.report["findings"][0]["line"]
    assert b'"2026-11-21T08:30:00"' in text.split(b"\n")[at - 1]
    assert result.report["findings"][0]["event"] == 2


def test_standard_input_is_checked_like_a_file(check: Command) -> None:
    (finding,) = check("-", stdin=lines(*EVENTS)).report["findings"]
    assert (finding["file"], finding["line"], finding["code"]) == ("<stdin>", 2, "OL011")


def test_lines_are_counted_across_chunks(check: Command) -> None:
    note = "x" * 40_000
    events = [
        invalid_event(number) if number % 40 == 39 else job_event(number, note=note) for number in range(200)
    ]
    Path("large.ndjson").write_bytes(lines(*events))
    Path("large.ndjson.gz").write_bytes(gzip.compress(lines(*events)))
    expected = [(number, "OL011") for number in range(40, 201, 40)]
    assert Path("large.ndjson").stat().st_size > 4 << 20
    assert check("large.ndjson").locations == expected
    assert check("large.ndjson.gz").locations == expected
