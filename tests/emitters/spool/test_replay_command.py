"""`openlineage-facets replay` delivers a spool and reports the result."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from typer import Typer
from typer.testing import CliRunner, Result

from openlineage_facets.cli.command_error import CommandError
from openlineage_facets.cli.commands.replay import replay
from openlineage_facets.emitters import replay as replay_spool
from openlineage_facets.emitters.spool.directory import SpoolDirectory
from tests.cases import each
from tests.emitters.misbehaving_receiver import Receiver, first, respond, unused_port
from tests.emitters.samples import RUN_ID, event, numbers, numbers_in, run_id, wait_until


@pytest.fixture
def spool(tmp_path: Path) -> Path:
    """A spool of three events."""
    for number in range(3):
        SpoolDirectory(tmp_path / "spool").append(event(number).to_json())
    return tmp_path / "spool"


def run(*arguments: object) -> Result:
    app = Typer()
    app.command()(replay)
    return CliRunner().invoke(app, list(map(str, arguments)))


def test_replay_to_a_file_writes_a_line_per_event(spool: Path, tmp_path: Path) -> None:
    ran = run(spool, "--to", tmp_path / "lineage.ndjson")
    assert (ran.exit_code, ran.stdout) == (0, "3 delivered, 0 rejected, 0 waiting\n")
    assert numbers_in(tmp_path / "lineage.ndjson") == [0, 1, 2]
    assert list(spool.iterdir()) == []


def test_replay_to_the_standard_output_prints_only_events(spool: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "openlineage_facets", "replay", str(spool), "--to", "/dev/stdout"]
    with (tmp_path / "out").open("wb") as file:
        ran = subprocess.run(command, stdout=file, stderr=subprocess.PIPE, check=True, timeout=60)
    assert numbers_in(tmp_path / "out") == [0, 1, 2]
    assert ran.stderr == b"3 delivered, 0 rejected, 0 waiting\n"


@each(
    ("arguments", "message"),
    [
        (["--to", "-"], "--to: expected a URL or a file, found -; pass /dev/stdout"),
        (["--count", "--rejected"], "--count: expected neither --to nor --rejected"),
    ],
)
def test_options_that_would_be_ignored_are_refused(spool: Path, arguments: list[str], message: str) -> None:
    ran = run(spool, *arguments)
    assert isinstance(ran.exception, CommandError)
    assert message in str(ran.exception)
    assert SpoolDirectory(spool).count() == 3


def test_replay_to_a_url_posts_each_event(
    spool: Path, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENLINEAGE_API_KEY", "s3cret")
    assert run(spool, "--to", receiver.url).exit_code == 0
    assert numbers(receiver.events) == [0, 1, 2]
    assert receiver.requests[0].headers["Authorization"] == "Bearer s3cret"


@pytest.mark.usefixtures("nobodys_home")
def test_the_receiver_may_be_configured_by_the_environment(
    spool: Path, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENLINEAGE__TRANSPORT__URL", "http://localhost:1")  # Without a type: no receiver.
    assert "missing destination" in str(run(spool).exception)
    monkeypatch.setenv("OPENLINEAGE_URL", receiver.url)
    monkeypatch.setenv("OPENLINEAGE_DISABLED", "true")
    assert "missing destination" in str(run(spool).exception)
    assert SpoolDirectory(spool).count() == 3
    monkeypatch.delenv("OPENLINEAGE_DISABLED")
    assert run(spool).exit_code == 0
    assert numbers(receiver.events) == [0, 1, 2]


def test_a_pipe_ends_after_a_replay(spool: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with subprocess.Popen(["cat", tmp_path / "pipe"], stdout=subprocess.PIPE) as reader:
        try:
            wait_until(lambda: replay_spool(spool, str(tmp_path / "pipe")).left == 0)
            assert numbers(reader.communicate(timeout=20)[0].splitlines()) == [0, 1, 2]
        finally:
            reader.kill()


def test_events_stay_in_the_spool_if_the_receiver_is_down(spool: Path) -> None:
    url = f"http://127.0.0.1:{unused_port()}"
    ran = run(spool, "--to", url)
    assert ran.exit_code == 1
    assert ran.stdout.splitlines() == [
        "0 delivered, 0 rejected, 3 waiting",
        f"stopped: no response from {url}/api/v1/lineage: Connection refused",
    ]


def test_rejected_events_are_reported_and_replayed_on_demand(
    spool: Path, start_receiver: Callable[..., Receiver]
) -> None:
    receiver = start_receiver(first(1, respond(400, b"no such job")))
    ran = run(spool, "--to", receiver.url)
    assert ran.exit_code == 1
    assert ran.stdout.splitlines() == [
        f"rejected: {receiver.url}/api/v1/lineage responded with 400 Bad Request: no such job",
        "2 delivered, 1 rejected, 0 waiting",
    ]
    assert run(spool, "--count").stdout == "0 waiting, 1 rejected\n"
    assert run(spool, "--to", receiver.url, "--rejected").stdout == "1 delivered, 0 rejected, 0 waiting\n"
    assert list((spool / "rejected").iterdir()) == []
    assert numbers(receiver.events) == [1, 2, 0]


def test_count_delivers_nothing_and_other_files_block_no_run(spool: Path, tmp_path: Path) -> None:
    (spool / "a.spool").mkdir()
    (spool / "b.spool").symlink_to("nowhere")
    ran = run(spool, "--count")
    assert (ran.exit_code, ran.stdout) == (1, "3 waiting, 0 rejected\n")
    ran = run(spool, "--to", tmp_path / "lineage.ndjson")
    assert (ran.exit_code, ran.stdout) == (0, "3 delivered, 0 rejected, 0 waiting\n")


def test_a_run_with_unusable_files_blocks_no_other(spool: Path, tmp_path: Path) -> None:
    other = run_id(7)
    SpoolDirectory(spool).append(event(7, run=other).to_json())
    alien = spool / f"run-{RUN_ID}.lease"
    alien.mkdir()
    ran = run(spool, "--to", tmp_path / "lineage.ndjson")
    assert (ran.exit_code, ran.stdout.splitlines()) == (
        1,
        ["1 delivered, 0 rejected, 3 waiting", f"unusable: {alien}: Is a directory"],
    )
    assert numbers_in(tmp_path / "lineage.ndjson") == [7]
    alien.rmdir()
    assert run(spool, "--to", tmp_path / "lineage.ndjson").exit_code == 0


NOT_A_DESTINATION = "--to: expected an HTTP URL, a URL that fsspec can open, or the path of a file, found "


@pytest.mark.usefixtures("nobodys_home")
@each(
    ("folder", "to", "message"),
    [
        ("nowhere", "out", "nowhere: expected the folder of a spool, found nothing"),
        ("a file", "out", "a file: expected the folder of a spool, found a file"),
        ("spool", "http://", "--to: url: expected an HTTP URL"),
        ("spool", "nosuch://x", f"{NOT_A_DESTINATION}'nosuch://x' (Protocol not known: nosuch)"),
        ("spool", "ftp://127.0.0.1:1/x", f"{NOT_A_DESTINATION}'ftp://127.0.0.1:1/x' ([Errno 111] "),
        ("spool", None, "missing destination; pass --to URL or --to FILE"),
    ],
)
def test_usage_errors_are_reported(spool: Path, folder: str, to: str | None, message: str) -> None:
    Path("a file").touch()
    ran = run(folder, *(["--to", to] if to else []))
    assert isinstance(ran.exception, CommandError)
    assert str(ran.exception).startswith(message)
    assert run(spool, "--count").stdout == "3 waiting, 0 rejected\n"
