"""Standard streams that are full or closed end the command as they should: told, and never as a verdict."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.cli.events import bad_event, lines

COMMAND = [sys.executable, "-m", "openlineage_facets.cli"]


@pytest.fixture
def bad(tmp_path: Path) -> str:
    (tmp_path / "bad.ndjson").write_bytes(lines(bad_event()))
    return str(tmp_path / "bad.ndjson")


def ended(arguments: Sequence[str], streams: str) -> tuple[int, str, str]:
    """Run the command in a shell that lays its streams, and return how it ended and what it told."""
    done = subprocess.run(
        ["/bin/sh", "-c", f'"$@" {streams}', "sh", *COMMAND, *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no disk that is always full")
@pytest.mark.parametrize(
    "arguments",
    [
        *(["validate", "BAD", "--format", name] for name in ("text", "json", "github", "junit", "sarif")),
        ["show", "BAD"],
        ["explain"],
        ["completion", "bash"],
        ["--version"],
        ["--help"],
    ],
    ids=" ".join,
)
def test_a_full_disk_is_no_verdict(arguments: list[str], bad: str) -> None:
    said = "openlineage-facets: standard output: cannot be written: no space left on device\n"
    assert ended([bad if one == "BAD" else one for one in arguments], "> /dev/full") == (2, "", said)


def test_what_goes_to_a_closed_stream_goes_nowhere(bad: str) -> None:
    assert ended(["validate", bad], ">&-")[0::2] == (1, "")
    assert ended(["validate", bad], "2>&- <&- >&-") == (1, "", "")


def test_a_closed_standard_input_is_empty() -> None:
    assert ended(["validate", "-"], "<&-") == (0, "0 errors and 0 warnings in 0 events of 1 file\n", "")
