"""Parsers accept the path of a file with one event."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from openlineage_facets import EventError, parse_event, read_event, validate
from tests.cases import each
from tests.events import job_event

TEXT = json.dumps(job_event(), indent=2).encode()


@each("pack", [bytes, gzip.compress, zstandard.compress])
def test_a_file_is_parsed_like_its_text(pack: Callable[[bytes], bytes], tmp_path: Path) -> None:
    path = tmp_path / "event"
    path.write_bytes(pack(TEXT))
    assert parse_event(path) == parse_event(TEXT)
    assert read_event(path) == read_event(TEXT)
    assert validate(path) == validate(TEXT)


def test_findings_have_the_lines_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "event.json"
    path.write_bytes(TEXT.replace(b"T08:30:00Z", b"T08:30"))
    (finding,) = validate(path)
    assert (finding.pointer, finding.line) == ("/eventTime", 2)


def test_text_is_never_a_path(tmp_path: Path) -> None:
    path = tmp_path / "event.json"
    path.write_bytes(TEXT)
    with pytest.raises(EventError):
        parse_event(str(path))


@each("parser", [parse_event, read_event, validate])
def test_a_missing_file_raises(parser: Callable[[Path], object], tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="missing.json"):
        parser(tmp_path / "missing.json")


def test_a_damaged_file_is_a_finding(tmp_path: Path) -> None:
    path = tmp_path / "event.json.gz"
    path.write_bytes(gzip.compress(TEXT)[:-12])
    assert [finding.code for finding in validate(path)] == ["OL802"]
    assert read_event(path).event is None
    with pytest.raises(EventError, match="complete file"):
        parse_event(path)


def test_a_small_file_that_expands_to_gigabytes_is_not_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "bomb.json.gz"
    path.write_bytes(gzip.compress(b" " * (40 << 20)))
    assert [finding.code for finding in validate(path)] == ["OL806"]


def test_a_file_with_several_events_refers_to_read_events(tmp_path: Path) -> None:
    path = tmp_path / "events.ndjson"
    path.write_text(f"{json.dumps(job_event())}\n" * 2)
    (finding,) = validate(path)
    assert "read_events()" in finding.hint
