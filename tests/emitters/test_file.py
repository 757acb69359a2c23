"""Lines are written completely, with concurrent writers and full disks."""

from __future__ import annotations

import json
import os
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Any

import fsspec
import pytest

from openlineage_facets import parse_event
from openlineage_facets.emitters import EmissionError, FileEmitter
from tests.cases import each
from tests.emitters.samples import (
    emit_all,
    event,
    numbers,
    numbers_in,
    program,
    run_program,
    wait_until,
)
from tests.processes import all_started


def lines(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines(keepends=True)


def test_an_event_is_one_line_that_can_be_parsed(tmp_path: Path) -> None:
    emit_all(FileEmitter(tmp_path / "new" / "folder" / "lineage.ndjson"), [1, 2])
    written = lines(tmp_path / "new" / "folder" / "lineage.ndjson")
    assert [parse_event(line) for line in written] == [event(1), event(2)]
    assert all(line.endswith(b"}\n") for line in written)


def test_events_may_be_emitted_in_the_wire_format(tmp_path: Path) -> None:
    pretty = json.dumps(event(3).to_dict(), indent=2)
    with FileEmitter(tmp_path / "lineage.ndjson", on_error="raise") as emitter:
        for wire in (event(0).to_dict(), event(1).to_json(), pretty, b"\xef\xbb\xbf" + event(4).to_json()):
            emitter.emit(wire)
    assert numbers_in(tmp_path / "lineage.ndjson") == [0, 1, 3, 4]


@each(
    "wrong",
    [
        *(b"rubbish", "[]", 7, None, {"a": float("nan")}, '{"a": NaN}', {"a": object()}, b"\xff{}"),
        event().to_json().decode().encode("utf-16"),
    ],
)
def test_invalid_events_are_rejected_and_not_written(tmp_path: Path, wrong: Any) -> None:
    emitter = FileEmitter(tmp_path / "lineage.ndjson", on_error="raise")
    with pytest.raises(EmissionError, match="expected an event"):
        emitter.emit(wrong)
    assert not (tmp_path / "lineage.ndjson").exists()


@pytest.mark.check
def test_processes_write_complete_lines_of_100_kb_in_order_and_rotate_the_file(tmp_path: Path) -> None:
    code = """
emitter = FileEmitter(sys.argv[1], rotate_bytes=1_000_000, on_error="raise", timeout=60)
first = int(sys.argv[2]) * 1000
emit_all(emitter, range(first, first + 20), size=100_000)
"""
    commands = [program(code, tmp_path / "lineage.ndjson", writer) for writer in range(3)]
    with all_started(commands) as running:
        assert [one.wait(120) for one in running] == [0] * 3
    files = sorted(tmp_path.iterdir())
    assert files[0].name == "lineage.000001.ndjson"
    assert all(file.stat().st_size <= 1_000_000 for file in files)
    written = [number for file in files for number in numbers_in(file)]
    for writer in range(3):
        own = [number for number in written if number // 1000 == writer]
        assert own == [writer * 1000 + number for number in range(20)]


def test_rotated_files_sort_by_time_and_existing_files_are_kept(tmp_path: Path) -> None:
    (tmp_path / "lineage.000007.ndjson").write_text("mine\n")
    emit_all(FileEmitter(tmp_path / "lineage.ndjson", rotate_bytes=1), range(3))
    mine, *others = sorted(tmp_path.iterdir())
    assert mine.read_text() == "mine\n"
    assert {file.name: numbers_in(file) for file in others} == {
        "lineage.000008.ndjson": [0],
        "lineage.000009.ndjson": [1],
        "lineage.ndjson": [2],
    }


def test_the_file_of_a_symbolic_link_is_rotated(tmp_path: Path) -> None:
    (tmp_path / "big").mkdir()
    (tmp_path / "big/lineage.ndjson").touch()
    (tmp_path / "link.ndjson").symlink_to(tmp_path / "big/lineage.ndjson")
    emit_all(FileEmitter(tmp_path / "link.ndjson", rotate_bytes=1), [0, 1])
    assert (tmp_path / "link.ndjson").is_symlink()
    rotated = {file.name: numbers_in(file) for file in (tmp_path / "big").iterdir()}
    assert rotated == {"lineage.000001.ndjson": [0], "lineage.ndjson": [1]}


def test_an_incomplete_line_of_another_program_is_ended(tmp_path: Path) -> None:
    (tmp_path / "lineage.ndjson").write_bytes(b'{"half":')
    emit_all(FileEmitter(tmp_path / "lineage.ndjson"), [0])
    assert lines(tmp_path / "lineage.ndjson") == [b'{"half":\n', event().to_json() + b"\n"]


FULL_DISK = """
import resource
emitter = FileEmitter(sys.argv[1], on_error="raise")
emitter.emit(event(0))
resource.setrlimit(resource.RLIMIT_FSIZE, (2000, resource.RLIM_INFINITY))
try:
    emitter.emit(event(1, size=10_000))
except EmissionError as error:
    print(error)
emitter.emit(event(2))
"""


def test_a_full_disk_leaves_no_partial_line(tmp_path: Path) -> None:
    path = tmp_path / "lineage.ndjson"
    assert run_program(FULL_DISK, path).stdout == f"could not write {path}: File too large\n"
    assert numbers_in(path) == [0, 2]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_device_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    emit_all(FileEmitter("/dev/full"), range(2))
    assert [record.getMessage() for record in caplog.records] == [
        "FileEmitter(/dev/full): could not write /dev/full: No space left on device;"
        " the job continues (logged once)",
        "FileEmitter(/dev/full): 2 events were not delivered",
    ]


def test_a_moved_file_is_created_again(tmp_path: Path) -> None:
    path = tmp_path / "lineage.ndjson"
    with FileEmitter(path) as emitter:
        emitter.emit(event(0))
        path.rename(tmp_path / "moved.ndjson")
        emitter.emit(event(1))
    assert [numbers_in(tmp_path / "moved.ndjson"), numbers_in(path)] == [[0], [1]]


def test_the_working_directory_may_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with FileEmitter("lineage.ndjson") as emitter:
        monkeypatch.chdir("/")
        emitter.emit(event())
    assert (tmp_path / "lineage.ndjson").exists()


def test_an_object_store_gets_one_object_per_event_with_sorted_names() -> None:
    memory = fsspec.filesystem("memory")
    emit_all(FileEmitter("memory://lake/lineage/", on_error="raise"), range(20))
    try:
        names = sorted(memory.ls("/lake/lineage", detail=False))
        assert numbers(memory.cat_file(name) for name in names) == list(range(20))
    finally:
        memory.rm("/lake", recursive=True)


OBJECT_STORE = """
from fsspec import register_implementation
from fsspec.asyn import AsyncFileSystem

class Store(AsyncFileSystem):
    async def _makedirs(self, path, exist_ok=False):
        raise PermissionError("s3fs would create the bucket")
    async def _pipe_file(self, path, value, **options):
        with open(sys.argv[1], "ab") as file:
            file.write(value)

register_implementation("store", Store)
emitter = FileEmitter("store://lake/lineage", on_error="raise")
emitter.emit(event(0))
if os.fork() == 0:
    emitter.emit(event(1))
    os._exit(0)
os.wait()
"""


def test_an_object_store_needs_only_the_right_to_put_objects_also_in_a_forked_process(tmp_path: Path) -> None:
    path = tmp_path / "objects"
    run_program(OBJECT_STORE, path)
    assert numbers_in(path) == [0, 1]


def test_the_path_may_be_a_pipe() -> None:
    code = """FileEmitter("/dev/stdout", on_error="raise").emit(event(1))"""
    assert run_program(code).stdout == event(1).to_json().decode() + "\n"


def test_a_pipe_gets_all_events_until_the_emitter_is_closed(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")

    def is_delivered() -> bool:
        with suppress(EmissionError):
            emitter.emit(event(1))
            return True
        return False

    with FileEmitter(tmp_path / "pipe", fsync=True, on_error="raise") as emitter:
        with pytest.raises(EmissionError, match="No such device or address"):  # Nobody reads it.
            emitter.emit(event(0))
        with subprocess.Popen(["cat", tmp_path / "pipe"], stdout=subprocess.PIPE) as reader:
            wait_until(is_delivered)
            emit_all(emitter, [2])
            assert reader.stdout is not None
            assert numbers(reader.stdout.read().splitlines()) == [1, 2]


def test_the_file_of_the_standard_output_has_events_and_what_is_printed(tmp_path: Path) -> None:
    code = """
print("before", flush=True)
emit_all(FileEmitter("/dev/stdout", on_error="raise"), [1])
print("after", flush=True)
"""
    with (tmp_path / "out").open("wb") as out:
        run_program(code, stdout=out)
    first, line, last = (tmp_path / "out").read_bytes().splitlines()
    assert (first, numbers([line]), last) == (b"before", [1], b"after")


def test_a_forked_process_emits_and_logs_only_its_own_lost_events(tmp_path: Path) -> None:
    code = """
emitter = FileEmitter(sys.argv[1], on_error="raise")
lost = FileEmitter("/dev/full")
emitter.emit(event(0))
lost.emit(event(0))
if os.fork() == 0:
    emitter.emit(event(1))
    lost.close()
    os._exit(0)
os.wait()
emitter.emit(event(2))
lost.close()
"""
    path = tmp_path / "lineage.ndjson"
    logged = run_program(code, path).stderr
    assert numbers_in(path) == [0, 1, 2]
    assert logged.count("1 event was not delivered") == 1


def test_no_file_is_left_open(tmp_path: Path) -> None:
    emitter = FileEmitter(tmp_path / "lineage.ndjson")
    emitter.emit(event())
    opened = {os.path.realpath(path) for path in Path("/proc/self/fd").iterdir()}
    assert str(tmp_path / "lineage.ndjson") not in opened
