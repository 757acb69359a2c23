"""Memory is bounded for any content and compression ratio."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import zstandard

from tests.cli.example_events import job_event, line

STATUS = Path("/proc/self/status")
pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(not STATUS.exists(), reason="this system has no /proc with peak memory"),
]

MEASURED = """
import re, sys
from openlineage_facets.cli.app import run
code = run(sys.argv[1:])
print(re.search(r"VmHWM:\\s+(\\d+) kB", open("/proc/self/status").read())[1], file=sys.stderr)
sys.exit(code)
"""

MIB = 1 << 20


def measured(*arguments: str) -> tuple[int, Any, int]:
    """Run the command and return its exit code, its JSON report and its peak memory in MiB."""
    command = [sys.executable, "-c", MEASURED, "validate", "--no-config", "--format", "json", "--jobs", "1"]
    done = subprocess.run([*command, *arguments], capture_output=True, text=True, check=False, timeout=300)
    assert done.stderr, done
    return done.returncode, json.loads(done.stdout), int(done.stderr.splitlines()[-1]) >> 10


def gzipped(pieces: Iterator[bytes]) -> bytes:
    packer = zlib.compressobj(9, wbits=31)
    return b"".join([*map(packer.compress, pieces), packer.flush()])


def zstandard_packed(pieces: Iterator[bytes]) -> bytes:
    packer = zstandard.ZstdCompressor().compressobj()
    return b"".join([*map(packer.compress, pieces), packer.flush()])


PACKERS = pytest.mark.parametrize("pack", [gzipped, zstandard_packed], ids=["gzip", "Zstandard"])


@PACKERS
@pytest.mark.parametrize("name", ["e.json", "e.ndjson"])
def test_compressed_white_space(name: str, pack: Callable[[Iterator[bytes]], bytes], tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(pack(iter([*[b" " * MIB] * 300, b"\n", line(job_event())])))
    code, report, peak = measured(str(path))
    assert peak < 400
    assert report["summary"]["events"] == 1
    assert [one["code"] for one in report["findings"]] == ["OL806"]
    assert code == 1


@PACKERS
def test_an_event_that_is_too_long(pack: Callable[[Iterator[bytes]], bytes], tmp_path: Path) -> None:
    path = tmp_path / "e.json"
    path.write_bytes(pack(iter([b'[{"a": "', *[b"x" * MIB] * 200, b'"},\n', line(job_event()), b"]"])))
    code, report, peak = measured(str(path))
    assert peak < 400
    assert code == 1
    assert (1, "OL806") in [(one["line"], one["code"]) for one in report["findings"]]


@pytest.mark.parametrize(
    "event",
    [
        b'{"a":"' + b"\\n" * (12 * MIB) + b'"}',
        b'{"a":"' + b'\\"' * (12 * MIB) + b'"}',
        b'{"a":' + b"1" * (20 * MIB) + b"}",
        b"[" + b"1" * (20 * MIB) + b"]",
        b'["' + b"\\n" * (12 * MIB) + b'"]',
    ],
    ids=[
        "escapes",
        "escaped quotation marks",
        "long number",
        "long number in an array",
        "array of escapes",
    ],
)
def test_one_long_value(event: bytes, tmp_path: Path) -> None:
    path = tmp_path / "e.json"
    path.write_bytes(event)
    code, report, peak = measured(str(path))
    assert peak < 600
    assert code == 1
    assert report["findings"]


def test_compressed_frames_may_be_padded_or_empty(tmp_path: Path) -> None:
    packed = gzip.compress(line(job_event(1))) + b"\0" * 40_000 + gzip.compress(b"") * 3_000
    (tmp_path / "e.ndjson").write_bytes(packed + gzip.compress(line(job_event(2))) + b"\0" * 9)
    code, report, _ = measured(str(tmp_path / "e.ndjson"))
    assert (code, report["summary"]["events"]) == (0, 2)


@pytest.mark.parametrize(
    "event",
    [
        b'{"a": [' + b"{}," * (9 * MIB) + b"{}]}",
        b'{"a": [' + b'{"a":1},' * (3 * MIB) + b"{}]}",
        b'{"a": [' + b"{}," * (9 * MIB) + b"}",
    ],
    ids=["empty objects", "small objects", "not valid JSON"],
)
@pytest.mark.parametrize("name", ["e.json", "e.ndjson"])
def test_millions_of_small_objects(event: bytes, name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(event + b"\n" + line(job_event()))
    code, report, peak = measured(str(tmp_path / name))
    assert peak < 500
    assert code == 1
    assert report["summary"]["events"] == 2
    (finding,) = report["findings"]
    assert finding["message"].startswith("expected JSON of at most 1,000,000 values, found more")
