"""FIFOs, sockets and devices never block the command. Pipes with a writer are read."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from openlineage_facets.event_files import file_opening
from tests.cli.conftest import Command
from tests.cli.example_events import invalid_event, job_event, line, lines

pytestmark = [
    pytest.mark.check,
    pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no FIFOs"),
]

COMMAND = [sys.executable, "-m", "openlineage_facets.cli"]


@pytest.fixture(autouse=True)
def short_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_opening, "FIFO_TIMEOUT", 0.05)


def test_a_fifo_without_a_writer_is_reported(check: Command, command: Command) -> None:
    os.mkfifo("a.json")
    Path("b.json").write_bytes(line(invalid_event()))
    result = check("a.json", "b.json")
    assert result.locations == [(None, "OL801"), (1, "OL011")]
    assert result.report["findings"][0]["found"] == "a FIFO without a writer"
    shown = command("show", "a.json")
    assert (shown.code, "found a FIFO without a writer" in shown.err) == (1, True)


def test_special_files_in_a_folder_are_skipped_with_a_message(check: Command) -> None:
    Path("in").mkdir()
    os.mkfifo("in/a.json")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("in/b.json")
        os.symlink("/dev/zero", "in/c.json")
        Path("in/d.json").write_bytes(line(invalid_event()))
        result = check("in")
    assert result.locations == [(1, "OL011")]
    assert result.err.splitlines()[:3] == [
        "openlineage-facets: in/a.json: skipped: a FIFO, not a file",
        "openlineage-facets: in/b.json: skipped: a socket, not a file",
        "openlineage-facets: in/c.json: skipped: a device, not a file",
    ]


def test_messages_about_skipped_files_contain_no_workflow_commands(command: Command) -> None:
    Path("in").mkdir()
    os.mkfifo("in/##[error]x.json")
    Path("in/y.json").write_bytes(line(job_event(1)))
    expected = "openlineage-facets: in/\\x23#[error]x.json: skipped: a FIFO, not a file\n"
    for name in ("lock", "validate"):
        assert expected in command(name, "in").err


def test_sockets_and_devices_passed_explicitly_are_reported(check: Command) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("b.json")
        result = check("b.json", "/dev/zero")
    assert [one["found"] for one in result.report["findings"]] == ["a socket", "a device"]
    assert check("/dev/null").locations == [(None, "OL802")]


def test_a_fifo_with_a_writer_is_read_to_its_end(check: Command) -> None:
    os.mkfifo("a.ndjson")
    text = lines(invalid_event(), *(job_event(number, note="x" * 500) for number in range(1000)))
    writer = threading.Thread(target=lambda: Path("a.ndjson").write_bytes(text))
    file_opening.FIFO_TIMEOUT = 30
    writer.start()
    result = check("a.ndjson")
    writer.join()
    assert result.locations == [(1, "OL011")]
    assert result.report["summary"]["events"] == 1001


def test_a_slow_writer_is_awaited(check: Command) -> None:
    os.mkfifo("a.ndjson")
    reader = os.open("a.ndjson", os.O_RDONLY | os.O_NONBLOCK)
    writer = os.open("a.ndjson", os.O_WRONLY)
    late = threading.Timer(0.2, lambda: (os.write(writer, line(invalid_event())), os.close(writer)))
    late.start()
    result = check("a.ndjson")
    late.join()
    os.close(reader)
    assert result.locations == [(1, "OL011")]


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no shell with process substitution")
def test_process_substitution_and_standard_input_are_read(tmp_path: Path) -> None:
    (tmp_path / "e.ndjson").write_bytes(lines(invalid_event(), job_event()))
    script = 'cat e.ndjson | "$@" <(sleep 0.3; cat e.ndjson) - --jobs 1 --no-config'
    done = subprocess.run(
        ["bash", "-c", script, "bash", *COMMAND, "validate"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.stdout.splitlines()[-1].startswith("2 errors and 0 warnings in 4 events of 2 files"), done


def test_a_fifo_among_schemas_is_an_error(command: Command) -> None:
    Path("schemas").mkdir()
    os.mkfifo("schemas/a.json")
    Path("e.json").write_bytes(line(job_event()))
    result = command("validate", "e.json", "--schemas", "schemas")
    assert result.code == 2
    assert "schemas/a.json: expected a regular file, found a FIFO" in result.err
