"""`emit=` accepts URLs and paths everywhere."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from openlineage_facets.emitters import HttpEmitter, MultiEmitter, SpoolEmitter, as_emitter, replay
from openlineage_facets.emitters.protocol import emitter_to
from openlineage_facets.operators import TaskInstanceListener
from tests.cases import each
from tests.emitters.misbehaving_receiver import Receiver
from tests.emitters.samples import emit_all, event, numbers, numbers_in
from tests.operators.scheduler import Try


@pytest.fixture(autouse=True)
def _empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@each("spell", [str, Path, lambda path: path.absolute().as_uri(), lambda path: f"file:{path.absolute()}"])
def test_a_path_is_a_file_with_one_line_per_event(spell: Callable[[Path], Any], tmp_path: Path) -> None:
    emit_all(as_emitter(spell(tmp_path / "new folder" / "lineage.ndjson")), [1])
    assert numbers_in(tmp_path / "new folder" / "lineage.ndjson") == [1]


@each("endpoint", ["", "/", "/api/v1/lineage", "/api/v1/lineage/"])
def test_an_http_url_is_a_receiver_with_or_without_its_endpoint(receiver: Receiver, endpoint: str) -> None:
    emit_all(as_emitter(receiver.url + endpoint), [1])
    assert numbers(receiver.received[-1:]) == [1]
    assert receiver.requests[-1].path == "/api/v1/lineage"


def test_the_url_of_an_object_store_is_a_folder_of_objects() -> None:
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    for url, folder in (("memory://destinations", "/destinations"), ("memory://", "/")):
        emit_all(as_emitter(url), [1, 2])
        files = [entry["name"] for entry in memory.ls(folder) if entry["type"] == "file"]
        assert len(files) == 2
        memory.rm(files)
    assert list(Path().iterdir()) == []


@each(
    ("destination", "message"),
    [
        ("", "expected a URL or the path of a file, found ''"),
        ("localhost:5000", "found 'localhost:5000'; write http://localhost:5000"),
        ("marquez.example.com:80/api", "write http://marquez.example.com:80/api"),
        (".", r"found the folder '\.'; write \./lineage\.ndjson"),
        ("http://", "expected an HTTP URL"),
        ("dbfs:/lineage/x", "found 'dbfs:/lineage/x'; begin it with dbfs://, or with ./ if it is a file"),
        (Path("s3://lake/lineage"), "found 's3:/lake/lineage'; begin it with s3://"),
        ("s3:/", "begin it with s3://"),
        ("nosuch://lake", r"found 'nosuch://lake' \(Protocol not known: nosuch\)"),
        ("nosuch://me:secret@lake", r"found 'nosuch://\*\*\*@lake'"),
    ],
)
def test_what_cannot_be_a_destination_is_reported_at_once(destination: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        as_emitter(destination)


def test_failures_of_a_destination_raise_on_demand(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(Exception, match="could not write"):
        as_emitter("file/lineage.ndjson", on_error="raise").emit(event())


def test_everything_that_expects_an_emitter_accepts_a_path(tmp_path: Path) -> None:
    emit_all(MultiEmitter("one.ndjson", Path("other.ndjson")), [1])
    assert numbers_in("one.ndjson") == numbers_in("other.ndjson") == [1]
    emit_all(SpoolEmitter("spooled.ndjson", "spool"), [2])
    assert numbers_in("spooled.ndjson") == [2]
    assert replay("spool", "replayed.ndjson").left == 0
    TaskInstanceListener("task.ndjson").on_start(Try())
    assert b"shop.load_orders" in Path("task.ndjson").read_bytes()


def test_a_timeout_applies_to_every_destination() -> None:
    emitters = [emitter_to("http://localhost:1", timeout=15), emitter_to("lineage.ndjson", timeout=15)]
    assert isinstance(emitters[0], HttpEmitter)
    assert [emitter._timeout for emitter in emitters] == [15, 15]  # type: ignore[attr-defined]
