"""Lines are written completely, with concurrent writers and full disks."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import fsspec
import pytest

from openlineage_facets import parse_event
from openlineage_facets.emitters import EmissionError, FileEmitter
from tests.emitters.samples import event, numbers, wait_until
from tests.processes import all_started

WRITER = """
import sys
from openlineage_facets.emitters import FileEmitter
from tests.emitters.samples import event
path, writer, count, size, rotate = sys.argv[1], *map(int, sys.argv[2:])
with FileEmitter(path, rotate_bytes=rotate or None, on_error="raise", timeout=60) as emitter:
    for number in range(count):
        emitter.emit(event(writer * 1000 + number, size=size))
"""


def write_from_processes(path: Path, processes: int, count: int, size: int, rotate: int = 0) -> None:
    commands = [
        [sys.executable, "-c", WRITER, str(path), *map(str, (writer, count, size, rotate))]
        for writer in range(processes)
    ]
    with all_started(commands) as running:
        assert [one.wait(120) for one in running] == [0] * processes


def lines(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines(keepends=True)


def test_an_event_is_one_line_that_can_be_parsed(tmp_path: Path) -> None:
    with FileEmitter(tmp_path / "new" / "folder" / "lineage.ndjson") as emitter:
        emitter.emit(event(1))
        emitter.emit(event(2))
    written = lines(tmp_path / "new" / "folder" / "lineage.ndjson")
    assert [parse_event(line) for line in written] == [event(1), event(2)]
    assert all(line.endswith(b"}\n") for line in written)


def test_events_may_be_emitted_in_the_wire_format(tmp_path: Path) -> None:
    pretty = json.dumps(event(3).to_dict(), indent=2)
    with FileEmitter(tmp_path / "lineage.ndjson", on_error="raise") as emitter:
        for wire in (event(0).to_dict(), event(1).to_json(), pretty, b"\xef\xbb\xbf" + event(4).to_json()):
            emitter.emit(wire)
    assert numbers(lines(tmp_path / "lineage.ndjson")) == [0, 1, 3, 4]


@pytest.mark.parametrize(
    "wrong", [b"rubbish", "[]", 7, None, {"a": float("nan")}, '{"a": NaN}', {"a": object()}, b"\xff{}"]
)
def test_invalid_events_are_rejected_and_not_written(tmp_path: Path, wrong: Any) -> None:
    emitter = FileEmitter(tmp_path / "lineage.ndjson", on_error="raise")
    with pytest.raises(EmissionError, match="expected an event"):
        emitter.emit(wrong)
    assert not (tmp_path / "lineage.ndjson").exists()


@pytest.mark.check
def test_eight_processes_write_complete_lines_of_100_kb(tmp_path: Path) -> None:
    path = tmp_path / "lineage.ndjson"
    write_from_processes(path, processes=8, count=20, size=100_000)
    written = numbers(lines(path))
    assert sorted(written) == sorted(writer * 1000 + number for writer in range(8) for number in range(20))
    for writer in range(8):
        own = [number for number in written if number // 1000 == writer]
        assert own == sorted(own)


@pytest.mark.check
def test_rotation_loses_no_line_of_several_processes(tmp_path: Path) -> None:
    path = tmp_path / "lineage.ndjson"
    write_from_processes(path, processes=4, count=50, size=1000, rotate=10_000)
    files = sorted(tmp_path.iterdir())
    assert files[0].name == "lineage.000001.ndjson"
    assert all(file.stat().st_size <= 10_000 for file in files)
    written = [number for file in files for number in numbers(lines(file))]
    assert sorted(written) == sorted(writer * 1000 + number for writer in range(4) for number in range(50))


def test_rotated_files_sort_by_time_and_existing_files_are_kept(tmp_path: Path) -> None:
    (tmp_path / "lineage.000007.ndjson").write_text("mine\n")
    with FileEmitter(tmp_path / "lineage.ndjson", rotate_bytes=1) as emitter:
        for number in range(3):
            emitter.emit(event(number))
    found = sorted(tmp_path.iterdir())
    assert [file.name for file in found] == [
        "lineage.000007.ndjson", "lineage.000008.ndjson", "lineage.000009.ndjson", "lineage.ndjson",
    ]  # fmt: skip
    assert [numbers(lines(file)) for file in found[1:]] == [[0], [1], [2]]


@pytest.mark.skipif(os.name == "nt", reason="Windows needs rights for links")
def test_the_file_of_a_symbolic_link_is_rotated(tmp_path: Path) -> None:
    (tmp_path / "big").mkdir()
    (tmp_path / "big/lineage.ndjson").touch()
    (tmp_path / "link.ndjson").symlink_to(tmp_path / "big/lineage.ndjson")
    with FileEmitter(tmp_path / "link.ndjson", rotate_bytes=1) as emitter:
        emitter.emit(event(0))
        emitter.emit(event(1))
    assert (tmp_path / "link.ndjson").is_symlink()
    found = sorted((tmp_path / "big").iterdir())
    assert [file.name for file in found] == ["lineage.000001.ndjson", "lineage.ndjson"]
    assert [numbers(lines(file)) for file in found] == [[0], [1]]


def test_bytes_of_another_encoding_are_no_event(tmp_path: Path) -> None:
    emitter = FileEmitter(tmp_path / "lineage.ndjson", on_error="raise")
    with emitter, pytest.raises(EmissionError, match="invalid JSON"):
        emitter.emit(event().to_json().decode().encode("utf-16"))
    assert not (tmp_path / "lineage.ndjson").exists()


def test_an_incomplete_line_of_another_program_is_ended(tmp_path: Path) -> None:
    (tmp_path / "lineage.ndjson").write_bytes(b'{"half":')
    with FileEmitter(tmp_path / "lineage.ndjson") as emitter:
        emitter.emit(event())
    assert lines(tmp_path / "lineage.ndjson") == [b'{"half":\n', event().to_json() + b"\n"]


FULL_DISK = """
import resource, sys
from openlineage_facets.emitters import EmissionError, FileEmitter
from tests.emitters.samples import event
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
    ran = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(path)], capture_output=True, text=True, check=True, timeout=60
    )
    assert ran.stdout == f"could not write {path}: File too large\n"
    assert numbers(lines(path)) == [0, 2]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_device_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    with FileEmitter("/dev/full") as emitter:
        emitter.emit(event())
        emitter.emit(event())
    assert [record.getMessage() for record in caplog.records] == [
        "FileEmitter(/dev/full): could not write /dev/full: No space left on device;"
        " the job continues (logged once)",
        "FileEmitter(/dev/full): 2 events were not delivered",
    ]


