"""Files of events are for their owner, and a spool changes no file but its own."""

from __future__ import annotations

import json
import os
import shutil
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from openlineage_facets import RunEvent
from openlineage_facets.emitters import EventRejected, FileEmitter, HttpEmitter, SpoolEmitter, replay
from openlineage_facets.emitters.file_locks import locked
from openlineage_facets.emitters.spool.directory import SpoolDirectory
from openlineage_facets.emitters.spool.run_file import encoded
from tests.cases import each
from tests.emitters.misbehaving_receiver import Receiver
from tests.emitters.samples import (
    RUN_ID,
    close_at_once,
    down,
    emit_all,
    event,
    numbers,
    numbers_in,
    run_id,
    wait_until,
)

NAME = f"run-{RUN_ID}"


@pytest.fixture(autouse=True)
def permissive_umask() -> object:
    old = os.umask(0)
    yield
    os.umask(old)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def modes(folder: Path) -> set[tuple[bool, int]]:
    return {(path.is_dir(), mode(path)) for path in folder.rglob("*")}


def refuse(_: object) -> None:
    raise EventRejected("never")


def test_spool_files_are_accessible_only_to_their_owner(tmp_path: Path) -> None:
    spool = SpoolDirectory(tmp_path / "new" / "spool")
    for number in range(2):
        spool.append(event(number).to_json())
    file = spool.run_file(NAME).path
    file.write_bytes(file.read_bytes().replace(b"orders.1", b"orders.9"))
    seen: set[tuple[bool, int]] = set()
    for _ in spool.deliver(NAME, refuse):
        seen |= modes(tmp_path)  # With the lease.
    spool.append(event(2).to_json())
    assert seen | modes(tmp_path) == {(True, 0o700), (False, 0o600)}
    assert {path.name for path in spool.path.iterdir()} == {"damaged", "rejected", f"{NAME}.spool"}


def test_event_files_are_accessible_only_to_their_owner(tmp_path: Path) -> None:
    emit_all(FileEmitter(tmp_path / "new" / "lineage.ndjson", rotate_bytes=1, on_error="raise"), range(2))
    assert modes(tmp_path) == {(True, 0o700), (False, 0o600)}


