"""Worker processes: same report as with one process, and clean termination."""

from __future__ import annotations

import gzip
import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest

from openlineage_facets.cli.check.check_run import check_chunks
from openlineage_facets.cli.check.chunk_checker import CheckSettings
from openlineage_facets.cli.command_error import CommandError
from openlineage_facets.cli.results.codes import CodeSelection
from openlineage_facets.event_files.chunks import Lines
from tests.cli.conftest import Command
from tests.cli.example_events import invalid_event, job_event, lines, run_event
from tests.processes import started

pytestmark = pytest.mark.check

COMMAND = [sys.executable, "-m", "openlineage_facets.cli"]


def write_events(folder: Path, runs: int) -> None:
    """Write valid and invalid events of some runs in three layouts."""
    events: list[object] = []
    for number in range(runs):
        events.append(run_event(number, "START", note="x" * 4000))
        if number % 100 == 7:
            events += [invalid_event(number), b"garbage\n", b"\n"]
        if number % 50 != 3:
            events.append(run_event(number, "COMPLETE", 5, note="x" * 4000))
    text = lines(*events)
    jobs = lines(*map(job_event, range(3 * runs)), invalid_event())
    (folder / "a.ndjson").write_bytes(text)
    (folder / "b.ndjson.gz").write_bytes(gzip.compress(jobs, 1))
    values = [value for value in text.split(b"\n")[:400] if value]
    (folder / "c.json").write_bytes(b"[" + b",\n".join(values) + b"]")


def test_the_report_is_the_same_with_several_processes(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("openlineage_facets.cli.check.check_run._MIN_BYTES_FOR_WORKERS", 0)
    for name in ("_RANGE_BYTES", "_BLOCK_BYTES"):
        monkeypatch.setattr(f"openlineage_facets.event_files.chunk_reader.{name}", 1 << 17)
    write_events(tmp_path, 300)
    one, two = (command("validate", ".", "--format", "json", "--jobs", jobs) for jobs in (1, 2))
    assert one.code == two.code == 1
    assert len(one.report["findings"]) > 15
    assert one.out == two.out


def test_a_killed_worker_is_one_message() -> None:
    def chunks() -> Iterator[tuple[int, Lines]]:
        yield 0, Lines(lines(job_event()))
        for worker in multiprocessing.active_children():
            worker.kill()
            worker.join()
        yield 1, Lines(lines(job_event()))

    with pytest.raises(CommandError, match="a worker process died, probably out of memory; try --jobs 1"):
        list(check_chunks(chunks(), CheckSettings(CodeSelection()), jobs=2))
    assert multiprocessing.active_children() == []


@contextmanager
def validating(folder: Path, jobs: str = "2", **options: Any) -> Iterator[subprocess.Popen[bytes]]:
    """Start the command on many events, and wait until it prints."""
    write_events(folder, 1200)
    for number in range(20):
        (folder / f"more-{number}.ndjson").hardlink_to(folder / "a.ndjson")
    command = [*COMMAND, "validate", folder, "--jobs", jobs]
    with started(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield process


@pytest.mark.thorough
@pytest.mark.skipif(os.name == "nt", reason="Windows has other signals")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interrupt_ends_the_command_and_its_workers_silently(jobs: str, tmp_path: Path) -> None:
    # A shell ignores interrupts in its background jobs, and these tests may run in one.
    own = {
        "start_new_session": True,
        "preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    }
    with validating(tmp_path, jobs, **own) as process:
        workers = psutil.Process(process.pid).children(recursive=True)
        os.killpg(process.pid, signal.SIGINT)
        _, stderr = process.communicate(timeout=60)
        assert (process.returncode, stderr) == (130, b"")
        assert psutil.wait_procs(workers, timeout=10)[1] == []


@pytest.mark.thorough
@pytest.mark.skipif(os.name == "nt", reason="Windows has other signals")
def test_workers_exit_with_their_parent(tmp_path: Path) -> None:
    with validating(tmp_path) as process:
        workers = psutil.Process(process.pid).children(recursive=True)
        process.kill()
        process.communicate()
        assert len(workers) >= 2
        assert psutil.wait_procs(workers, timeout=10)[1] == []