def test_a_moved_file_is_created_again(tmp_path: Path) -> None:
    path = tmp_path / "lineage.ndjson"
    with FileEmitter(path) as emitter:
        emitter.emit(event(0))
        path.rename(tmp_path / "kept.ndjson")
        emitter.emit(event(1))
    assert [numbers(lines(tmp_path / name)) for name in ("kept.ndjson", "lineage.ndjson")] == [[0], [1]]


def test_the_working_directory_may_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with FileEmitter("lineage.ndjson") as emitter:
        (tmp_path / "elsewhere").mkdir()
        monkeypatch.chdir(tmp_path / "elsewhere")
        emitter.emit(event())
    assert (tmp_path / "lineage.ndjson").exists()


def test_a_file_url_is_a_local_file(tmp_path: Path) -> None:
    with FileEmitter((tmp_path / "a file.ndjson").as_uri()) as emitter:
        emitter.emit(event())
    assert (tmp_path / "a file.ndjson").exists()


def test_an_object_store_gets_one_object_per_event_with_sorted_names() -> None:
    memory = fsspec.filesystem("memory")
    with FileEmitter("memory://lake/lineage/", on_error="raise") as emitter:
        for number in range(20):
            emitter.emit(event(number))
    try:
        found = sorted(memory.ls("/lake/lineage", detail=False))
        assert numbers(memory.cat_file(name) for name in found) == list(range(20))
    finally:
        memory.rm("/lake", recursive=True)