def test_existing_files_keep_their_permissions(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    file = tmp_path / "lineage.ndjson"
    file.touch(0o640)
    emit_all(FileEmitter(file, rotate_bytes=1, on_error="raise"), range(3))
    assert [mode(path) for path in tmp_path.glob("lineage*")] == [0o640] * 3
    assert mode(tmp_path) == 0o755


def test_an_event_file_may_be_a_symbolic_link(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "file")
    emit_all(FileEmitter(tmp_path / "link", on_error="raise"), [0])
    assert numbers_in(tmp_path / "file") == [0]


PRECIOUS = b"- 00000000 is how my diary begins\nsecond line without an end"


OTHERS: dict[str, Callable[[Path, Path], object]] = {
    "symlink": lambda path, precious: path.symlink_to(precious),
    "hard link": lambda path, precious: path.hardlink_to(precious),
    "FIFO": lambda path, precious: os.mkfifo(path),
    "folder": lambda path, precious: path.mkdir(),
    "other file": lambda path, precious: path.write_bytes(PRECIOUS),
}
"""What another program may have created where a spool has its files."""


@each("suffix", ["spool", "lease"])
@each("other", OTHERS)
def test_other_files_are_never_changed_and_block_no_run(
    other: str, suffix: str, tmp_path: Path, receiver: Receiver
) -> None:
    receiver.received.clear()
    precious = tmp_path / "precious"
    precious.write_bytes(PRECIOUS)
    spool = tmp_path / "spool"
    SpoolDirectory(spool).append(event(7, run=run_id(7)).to_json())
    if suffix == "lease":
        SpoolDirectory(spool).append(event(8).to_json())
    path = spool / f"{NAME}.{suffix}"
    OTHERS[other](path, precious)
    before = path.lstat()
    emitter = SpoolEmitter(HttpEmitter(receiver.url), spool, timeout=10)
    emitter.emit(event(0, run=run_id(9)))
    emitter.emit(event(1))
    close_at_once(emitter)
    replay(spool, HttpEmitter(receiver.url), attempts=1)
    assert precious.read_bytes() == PRECIOUS
    after = path.lstat()
    assert (after.st_ino, after.st_size, after.st_mode) == (before.st_ino, before.st_size, before.st_mode)
    assert {7, 0} <= set(numbers(receiver.events))
    if suffix == "spool":
        assert 1 in numbers(receiver.events)  # From memory.


@each(("other", "name"), [("symlink", "a symbolic link"), ("FIFO", "a FIFO")])
def test_other_file_types_are_named(other: str, name: str, tmp_path: Path) -> None:
    OTHERS[other](tmp_path / "file", tmp_path)
    with (
        pytest.raises(OSError, match=f"expected a regular file, found {name}"),
        locked(tmp_path / "file", private=True),
    ):
        pass


def test_a_backup_with_hard_links_stays_as_it_is_and_no_event_is_lost(
    tmp_path: Path, receiver: Receiver
) -> None:
    spool, backup = tmp_path / "spool", tmp_path / "backup"
    emitter = SpoolEmitter(down(), spool, on_error="raise", timeout=30)
    emitter.emit(event(0))
    shutil.copytree(spool, backup, copy_function=os.link)  # As `cp -al` does.
    old = {path: path.read_bytes() for path in backup.iterdir()}
    emitter.emit(event(1))
    emitter.emit(event(2))
    close_at_once(emitter)
    assert replay(spool, HttpEmitter(receiver.url)).delivered == 3
    assert numbers(receiver.events) == [0, 1, 2]
    assert {path: path.read_bytes() for path in backup.iterdir()} == old
    assert [path.name for path in spool.iterdir()] == []


def test_a_backup_of_rejected_events_with_hard_links_stays_as_it_is(tmp_path: Path) -> None:
    spool = SpoolDirectory(tmp_path / "spool")
    spool.append(event(0).to_json())
    list(spool.deliver(NAME, refuse))
    shutil.copytree(spool.path, tmp_path / "backup", copy_function=os.link)
    old = {path: path.read_bytes() for path in (tmp_path / "backup" / "rejected").iterdir()}
    spool.append(event(1).to_json())
    list(spool.deliver(NAME, refuse))
    assert spool.rejected.count() == 2
    assert len((spool.path / "rejected" / f"{NAME}.answers").read_text().splitlines()) == 2
    assert {path: path.read_bytes() for path in old} == old
    assert len(old) == 2


@each("other", ["symlink", "folder", "other file"])
def test_events_in_memory_do_not_wait_for_stored_events_that_became_unreadable(
    other: str, tmp_path: Path
) -> None:
    received: list[bytes] = []

    def receive(one: RunEvent) -> None:
        if one.job.name == "orders.0":
            raise OSError("down")
        received.append(one.to_json())

    spool = tmp_path / "spool"
    emitter = SpoolEmitter(receive, spool, timeout=30)
    emitter.emit(event(0))
    (spool / f"{NAME}.spool").rename(tmp_path / "precious")
    OTHERS[other](spool / f"{NAME}.spool", tmp_path / "precious")
    emitter.emit(event(1))
    wait_until(lambda: received)
    assert numbers(received) == [1]
    close_at_once(emitter)


@each("name", ["rejected", "damaged"])
def test_symbolic_links_to_folders_are_not_followed(name: str, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    spool = SpoolDirectory(tmp_path / "spool")
    spool.append(event(0).to_json())
    file = spool.run_file(NAME).path
    if name == "damaged":
        file.write_bytes(file.read_bytes().replace(b"orders.0", b"orders.9"))
    (spool.path / name).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match="expected a folder, found a symbolic link"):
        list(spool.deliver(NAME, refuse))
    assert list((tmp_path / "elsewhere").iterdir()) == []
    assert spool.count() == 1


def test_a_spool_file_with_a_damaged_first_record_is_recognized(tmp_path: Path) -> None:
    spool = SpoolDirectory(tmp_path)
    for number in range(2):
        spool.append(event(number).to_json())
    file = spool.run_file(NAME).path
    file.write_bytes(b"#" + file.read_bytes()[1:])
    received: list[bytes] = []
    list(spool.deliver(NAME, received.append))
    assert numbers(received) == [1]


@each("invalid", [b"{nonsense}", b'{"a":' * 100_000 + b"}", b'{"a": "\xff"}'])
def test_a_record_with_a_valid_checksum_that_is_not_json_is_rejected(
    invalid: bytes, tmp_path: Path, receiver: Receiver
) -> None:
    spool = SpoolDirectory(tmp_path)
    spool.append(event(0).to_json())
    with spool.run_file(NAME).path.open("ab") as file:
        file.write(encoded(invalid) + encoded(event(1).to_json()))
    done = replay(tmp_path, HttpEmitter(receiver.url))
    assert (done.delivered, len(done.rejected), done.left) == (2, 1, 0)
    assert numbers(receiver.events)[-2:] == [0, 1]
    reason = json.loads((tmp_path / "rejected" / f"{NAME}.answers").read_text())
    assert reason["answer"].startswith("not valid JSON")
    assert len(replay(tmp_path, HttpEmitter(receiver.url), rejected=True).rejected) == 1
