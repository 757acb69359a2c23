"""Damaged files are reported with their line, and the rest of them is checked."""

from __future__ import annotations

import errno
import gzip
import json
import os
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import IO, Any

import pytest
import zstandard

from openlineage_facets import EventError, parse_event, read_events, validate
from openlineage_facets.event_files import chunk_reader, chunks, event_text
from openlineage_facets.event_files.sources import Source
from tests.cases import each
from tests.cli.conftest import Command
from tests.cli.example_events import invalid_event, job_event, line, lines

GOOD = [job_event(number) for number in range(3)]


@each(
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
    ids=["truncated", "words", "extra bracket", "NUL", "not UTF-8", "binary", "deeply nested", "long number"],
)
def test_an_invalid_line_is_reported_and_the_others_are_checked(broken: bytes, check: Command) -> None:
    Path("e.ndjson").write_bytes(lines(GOOD[0], broken, invalid_event(), GOOD[2]))
    result = check("e.ndjson")
    assert (result.code, result.locations[0][0], result.locations[-1]) == (1, 2, (3, "OL011"))
    assert result.report["findings"][0]["severity"] == "error"
    assert result.report["summary"]["events"] == 4
    assert result.report["summary"]["kinds"] == {"job": 3, "unreadable": 1}


@each(
    ("text", "locations"),
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
        "array truncated between items",
        "array truncated inside an item",
        "extra comma",
        "missing comma",
        "trailing comma",
        "words between values",
        "items that are not objects",
    ],
)
def test_values_around_syntax_errors_are_read(
    text: bytes, locations: list[tuple[int, str]], check: Command
) -> None:
    Path("e.json").write_bytes(text)
    assert check("e.json").locations == locations


def test_a_missing_bracket_affects_one_event_only(check: Command) -> None:
    parts = [json.dumps(event, indent=2) for event in (GOOD[0], GOOD[1], invalid_event(), GOOD[2])]
    parts[1] = parts[1].rstrip("\n}")
    Path("e.json").write_text("\n".join(parts))
    result = check("e.json")
    assert [code for _, code in result.locations] == ["OL001", "OL011"]
    assert result.report["summary"]["events"] == 4


@each("before", [0, 1, 20])
def test_invalid_json_is_reported_and_shown_with_its_line_in_the_file(before: int, command: Command) -> None:
    text = json.dumps(GOOD[1], indent=2).replace('daily_1"', "daily_1")
    text = "\n".join([json.dumps(GOOD[0], indent=2)] * before + [text])
    Path("e.json").write_text(text)
    line = next(number for number, line in enumerate(text.split("\n"), 1) if "daily_1" in line)
    first, second, *_ = command("validate", "e.json").out.splitlines()
    assert first.startswith(f"e.json:{line}: error OL001 (root): not valid JSON")
    assert " line " not in first
    assert second == '    | "name": "orders.daily_1'