OBJECT_STORE = """
import os, sys
from fsspec import register_implementation
from fsspec.asyn import AsyncFileSystem
from openlineage_facets.emitters import FileEmitter
from tests.emitters.samples import event

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
    command = [sys.executable, "-W", "ignore", "-c", OBJECT_STORE, str(path)]
    subprocess.run(command, check=True, timeout=60)
    assert numbers(lines(path)) == [0, 1]


def test_an_unsupported_url_is_rejected() -> None:
    with pytest.raises(ValueError, match="nosuch"):
        FileEmitter("nosuch://bucket/lineage")


def test_the_path_may_be_a_pipe(tmp_path: Path) -> None:
    code = """
from openlineage_facets.emitters import FileEmitter
from tests.emitters.samples import event
FileEmitter("/dev/stdout", on_error="raise").emit(event(1))
"""
    ran = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, check=True, timeout=60)
    assert ran.stdout == event(1).to_json() + b"\n"


def test_a_pipe_gets_all_events_until_the_emitter_is_closed(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with FileEmitter(tmp_path / "pipe", fsync=True, on_error="raise") as emitter:
        with pytest.raises(EmissionError, match="No such device or address"):  # Nobody reads it.
            emitter.emit(event(0))
        with subprocess.Popen(["cat", tmp_path / "pipe"], stdout=subprocess.PIPE) as reader:
            wait_until(lambda: _is_delivered(emitter, event(1)))
            emitter.emit(event(2))
            emitter.close()
            assert reader.stdout is not None
            assert numbers(reader.stdout.read().splitlines()) == [1, 2]


def _is_delivered(emitter: FileEmitter, what: Any) -> bool:
    try:
        emitter.emit(what)
    except EmissionError:
        return False
    return True


def test_the_file_of_the_standard_output_has_events_and_what_is_printed(tmp_path: Path) -> None:
    code = """
from openlineage_facets.emitters import FileEmitter
from tests.emitters.samples import event
with FileEmitter("/dev/stdout", on_error="raise") as emitter:
    print("before", flush=True)
    emitter.emit(event(1))
print("after", flush=True)
"""
    with (tmp_path / "out").open("wb") as out:
        subprocess.run([sys.executable, "-c", code], stdout=out, check=True, timeout=60)
    first, line, last = (tmp_path / "out").read_bytes().splitlines()
    assert (first, numbers([line]), last) == (b"before", [1], b"after")


def test_a_forked_process_can_emit(tmp_path: Path) -> None:
    code = """
import os, sys
from openlineage_facets.emitters import FileEmitter
from tests.emitters.samples import event
emitter = FileEmitter(sys.argv[1], on_error="raise")
emitter.emit(event(0))
if os.fork() == 0:
    emitter.emit(event(1))
    os._exit(0)
os.wait()
emitter.emit(event(2))
"""
    path = tmp_path / "lineage.ndjson"
    subprocess.run([sys.executable, "-W", "ignore", "-c", code, str(path)], check=True, timeout=60)
    assert numbers(lines(path)) == [0, 1, 2]


def test_a_forked_process_logs_only_its_own_lost_events() -> None:
    code = """
import os
from openlineage_facets.emitters import FileEmitter
from tests.emitters.samples import event
emitter = FileEmitter("/dev/full")
emitter.emit(event(0))
if os.fork() == 0:
    emitter.close()
    os._exit(0)
os.wait()
emitter.close()
"""
    command = [sys.executable, "-W", "ignore", "-c", code]
    logged = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stderr
    assert logged.count("1 event was not delivered") == 1


def test_no_file_is_left_open(tmp_path: Path) -> None:
    emitter = FileEmitter(tmp_path / "lineage.ndjson")
    emitter.emit(event())
    gc.collect()
    opened = {os.readlink(f"/proc/self/fd/{name}") for name in os.listdir("/proc/self/fd") if _is_open(name)}
    assert str(tmp_path / "lineage.ndjson") not in opened


def _is_open(name: str) -> bool:
    return os.path.lexists(f"/proc/self/fd/{name}")
