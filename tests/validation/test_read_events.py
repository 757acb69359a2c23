"""`read_events` reads files, folders and streams one event after the other."""

from __future__ import annotations

import gzip
import io
import itertools
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import zstandard

from openlineage_facets import parse_event, read_event, read_events
from tests.cases import each
from tests.events import JOB, job_event

EVENTS = [job_event(job={**JOB, "name": f"job {number}"}) for number in range(3)]
LINES = "".join(json.dumps(event) + "\n" for event in EVENTS).encode()


def names(paths: Any) -> list[str]:
    return [one.event.job.name for one in read_events(paths) if one.event is not None]


def after_skippable_frame(text: bytes) -> bytes:
    """Return text compressed with Zstandard, after a frame without text, such as of `pzstd`."""
    return b"\x50\x2a\x4d\x18" + (3).to_bytes(4, "little") + b"abc" + zstandard.compress(text)


@each("pack", [bytes, gzip.compress, zstandard.compress, after_skippable_frame])
@each(
    "text",
    [
        LINES,
        json.dumps(EVENTS).encode(),
        "\n".join(json.dumps(event, indent=2) for event in EVENTS).encode(),
    ],
    ids=["lines", "array", "indented"],
)
def test_layout_and_compression_are_recognised(
    text: bytes, pack: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    path = tmp_path / "events.json"
    path.write_bytes(pack(text))
    results = list(read_events(path))
    assert [one.event for one in results] == [parse_event(event) for event in EVENTS]
    assert all(one.is_valid and one.raw == event for one, event in zip(results, EVENTS, strict=True))


def test_results_have_location_and_findings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    invalid = {**EVENTS[1], "eventTime": "2026-03-29 01:04"}
    first = json.dumps(EVENTS[0]).encode()
    Path("events.ndjson").write_bytes(first + b"\n\n" + json.dumps(invalid).encode() + b'\n{"job"\n')
    good, wrong, broken = read_events("events.ndjson")
    assert (good.location, good.is_valid) == ("events.ndjson:1", True)
    assert (wrong.location, wrong.is_valid) == ("events.ndjson:3", False)
    assert wrong[:3] == read_event(invalid)
    assert (broken.location, broken.event, broken.raw) == ("events.ndjson:4", None, '{"job"')
    assert [finding.code for finding in broken.findings] == ["OL001"]


def test_folders_patterns_and_several_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for number, event in enumerate(EVENTS):
        folder = Path("lineage", f"day={number}")
        folder.mkdir(parents=True)
        (folder / "part-0.ndjson").write_text(json.dumps(event))
    every = ["job 0", "job 1", "job 2"]
    assert names("lineage") == names(Path("lineage")) == names("lineage/**/*.ndjson") == every
    assert names(["lineage/day=2", Path("lineage/day=0/part-0.ndjson")]) == ["job 2", "job 0"]


def test_standard_input_and_streams(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(LINES)))
    results = list(read_events("-"))
    assert [one.location for one in results] == ["<stdin>:1", "<stdin>:2", "<stdin>:3"]
    assert names(io.BytesIO(gzip.compress(LINES))) == ["job 0", "job 1", "job 2"]
    path = tmp_path / "events"
    path.write_bytes(LINES)
    with path.open("rb") as file:
        assert next(read_events(file)).path == str(path)


class ShortReads(io.RawIOBase):
    """An unbuffered stream that returns one byte at a time."""

    def __init__(self, text: bytes) -> None:
        self._left = iter(text)

    def read(self, size: int = -1) -> bytes:
        return bytes(itertools.islice(self._left, 1))


@each("pack", [bytes, gzip.compress, zstandard.compress, after_skippable_frame])
def test_a_stream_may_return_less_than_it_is_asked_for(pack: Callable[[bytes], bytes]) -> None:
    assert names(ShortReads(pack(LINES))) == ["job 0", "job 1", "job 2"]


def test_a_file_that_was_empty_when_it_was_listed_is_read(tmp_path: Path) -> None:
    path = tmp_path / "events.ndjson"
    path.touch()
    results = read_events(path)
    path.write_bytes(LINES)
    assert [one.line for one in results] == [1, 2, 3]


def test_a_missing_path_raises_before_anything_is_read(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"missing\.ndjson: no such file or folder"):
        read_events([tmp_path, tmp_path / "missing.ndjson"])


def test_a_damaged_file_is_reported_and_the_rest_is_read(tmp_path: Path) -> None:
    (tmp_path / "1.ndjson.gz").write_bytes(gzip.compress(LINES * 1000)[:-4])
    (tmp_path / "2.ndjson").write_bytes(LINES)
    results = list(read_events(tmp_path))
    problems = [(Path(one.location).name, one.findings[0].code) for one in results if not one.is_valid]
    assert problems == [("1.ndjson.gz", "OL802")]
    assert len(results) > 1000
    assert sum(one.path.endswith("2.ndjson") for one in results) == 3


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs FIFOs")
def test_special_files_in_a_folder_are_skipped_with_a_warning(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.json")
    (tmp_path / "b.ndjson").write_bytes(LINES)
    with pytest.warns(UserWarning, match=r"a\.json: skipped: a FIFO, not a file") as caught:
        assert len(names(tmp_path)) == 3
    assert caught[0].filename == __file__


class EndlessStream(io.RawIOBase):
    """A stream of events that never ends."""

    def __init__(self) -> None:
        self.bytes_read = 0
        self._lines = itertools.cycle(LINES)

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        assert size > 0, "reading to the end needs unbounded memory"
        self.bytes_read += size
        return bytes(itertools.islice(self._lines, size))


def test_events_are_read_in_bounded_memory() -> None:
    stream: Any = EndlessStream()
    results = read_events(stream)
    for expected in range(1000):
        assert next(results).line == expected + 1
    assert stream.bytes_read < 4 << 20


def test_options_are_those_of_read_event(tmp_path: Path) -> None:
    path = tmp_path / "events.ndjson"
    path.write_text(json.dumps(job_event(job={**JOB, "facets": {"sql": None}}, inputs=None)))
    assert not next(read_events(path)).is_valid
    assert next(read_events(path, null_is_absent=True)).is_valid
    path.write_text(json.dumps(EVENTS[0]))
    [one] = read_events(path, rules=False, backends="aws-datazone")
    assert ([finding.fact for finding in one.findings], one.is_valid) == (["aws-datazone/only-runs"], False)
    assert one[:3] == read_event(EVENTS[0], rules=False, backends="aws-datazone")