@each("pack", [gzip.compress, zstandard.compress])
def test_a_truncated_compressed_file_is_read_up_to_the_damage(pack, check: Command) -> None:
    text = lines(
        *(job_event(number, producer=f"https://example.com/{os.urandom(40).hex()}") for number in range(3000))
    )
    packed = pack(text)
    Path("e.ndjson").write_bytes(packed[: len(packed) * 2 // 3])
    result = check("e.ndjson")
    assert result.code == 1
    assert result.locations[-1] == (None, "OL802")
    assert 1000 < result.report["summary"]["events"] < 2500


@each("pack", [gzip.compress, zstandard.compress])
def test_damaged_compression_is_reported(pack, check: Command) -> None:
    packed = bytearray(pack(lines(*GOOD)))
    packed[len(packed) // 2 :] = b"garbage" * 10
    Path("e.ndjson").write_bytes(packed)
    assert "OL802" in [code for _, code in check("e.ndjson").locations]


def test_an_unreadable_file_is_reported_and_the_others_are_checked(check: Command) -> None:
    Path("in").mkdir()
    Path("in/a.json").symlink_to("nowhere")
    Path("in/b.json").write_bytes(line(invalid_event()))
    result = check("in")
    assert result.locations == [(None, "OL801"), (1, "OL011")]
    assert result.report["findings"][0]["message"] == (
        "expected a readable file, found a broken symbolic link; fix the link, which points to nowhere"
    )


@each(
    ("error", "message"),
    [
        (PermissionError(errno.EACCES, "Permission denied"), "permission denied; check its permissions"),
        (OSError(errno.EIO, "Input/output error"), "input/output error"),
        (FileNotFoundError(errno.ENOENT, "No such file or directory"), "no such file or directory"),
    ],
)
@each(
    ("module", "name"),
    [(chunk_reader, "open_source"), (chunks, "open")],
    ids=["when opened", "when read"],
)
def test_the_reason_for_an_unreadable_file_is_reported_with_a_hint(
    module: ModuleType,
    name: str,
    error: OSError,
    message: str,
    check: Command,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: object) -> None:
        raise error

    Path("e.ndjson").write_bytes(line(invalid_event()))
    monkeypatch.setattr(module, name, fail, raising=False)
    (finding,) = check("e.ndjson").report["findings"]
    assert finding["message"] == f"expected a readable file, found {message}"


@each(
    ("text", "found"),
    [
        (b"PAR1\0\0\0garbage", "binary data"),
        ("[{}]".encode("utf-16"), "UTF-16 text"),
        ('{"a": 1}'.encode("utf-16-le"), "UTF-16 text"),
    ],
)
def test_a_binary_file_is_reported_once(text: bytes, found: str, check: Command) -> None:
    Path("e.ndjson").write_bytes(text * 5)
    result = check("e.ndjson")
    assert result.locations == [(None, "OL803")]
    assert result.report["findings"][0]["found"] == found


@each("name", ["e.ndjson", "e.json"])
def test_a_byte_order_mark_is_a_warning(name: str, check: Command) -> None:
    Path(name).write_bytes(b"\xef\xbb\xbf" + line(GOOD[0]))
    result = check(name)
    assert (result.code, result.locations) == (0, [(1, "OL804")])
    assert result.report["summary"]["kinds"] == {"job": 1}


def test_an_empty_json_file_is_an_error_and_an_empty_list_of_lines_is_not(check: Command) -> None:
    Path("e.json").touch()
    Path("e.ndjson").touch()
    assert check("e.json", "e.ndjson", "-", stdin=b"").locations == [(None, "OL802")]


@pytest.fixture
def short_events(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let events have at most a megabyte."""
    for module in (chunk_reader, chunks, event_text):
        monkeypatch.setattr(module, "MAX_BYTES", 1 << 20)
    monkeypatch.setattr("openlineage_facets.event_files.json_values.json_values.__defaults__", (1 << 20,))


@pytest.mark.usefixtures("short_events")
@each("source", ["e.ndjson", "e.json", "-"])
def test_an_event_that_is_too_long_is_skipped(source: str, check: Command) -> None:
    text = lines(GOOD[0], b'{"a": "' + b"x" * (6 << 20) + b'"}\n', invalid_event())
    if source == "e.json":
        text = b"\n" + text.replace(b"\n", b"\n\n").replace(b"{", b"{\n ", 1)
    if source != "-":
        Path(source).write_bytes(text)
    result = check(source, stdin=text)
    assert [code for _, code in result.locations] == ["OL806", "OL011"]
    first, second = (line for line, _ in result.locations)
    assert b"xxx" in text.split(b"\n")[first - 1]
    assert b'"2026-11-21T08:30:00"' in text.split(b"\n")[second - 1]


@pytest.mark.check
@pytest.mark.usefixtures("short_events")
def test_every_command_refuses_a_file_with_one_event_that_is_too_long(command: Command) -> None:
    long = job_event(pad="x" * 1_500_000)
    Path("ok.json").write_bytes(lines(job_event()))
    texts = {
        "e.json": json.dumps(long),
        "indented.json": json.dumps(long, indent=2),
        "e.ndjson.gz": json.dumps(long) + "\n",
    }
    for name, text in texts.items():
        Path(name).write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
        for arguments in (
            ("validate", name),
            ("show", name),
            ("graph", name),
            ("lock", name),
            ("compare", "ok.json", name),
        ):
            result = command(*arguments)
            assert result.code != 0, (arguments, result)
            assert "expected an event of at most 32 MiB, found more" in result.out + result.err, arguments
            assert len(result.out) < 2_000
        with pytest.raises(EventError, match="at most 32 MiB"):
            parse_event(Path(name))
        assert [finding.code for finding in validate(Path(name))] == ["OL806"]
        assert [result.findings[0].code for result in read_events(name)] == ["OL806"]


READERS = {
    "lock": ("lock", "PATH", "-o", "output"),
    "check": ("check", "PATH", "--policy", "policy.toml"),
    "compare": ("compare", "good.json", "PATH", "--fail-on", "never"),
    "compared": ("compare", "PATH", "good.json", "--fail-on", "never"),
    "context": ("compare", "good.json", "good.json", "--context", "PATH", "--fail-on", "never"),
    "locked": ("compare", "good.lock.json", "PATH", "--locked"),
    "graph": ("graph", "PATH"),
    "names": ("names", "PATH"),
    "show": ("show", "PATH", "-n", "-1"),
    "validate": ("validate", "PATH"),
}
"""Commands that read events. PATH is the file."""

DAMAGED = {
    "compressed.ndjson.gz": (gzip.compress(lines(*GOOD))[:-12], "expected a complete file, found "),
    "array.json": (b"[" + line(GOOD[0]), "expected ']' at the end of the array, found the end of the file"),
    "binary.json": (b"PAR1\0\0\0garbage", "expected UTF-8 text, found binary data"),
    "empty.json": (b"", "expected an event, found an empty file"),
    "between.json": (b"[" + line(GOOD[0]) + b",]", "found a trailing comma in the array"),
    "state.json": (b'{"format": "openlineage-facets state 1", "jobs": 3}', "LineageState.to_dict()"),
    "lock.json": (b'{"format": "openlineage-facets lock 1", "jobs": 3}', "expected a lock file"),
}
"""Damaged files, and a part of the reason that is reported."""


def test_what_cannot_be_read_causes_exit_code_1_and_no_verdict(command: Command) -> None:
    Path("good.json").write_bytes(lines(*GOOD))
    Path("policy.toml").write_text('[[used]]\nhave = ["writer"]\n')
    command("lock", "good.json", "-o", "good.lock.json")
    reasons = {name: reason for name, (_, reason) in DAMAGED.items()}
    for name, (text, _) in DAMAGED.items():
        Path(name).write_bytes(text)
    Path("link.json").symlink_to("nowhere")
    reasons["link.json"] = "expected a readable file, found a broken symbolic link; fix the link"
    for name, reason in reasons.items():
        for reader, arguments in READERS.items():
            if reader in ("show", "validate") and name in ("lock.json", "state.json"):
                continue  # They read no states, and `validate` no lock files.
            result = command(*(name if one == "PATH" else one for one in arguments))
            assert result.code == 1, (name, reader, result)
            assert name in result.out + result.err, (name, reader, result)
            assert reason in result.out + result.err, (name, reader, result)
            if reader not in ("graph", "names", "show", "validate"):
                assert result.out == "", (name, reader, result)
    assert not Path("output").exists()


def test_a_file_that_disappears_or_becomes_shorter_is_reported(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def shorten(path: Path) -> None:
        os.truncate(path, 10)

    chunks_of = chunk_reader.chunks_of
    Path("good.json").write_bytes(lines(*GOOD))
    for change, reason in (
        (Path.unlink, "found no such file or directory"),
        (shorten, "found a file that became shorter while it was read"),
    ):

        def changing(source: Source, stdin: IO[bytes]) -> Iterator[Any]:
            found = list(chunks_of(source, stdin))
            if source.name == "e.ndjson" and Path("e.ndjson").exists():
                change(Path("e.ndjson"))  # noqa: B023
            return iter(found)

        for module in ("cli.file_events", "cli.check.check_run"):
            monkeypatch.setattr(f"openlineage_facets.{module}.chunks_of", changing)
        for reader in ("compare", "graph", "show", "validate"):
            Path("e.ndjson").write_bytes(lines(*GOOD))
            result = command(*("e.ndjson" if one == "PATH" else one for one in READERS[reader]))
            assert result.code == 1, (reader, result)
            assert f"expected a readable file, {reason}" in result.out + result.err, (reader, result)
