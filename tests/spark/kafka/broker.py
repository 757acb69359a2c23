"""A Kafka broker in a process of its own, and a producer, on the loopback interface."""

from __future__ import annotations

import os
import socket
import subprocess
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from py4j.java_gateway import GatewayParameters, JavaGateway, launch_gateway

from tools.kafka_jars import BROKER, CONNECTOR, jars, supported
from tools.maven_jars import jars_of_pyspark

PARTITIONS = 3
_START = 60.0
"""Maximum duration of a start in seconds."""

_SETTINGS = """\
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:{controller}
controller.listener.names=CONTROLLER
listeners=PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller}
advertised.listeners=PLAINTEXT://127.0.0.1:{port}
log.cleaner.dedupe.buffer.size=2097152
log.dirs={folder}/log
num.partitions={partitions}
broker.heartbeat.interval.ms=300
broker.session.timeout.ms=1500
offsets.topic.replication.factor=1
"""


def skip_without_jars() -> None:
    """Skip a module of tests if the jars are missing. In CI, its tests fail instead."""
    if not supported():
        pytest.skip("Kafka is tested with PySpark 4 only", allow_module_level=True)
    try:
        jars([*BROKER, *CONNECTOR])
    except FileNotFoundError as missing:
        if os.environ.get("CI") != "true":
            pytest.skip(f"Kafka is not tested: {missing}", allow_module_level=True)


class Broker:
    """A broker that can be killed and started again.

    Args:
        folder: Folder for its files.
        java: The program `java`.
    """

    def __init__(self, folder: Path, java: Path) -> None:
        self._folder = folder
        self._java = [str(java), "-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]
        self._process: subprocess.Popen[bytes] | None = None
        self._port, controller = _free_ports()
        self.address = f"127.0.0.1:{self._port}"
        settings = _SETTINGS.format(
            port=self._port, controller=controller, folder=folder, partitions=PARTITIONS
        )
        (folder / "server.properties").write_text(settings)
        arguments = ["format", "--cluster-id", "MkU3OEVBNTcwNTJENDM2Qg", "--config"]
        command = self._command("kafka.tools.StorageTool", *arguments)
        subprocess.run(command, check=True, capture_output=True, timeout=_START)

    def start(self) -> None:
        """Start the broker and wait until it accepts connections."""
        with (self._folder / "broker.log").open("ab") as log:
            self._process = subprocess.Popen(self._command("kafka.Kafka"), stdout=log, stderr=log)
        deadline = time.monotonic() + _START
        while time.monotonic() < deadline and self._process.poll() is None:
            with socket.socket() as client:
                if client.connect_ex(("127.0.0.1", self._port)) == 0:
                    return
            time.sleep(0.1)
        pytest.fail((self._folder / "broker.log").read_text()[-3000:], pytrace=False)

    def kill(self) -> None:
        """Kill the broker."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def _command(self, program: str, *arguments: str) -> list[str]:
        return [*self._java, "-cp", class_path(), program, *arguments, f"{self._folder}/server.properties"]


def class_path() -> str:
    """Return the jars of Kafka, and those of PySpark, some of which it needs."""
    return os.pathsep.join([*map(str, jars(BROKER)), f"{jars_of_pyspark()}/*"])


class Producer:
    """Kafka's own producer.

    Args:
        jvm: The classes of a JVM with the jars of Kafka.
        address: The address of the broker.
    """

    def __init__(self, jvm: Any, address: str) -> None:
        settings = jvm.java.util.HashMap()
        settings.put("bootstrap.servers", address)
        for name in ("key.serializer", "value.serializer"):
            settings.put(name, "org.apache.kafka.common.serialization.ByteArraySerializer")
        self._record = jvm.org.apache.kafka.clients.producer.ProducerRecord
        self._producer = jvm.org.apache.kafka.clients.producer.KafkaProducer(settings)

    def send(self, topic: str, values: Iterable[bytes | None]) -> None:
        """Send values to the partitions in turn, and wait until all are stored."""
        sent = [
            self._producer.send(self._record(topic, number % PARTITIONS, None, value))
            for number, value in enumerate(values)
        ]
        for result in sent:
            result.get()


@contextmanager
def producer_for(broker: Broker, java: Path) -> Iterator[Producer]:
    """Start a JVM with a producer."""
    [py4j] = jars_of_pyspark().glob("py4j-*.jar")
    port, process = launch_gateway(
        jarpath=str(py4j), classpath=class_path(), java_path=str(java), die_on_exit=True, return_proc=True
    )
    gateway = JavaGateway(gateway_parameters=GatewayParameters(port=port))
    try:
        yield Producer(gateway.jvm, broker.address)
    finally:
        gateway.shutdown()
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()


def _free_ports() -> tuple[int, int]:
    with socket.socket() as one, socket.socket() as other:
        one.bind(("127.0.0.1", 0))
        other.bind(("127.0.0.1", 0))
        return one.getsockname()[1], other.getsockname()[1]
