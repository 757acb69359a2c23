"""Environment variables configure the emitter; invalid ones do not stop the job."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from openlineage_facets.emitters import (
    ClientEmitter,
    ConsoleEmitter,
    HttpEmitter,
    NullEmitter,
    SpoolEmitter,
    emitter_from_environment,
)
from tests.emitters.misbehaving_receiver import Receiver
from tests.emitters.samples import event, numbers


@pytest.fixture(autouse=True)
def nobodys_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)


def test_a_url_and_a_key_configure_an_http_emitter(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENLINEAGE_URL", receiver.url)
    monkeypatch.setenv("OPENLINEAGE_ENDPOINT", "take")
    monkeypatch.setenv("OPENLINEAGE_API_KEY", "s3cret")
    emitter = emitter_from_environment()
    emitter.emit(event())
    assert isinstance(emitter, HttpEmitter)
    [request] = receiver.requests
    assert (request.path, request.headers["Authorization"]) == ("/take", "Bearer s3cret")


def test_disabled_emits_nothing(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENLINEAGE_URL", receiver.url)
    monkeypatch.setenv("OPENLINEAGE_DISABLED", "True")
    emitter = emitter_from_environment()
    emitter.emit(event())
    assert isinstance(emitter, NullEmitter)
    assert receiver.requests == []


@pytest.mark.parametrize("place", ["openlineage.yml", ".openlineage/openlineage.yml", "else.yml"])
def test_the_clients_file_configures_a_client_emitter(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / place).parent.mkdir(exist_ok=True)
    (tmp_path / place).write_text(f"transport: {{type: file, log_file_path: {tmp_path}/out, append: true}}\n")
    if place == "else.yml":
        monkeypatch.setenv("OPENLINEAGE_CONFIG", str(tmp_path / place))
    emitter = emitter_from_environment()
    emitter.emit(event(7))
    assert isinstance(emitter, ClientEmitter)
    assert numbers((tmp_path / "out").read_bytes().splitlines()) == [7]


def test_the_clients_variables_configure_a_client_emitter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENLINEAGE__TRANSPORT__TYPE", "console")
    assert isinstance(emitter_from_environment(), ClientEmitter)


def test_the_clients_configuration_without_the_client_is_logged(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("OPENLINEAGE__TRANSPORT__TYPE", "console")
    monkeypatch.setenv("OPENLINEAGE_URL", receiver.url)
    monkeypatch.setitem(sys.modules, "openlineage.client", None)
    assert isinstance(emitter_from_environment(), HttpEmitter)
    assert caplog.messages == [
        'OPENLINEAGE__TRANSPORT__TYPE needs openlineage-python: pip install "openlineage-facets[client]"'
    ]


def test_a_spool_folder_configures_a_spool(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, receiver: Receiver
) -> None:
    monkeypatch.setenv("OPENLINEAGE_URL", receiver.url)
    monkeypatch.setenv("OPENLINEAGE_SPOOL_DIR", str(tmp_path / "spool"))
    with emitter_from_environment() as emitter:
        emitter.emit(event(7))
        assert isinstance(emitter, SpoolEmitter)
    assert numbers(receiver.events) == [7]
    assert (tmp_path / "spool").is_dir()


def test_without_configuration_events_go_to_stderr_with_a_warning(
    capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    emitter = emitter_from_environment()
    emitter.emit(event(7))
    assert isinstance(emitter, ConsoleEmitter)
    assert "no receiver is configured" in caplog.text
    printed = capsys.readouterr()
    assert (printed.out, numbers([printed.err.encode()])) == ("", [7])


@pytest.mark.parametrize(
    ("variable", "value", "message"),
    [
        ("OPENLINEAGE_URL", "localhost:5000", "OPENLINEAGE_URL: url: expected an HTTP URL"),
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
