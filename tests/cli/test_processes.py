"""Several processes give the same report as one, and the command ends as others do."""

from __future__ import annotations

import gzip
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from openlineage_facets.version import __version__
from tests.cli.conftest import Command
from tests.cli.events import bad_event, job_event, lines, run_event

COMMAND = [sys.executable, "-m", "openlineage_facets.cli"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with some 10 MB of events, bad lines among them, in three layouts."""
    events: list[object] = []
    for number in range(1200):
        events.append(run_event(number, "START", note="x" * 4000))
        if number % 100 == 7:
            events += [bad_event(number), b"rubbish\n", b"\n"]
        if number % 50 != 3:
            events.append(run_event(number, "COMPLETE", 5, note="x" * 4000))
    text = lines(*events)
    (tmp_path / "a.ndjson").write_bytes(text)
    (tmp_path / "b.ndjson.gz").write_bytes(
        gzip.compress(lines(*(job_event(n) for n in range(4000)), bad_event()), 1)
    )
    values = [line for line in text.split(b"\n")[:400] if line]
    (tmp_path / "c.json").write_bytes(b"[" + b",\n".join(values) + b"]")
    return tmp_path


def test_several_processes_give_the_report_of_one(folder: Path, command: Command) -> None:
    one, two = (command("validate", folder, "--format", "json", "--jobs", jobs) for jobs in (1, 2))
    assert one.code == two.code == 1
    assert len(one.report["findings"]) > 60
    assert one.out == two.out


def test_a_reader_that_has_enough_ends_it_quietly(folder: Path) -> None:
    Path(folder / "bad.ndjson").write_bytes(lines(*(bad_event(number) for number in range(5_000))))
    process = subprocess.Popen(
        [*COMMAND, "validate", folder / "bad.ndjson"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    told = process.stderr.read()
    process.stderr.close()
    assert (process.wait(60), told) == (1, b"")


@pytest.mark.skipif(os.name == "nt", reason="signals of another kind")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interruption_ends_it_quietly_and_all_it_started(jobs: str, folder: Path) -> None:
    for number in range(20):
        (folder / f"more-{number}.ndjson").symlink_to("a.ndjson")
    process = subprocess.Popen(
        [*COMMAND, "validate", str(folder), "--jobs", jobs, "--format", "json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stdout is not None
    process.stdout.read(1000)  # It has begun.
    started = psutil.Process(process.pid).children(recursive=True)
    os.killpg(process.pid, signal.SIGINT)
    _, told = process.communicate(timeout=60)
    assert (process.returncode, told) == (130, b"")
    assert psutil.wait_procs(started, timeout=10)[1] == []


@pytest.mark.skipif(os.name == "nt", reason="signals of another kind")
def test_processes_do_not_outlive_the_one_that_started_them(folder: Path) -> None:
    for number in range(20):
        (folder / f"more-{number}.ndjson").symlink_to("a.ndjson")
    process = subprocess.Popen([*COMMAND, "validate", str(folder), "--jobs", "2"], stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    started = psutil.Process(process.pid).children(recursive=True)
    process.kill()
    process.communicate()
    assert len(started) >= 2
    assert psutil.wait_procs(started, timeout=10)[1] == []


def test_a_process_that_dies_ends_the_command_with_2(folder: Path) -> None:
    for number in range(20):
        (folder / f"more-{number}.ndjson").symlink_to("a.ndjson")
    process = subprocess.Popen(
        [*COMMAND, "validate", str(folder), "--jobs", "2"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    process.stdout.readline()
    workers = [
        one
        for one in psutil.Process(process.pid).children(recursive=True)
        if "spawn_main" in " ".join(one.cmdline())
    ]
    workers[0].kill()
    _, told = process.communicate(timeout=60)
    assert process.returncode == 2
    assert told.decode() == (
        "openlineage-facets: a checking process died, most likely for want of memory; try --jobs 1\n"
    )


def test_without_the_extra_it_says_which_to_install() -> None:
    code = "import sys; sys.modules['typer'] = None; from openlineage_facets.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == 'the command line needs typer: pip install "openlineage-facets[cli]"\n'


def test_the_version_and_help_need_no_models() -> None:
    code = (
        "import sys; from openlineage_facets.cli.app import run; run(sys.argv[1:]);"
        "assert not {'rich', 'openlineage_facets.generated.open_lineage'} & set(sys.modules), 'too much'"
    )
    for arguments in (["--version"], ["--help"], ["validate", "--help"]):
        done = subprocess.run(
            [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, "")
        assert (
            done.stdout.strip() == f"openlineage-facets {__version__}"
            or "Usage: openlineage-facets" in done.stdout
        )


def test_the_command_is_installed() -> None:
    command = Path(sys.executable).with_name("openlineage-facets")
    if not command.exists():
        pytest.skip("the package is on the path, but not installed")
    done = subprocess.run([command, "--version"], capture_output=True, text=True, check=False)
    assert done.stdout == f"openlineage-facets {__version__}\n"


def test_speed_is_told_of_many_events(command: Command) -> None:
    Path("many.ndjson").write_bytes(b"{}\n" * 10_000)
    assert re.fullmatch(
        r"10,000 events in [\d.]+ s: [\d,]+ events/s\n", command("validate", "many.ndjson").err
    )
