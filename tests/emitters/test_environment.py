"""Environment variables configure the emitter; invalid ones do not stop the job."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from openlineage.client import OpenLineageClient, event_v2
from openlineage.client.facet_v2 import tags_job

from openlineage_facets import RunEventBuilder
from openlineage_facets.emitters import (
    ClientEmitter,
    ConsoleEmitter,
    HttpEmitter,
    NullEmitter,
    SpoolEmitter,
    emitter_from_environment,
)
from openlineage_facets.emitters.spool.directory import SpoolDirectory
from openlineage_facets.version import install_command
from tests.cases import each
from tests.emitters.misbehaving_receiver import Receiver
from tests.emitters.samples import RUN_ID, event, leave_in_spool, numbers, numbers_in

pytestmark = pytest.mark.usefixtures("nobodys_home")


@each("path", ["", "/take"])
def test_a_url_and_a_key_configure_an_http_emitter(
    path: str, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENLINEAGE_URL", f"{receiver.url}{path}")
    monkeypatch.setenv("OPENLINEAGE_ENDPOINT", "take?code=1")
    monkeypatch.setenv("OPENLINEAGE_API_KEY", "s3cret")
    emitter = emitter_from_environment()
    emitter.emit(event())
    assert isinstance(emitter, HttpEmitter)
    request = receiver.requests[-1]
    assert (request.path, request.headers["Authorization"]) == ("/take?code=1", "Bearer s3cret")


def test_disabled_emits_nothing(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENLINEAGE_URL", receiver.url)
    monkeypatch.setenv("OPENLINEAGE_DISABLED", "True")
    emitter = emitter_from_environment()
    emitter.emit(event())
    assert isinstance(emitter, NullEmitter)
    assert receiver.requests == []


def file_transport(folder: Path) -> str:
    return f"transport: {{type: file, log_file_path: {folder}/out, append: true}}\n"


@pytest.mark.parametrize("place", ["openlineage.yml", ".openlineage/openlineage.yml", "else.yml"])
def test_the_clients_file_configures_a_client_emitter(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / place).parent.mkdir(exist_ok=True)
    (tmp_path / place).write_text(file_transport(tmp_path))
    if place == "else.yml":
        monkeypatch.setenv("OPENLINEAGE_CONFIG", str(tmp_path / place))
    emitter = emitter_from_environment()
    emitter.emit(event(7))
    assert isinstance(emitter, ClientEmitter)
    assert numbers_in(tmp_path / "out") == [7]


def client_event() -> Any:
    tags = tags_job.TagsJobFacet([tags_job.TagsJobFacetFields("team", "?", "DBT")])
    return event_v2.RunEvent(
        eventTime="2026-11-21T08:30:00Z",
        producer="https://example.com/v7/etl",
        run=event_v2.Run(RUN_ID),
        job=event_v2.Job("etl", "orders.7", {"tags": tags}),
        eventType=event_v2.RunState.START,
    )


FILE_TAGS = "tags: {job: {team: of-file, tier: gold}, run: {region: eu}}\n"


def tags_by_entity(line: bytes) -> dict[str, set[tuple[str, str]]]:
    """Return the tags of the user on job and run."""
    document = json.loads(line)
    items = {entity: document[entity]["facets"]["tags"]["tags"] for entity in ("job", "run")}
    return {
        entity: {(one["key"], one["value"]) for one in tags if one["source"] == "USER"}
        for entity, tags in items.items()
    }


@pytest.mark.parametrize(("file_tags", "team"), [("", "dataos"), (FILE_TAGS, "of-file")])
def test_every_kind_of_event_gets_the_tags_that_the_client_adds(
    file_tags: str, team: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENLINEAGE__TAGS__JOB__TEAM", "dataos")
    monkeypatch.setenv("OPENLINEAGE__TAGS__RUN__COST", "high")
    (tmp_path / "openlineage.yml").write_text(file_transport(tmp_path) + file_tags)
    OpenLineageClient().emit(client_event())
    emitter = emitter_from_environment()
    for one in (client_event(), event(7), event(7).to_json(), event(7).to_dict()):
        emitter.emit(one)
    by_client, *by_emitter = map(tags_by_entity, (tmp_path / "out").read_bytes().splitlines())
    assert ("team", team) in by_client["job"]
    assert by_emitter == [by_client] * 4


def test_the_text_of_a_tag_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENLINEAGE__TAGS__JOB__VERSION", "1.10")  # The client sends the number 1.1.
    monkeypatch.setenv("OPENLINEAGE__TAGS__RUN__COST", "20")
    (tmp_path / "openlineage.yml").write_text(file_transport(tmp_path))
    emitter_from_environment().emit(event(7))
    tags = tags_by_entity((tmp_path / "out").read_bytes())
    assert tags == {"job": {("version", "1.10")}, "run": {("cost", "20")}}


def test_events_of_builders_are_tagged_once(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENLINEAGE_URL", receiver.url)
    monkeypatch.setenv("OPENLINEAGE_TAG_TEAM", "dataos")
    built = RunEventBuilder("etl", "orders.7").start()
    emitter_from_environment().emit(built)
    [sent] = receiver.events
    assert sent == built.to_dict()


def test_a_spool_folder_configures_a_spool_which_stores_the_tags(
    receiver: Receiver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENLINEAGE_URL", receiver.url)
    monkeypatch.setenv("OPENLINEAGE_SPOOL_DIR", str(tmp_path / "spool"))
    monkeypatch.setenv("OPENLINEAGE_TAG_TEAM", "dataos")
    with emitter_from_environment() as emitter:
        emitter.emit(event(7))
        assert isinstance(emitter, SpoolEmitter)
    assert (tmp_path / "spool").is_dir()
    [sent] = receiver.events
    assert sent["job"]["facets"]["tags"]["tags"] == [{"key": "team", "value": "dataos", "source": "USER"}]


def test_other_emitters_add_no_tags(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENLINEAGE_TAG_TEAM", "dataos")
    HttpEmitter(receiver.url).emit(event(7))
    assert receiver.events == [event(7).to_dict()]


def test_the_clients_variables_configure_a_client_emitter_if_the_client_is_installed(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("OPENLINEAGE__TRANSPORT__TYPE", "console")
    monkeypatch.setenv("OPENLINEAGE_URL", receiver.url)
    assert isinstance(emitter_from_environment(), ClientEmitter)
    monkeypatch.setitem(sys.modules, "openlineage.client", None)
    assert isinstance(emitter_from_environment(), HttpEmitter)
    needs = f"OPENLINEAGE__TRANSPORT__TYPE needs openlineage-python: {install_command('client')}"
    assert caplog.messages == [needs]


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("OTHER", ""),
        ("OPENLINEAGE__TRANSPORT__URL", "http://localhost:1"),  # Without a type, the client does not use it.
        ("OPENLINEAGE__FILTERS", '[{"type": "exact", "match": "other"}]'),
    ],
)
def test_without_a_receiver_events_go_to_stderr_with_a_warning(
    variable: str,
    value: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setenv(variable, value)
    emitter = emitter_from_environment()
    emitter.emit(event(7))
    assert isinstance(emitter, ConsoleEmitter)
    assert "no receiver is configured" in caplog.text
    printed = capsys.readouterr()
    assert (printed.out, numbers([printed.err.encode()])) == ("", [7])


def test_without_a_receiver_a_spool_is_not_emptied_and_tags_are_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "openlineage.yml").write_text(FILE_TAGS)
    monkeypatch.setenv("OPENLINEAGE_SPOOL_DIR", str(tmp_path / "spool"))
    leave_in_spool(tmp_path / "spool", 2)
    capsys.readouterr()
    with emitter_from_environment() as emitter:
        emitter.emit(event(7))
    assert SpoolDirectory(tmp_path / "spool").count() == 2
    assert tags_by_entity(capsys.readouterr().err.encode())["run"] == {("region", "eu")}


def test_events_go_to_the_standard_error_of_their_time(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with io.StringIO() as notebook, monkeypatch.context() as patch:
        patch.setattr(sys, "stderr", notebook)
        emitter = emitter_from_environment()
    emitter.emit(event(7))
    assert numbers([capsys.readouterr().err.encode()]) == [7]


def test_filters_apply_with_a_url(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENLINEAGE_URL", receiver.url)
    monkeypatch.setenv("OPENLINEAGE__FILTERS", '[{"type": "exact", "match": "orders.1"}]')
    emitter = emitter_from_environment()
    for number in range(3):
        emitter.emit(event(number))
    assert numbers(receiver.events) == [0, 2]


@pytest.mark.parametrize(
    ("variable", "value", "message"),
    [
        ("OPENLINEAGE_URL", "localhost:5000", "OPENLINEAGE_URL: url: expected an HTTP URL"),
        ("OPENLINEAGE_CONFIG", "no.yml", "OPENLINEAGE_CONFIG: expected a readable file, found 'no.yml'"),
        (
            "OPENLINEAGE__TRANSPORT__TYPE",
            "nosuch",
            "OPENLINEAGE__TRANSPORT__TYPE: openlineage-python rejected the configuration",
        ),
    ],
)
def test_invalid_settings_are_logged_and_do_not_stop_the_job(
    variable: str, value: str, message: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv(variable, value)
    assert isinstance(emitter_from_environment(), ConsoleEmitter)
    assert message in caplog.text
