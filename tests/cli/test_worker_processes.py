"""Worker processes: same report as with one process, and clean termination."""

from __future__ import annotations

import gzip
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

from tests.cli.conftest import Command
from tests.cli.example_events import invalid_event, job_event, lines, run_event
from tests.processes import started

pytestmark = pytest.mark.check

COMMAND = [sys.executable, "-m", "openlineage_facets.cli"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with about 10 MB of valid and invalid events in three layouts."""
    events: list[object] = []
    for number in range(1200):
        events.append(run_event(number, "START", note="x" * 4000))
        if number % 100 == 7:
            events += [invalid_event(number), b"garbage\n", b"\n"]
        if number % 50 != 3:
            events.append(run_event(number, "COMPLETE", 5, note="x" * 4000))
    text = lines(*events)
    (tmp_path / "a.ndjson").write_bytes(text)
    (tmp_path / "b.ndjson.gz").write_bytes(
        gzip.compress(lines(*(job_event(n) for n in range(4000)), invalid_event()), 1)
    )
    values = [line for line in text.split(b"\n")[:400] if line]
    (tmp_path / "c.json").write_bytes(b"[" + b",\n".join(values) + b"]")
    return tmp_path


def test_the_report_is_the_same_with_several_processes(folder: Path, command: Command) -> None:
    one, two = (command("validate", folder, "--format", "json", "--jobs", jobs) for jobs in (1, 2))
    assert one.code == two.code == 1
    assert len(one.report["findings"]) > 60
    assert one.out == two.out


def test_a_closed_pipe_ends_the_command_silently(folder: Path) -> None:
    Path(folder / "invalid.ndjson").write_bytes(lines(*(invalid_event(number) for number in range(5_000))))
    command = [*COMMAND, "validate", folder / "invalid.ndjson"]
    with started(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr is not None
        assert (process.stderr.read(), process.wait(60)) == (b"", 1)


@contextmanager
def validating(folder: Path, jobs: str = "2", **options: Any) -> Iterator[subprocess.Popen[bytes]]:
    """Start the command on many events, and wait until it prints."""
    for number in range(20):
        (folder / f"more-{number}.ndjson").hardlink_to(folder / "a.ndjson")
    command = [*COMMAND, "validate", folder, "--jobs", jobs]
    with started(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield process


@pytest.mark.skipif(os.name == "nt", reason="Windows has other signals")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interrupt_ends_the_command_and_its_workers_silently(jobs: str, folder: Path) -> None:
    # A shell ignores interrupts in its background jobs, and these tests may run in one.
    own = {
        "start_new_session": True,
        "preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    }
    with validating(folder, jobs, **own) as process:
        workers = psutil.Process(process.pid).children(recursive=True)
        os.killpg(process.pid, signal.SIGINT)
        _, stderr = process.communicate(timeout=60)
        assert (process.returncode, stderr) == (130, b"")
        assert psutil.wait_procs(workers, timeout=10)[1] == []


@pytest.mark.skipif(os.name == "nt", reason="Windows has other signals")
def test_workers_exit_with_their_parent(folder: Path) -> None:
    with validating(folder) as process:
        workers = psutil.Process(process.pid).children(recursive=True)
        process.kill()
        process.communicate()
        assert len(workers) >= 2
        assert psutil.wait_procs(workers, timeout=10)[1] == []


def test_a_killed_worker_ends_the_command_with_2(folder: Path) -> None:
    with validating(folder) as process:
        [worker, *_] = [
            one
            for one in psutil.Process(process.pid).children(recursive=True)
            if "spawn_main" in " ".join(one.cmdline())
        ]
        worker.kill()
        _, stderr = process.communicate(timeout=60)
        assert process.returncode == 2
        assert stderr.decode() == (
            "openlineage-facets: a worker process died, probably out of memory; try --jobs 1\n"
        )
