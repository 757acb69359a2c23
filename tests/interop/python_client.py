"""Transports of openlineage-python, configured by variables and a YAML file, with a real Kafka broker."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from openlineage_facets.testing.receiver import Receiver
from tests.interop.exchanges import Exchange, Reply, differences
from tests.interop.programs import python_of, replies_of, run, version_in
from tests.interop.samples import sample_events
from tests.spark.kafka.broker import Broker
from tools.java_home import java_of_machine

WAYS = {"emitter": "our ClientEmitter", "client": "its client"}
TOPIC = "lineage"


class Target(NamedTuple):
    """A transport with something that receives what it sends.

    Attributes:
        environment: The variables that configure the client.
        received: Returns the events that have arrived.
    """

    environment: Mapping[str, str]
    received: Callable[[], list[Any]]


def openlineage_python() -> Iterator[Exchange]:
    """Send every sample event through each transport, with our emitter and with its client."""
    python = python_of("common")
    version = version_in(python, "openlineage-python")
    for name, target in _TARGETS.items():
        for way, title in WAYS.items():
            with tempfile.TemporaryDirectory() as folder, target(Path(folder), python) as one:
                events = sample_events()
                command: list[str | Path] = [python, "-m", "tests.interop.readers.through_client", way]
                replies = replies_of(command, events, one.environment)
                yield Exchange(
                    f"openlineage-python, {name}, {title}", version, events,
                    list(_arrived(events, replies, one.received())),
                )  # fmt: skip


def _arrived(events: Sequence[Any], replies: Sequence[Reply], received: Sequence[Any]) -> Iterator[Reply]:
    """Yield what happened to each event. Transports may change the order."""
    sent = [event for event, reply in zip(events, replies, strict=True) if not reply.refusal]
    unequal = [event for event in sent if event not in received]
    nearest = _paired(unequal, [one for one in received if one not in sent])
    for event, reply in zip(events, replies, strict=True):
        if reply.refusal:
            yield reply
        else:
            yield Reply(event if event in received else next(nearest), "it did not arrive")


def _paired(sent: Sequence[Any], received: Sequence[Any]) -> Iterator[Any]:
    """Yield for each sent event the received one that belongs to it: the most similar pairs come first."""
    distances = sorted(
        (len(list(differences(one, other))), abs(len(str(one)) - len(str(other))), row, column)
        for row, one in enumerate(sent)
        for column, other in enumerate(received)
    )
    pairs: dict[int, int] = {}
    for _, _, row, column in distances:
        if row not in pairs and column not in pairs.values():
            pairs[row] = column
    yield from (received[pairs[row]] if row in pairs else None for row in range(len(sent)))


@contextmanager
def _by_variables(kind: str, folder: Path, python: Path) -> Iterator[Target]:
    with _receiver() as (url, received):
        prefix = "OPENLINEAGE__TRANSPORT__"
        yield Target({f"{prefix}TYPE": kind, f"{prefix}URL": url}, received)


@contextmanager
def _receiver() -> Iterator[tuple[str, Callable[[], list[Any]]]]:
    """Yield the URL of a receiver, and a function that returns the events that have arrived."""
    bodies: list[bytes] = []
    with closing(Receiver(bodies.append, print)) as receiver:
        yield receiver.url, lambda: [json.loads(body) for body in bodies]


@contextmanager
def _file(folder: Path, python: Path) -> Iterator[Target]:
    lines, transport = _file_transport(folder)
    yield Target(_configured(folder, transport), lambda: _events_of(lines.read_text(encoding="utf-8")))


@contextmanager
def _composite(folder: Path, python: Path) -> Iterator[Target]:
    lines, file = _file_transport(folder)
    with _receiver() as (url, posted):

        def received() -> list[Any]:
            events = posted()
            return events if events == _events_of(lines.read_text(encoding="utf-8")) else []

        inner = [{"type": "http", "url": url}, file]
        transport = {"type": "composite", "continue_on_failure": False, "transports": inner}
        yield Target(_configured(folder, transport), received)


def _file_transport(folder: Path) -> tuple[Path, dict[str, Any]]:
    lines = folder / "lineage.ndjson"
    return lines, {"type": "file", "log_file_path": str(lines), "append": True}


@contextmanager
def _kafka(folder: Path, python: Path) -> Iterator[Target]:
    home = java_of_machine()
    broker = Broker(folder, home / "bin" / "java" if home else Path("java"))
    broker.start()
    transport = {"type": "kafka", "topic": TOPIC, "config": {"bootstrap.servers": broker.address}}
    reader: list[str | Path] = [python, "-m", "tests.interop.readers.kafka_topic", broker.address, TOPIC]
    try:
        yield Target(_configured(folder, transport), lambda: _events_of(run(reader)))
    finally:
        broker.kill()
        shutil.rmtree(folder / "log", ignore_errors=True)


_TARGETS: dict[str, Callable[[Path, Path], AbstractContextManager[Target]]] = {
    "http": partial(_by_variables, "http"),
    "async_http": partial(_by_variables, "async_http"),
    "file": _file,
    "composite": _composite,
    "kafka": _kafka,
}


def _configured(folder: Path, transport: Mapping[str, Any]) -> dict[str, str]:
    path = folder / "openlineage.yml"
    path.write_text(yaml.safe_dump({"transport": dict(transport)}))
    return {"OPENLINEAGE_CONFIG": str(path)}


def _events_of(lines: str) -> list[Any]:
    return [json.loads(line) for line in lines.splitlines() if line]
