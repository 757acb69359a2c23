"""A Kafka topic is folded exactly once, although its query and its broker are killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from random import Random

import pytest
from pyspark.sql import SparkSession

from openlineage_facets.spark.archives import LineageTables
from tests.conftest import ROOT
from tests.events import folded
from tests.spark.archives.sample_archives import BAD, BLANK
from tests.spark.archives.sample_events import event_with_lineage, lines
from tests.spark.archives.streams.stream_output import lines_in, quarantined_in, split_lines
from tests.spark.archives.table_contents import state_as_dict, tables_as_dict
from tests.spark.kafka.broker import PARTITIONS, Broker, producer_for, skip_without_jars
from tools.java_home import java_of_machine
from tools.kafka_jars import CONNECTOR, jars

pytestmark = pytest.mark.thorough

skip_without_jars()

TOPIC = "lineage"
LIMIT = 30
"""Events in a batch at most."""
SETTINGS = {
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.shuffle.partitions": "2",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}
"""Settings of the query, for a short start."""
DEADLINE = 600.0
"""Seconds after which a query hangs, also on a busy machine."""


class Query:
    """A query in a process of its own, which is started again whenever it has ended."""

    def __init__(self, address: str, folder: Path) -> None:
        self.folder = folder
        self._log = folder.with_suffix(".log")
        self._command = [sys.executable, f"{ROOT}/examples/fold_topic.py"]
        self._command += [address, TOPIC, str(folder), str(LIMIT)]
        jars_of_connector = ",".join(map(str, jars(CONNECTOR)))
        options = [f"--conf {name}={value}" for name, value in SETTINGS.items()]
        self._submit = f"--master local[2] --jars {jars_of_connector} {' '.join(options)} pyspark-shell"
        self._process: subprocess.Popen[bytes] | None = None
        self._end = time.monotonic() + DEADLINE

    def run_until(self, reached: Callable[[], bool]) -> None:
        """Run until something is reached."""
        while not reached():
            if self._process is None or self._process.poll() is not None:
                self._start()
            assert time.monotonic() < self._end, self._log.read_text()[-3000:]
            time.sleep(0.005)

    def kill(self) -> bool:
        """Kill the process. Return whether it was in the middle of a batch."""
        if self._process is None:
            return False
        with suppress(ProcessLookupError):  # It may have ended by itself.
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._process = None
        return self.begun() > self.committed()

    def begun(self) -> int:
        """Return the number of batches that were begun."""
        return _numbers(self.folder / "checkpoint" / "offsets")

    def committed(self) -> int:
        """Return the number of batches that Spark does not repeat."""
        return _numbers(self.folder / "checkpoint" / "commits")

    def counted(self) -> int:
        """Return the number of events in the committed batches."""
        paths = [self.folder / "counts" / f"{batch}.json" for batch in range(self.committed())]
        return sum(json.loads(path.read_text())["lines"] for path in paths)

    def _start(self) -> None:
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command,
                cwd=ROOT,
                env={
                    **os.environ,
                    "PYTHONPATH": str(ROOT),
                    "PYSPARK_PYTHON": sys.executable,
                    "PYSPARK_SUBMIT_ARGS": self._submit,
                },
                stdout=log,
                stderr=log,
                start_new_session=True,
            )


def _numbers(folder: Path) -> int:
    return max((int(path.name) + 1 for path in folder.glob("*") if path.name.isdigit()), default=0)


@pytest.fixture
def java(spark: SparkSession) -> Path:
    home = java_of_machine()
    assert home is not None
    return home / "bin" / "java"


@pytest.fixture
def broker(tmp_path: Path, java: Path) -> Iterator[Broker]:
    broker = Broker(tmp_path, java)
    broker.start()
    yield broker
    broker.kill()


def sample() -> list[bytes | None]:
    """Return events in any order, some twice, with invalid and blank ones."""
    random = Random(4)
    events = lines([event_with_lineage(random) for _ in range(300)])
    sample = [*events, *random.choices(events, k=50), *BAD.values(), *BLANK, None, None]
    random.shuffle(sample)
    return sample


def test_topic_is_folded_exactly_once(
    spark: SparkSession, broker: Broker, java: Path, tmp_path: Path
) -> None:
    every = sample()
    out = tmp_path / "out"
    query = Query(broker.address, out)

    def writes_lines() -> bool:
        return (out / "_unfinished").exists() and query.begun() > 1

    def writes_records() -> bool:
        return any(out.glob(f"records/*-{query.committed()}/*.parquet"))

    def has_moved_lines() -> bool:
        return (out / "quarantine" / f"batch={query.committed()}").exists()

    def has_counted() -> bool:
        return (out / "counts" / f"{query.committed()}.json").exists()

    moments = (writes_lines, writes_records, has_moved_lines, has_counted)
    with ExitStack() as stack:
        producer = stack.enter_context(producer_for(broker, java))
        stack.callback(query.kill)
        in_the_middle = 0
        for number, moment in enumerate(moments):
            producer.send(TOPIC, every[number :: len(moments) + 1])
            query.run_until(moment)
            in_the_middle += query.kill()
        assert in_the_middle >= len(moments) - 1  # The last moment is short.
        query.run_until(lambda: query.begun() > query.committed())
        broker.kill()
        time.sleep(1)
        broker.start()
        producer.send(TOPIC, every[len(moments) :: len(moments) + 1])
        query.run_until(lambda: query.counted() == len(every))
    valid, invalid = split_lines(every)
    assert lines_in(out / "valid") == valid
    assert quarantined_in(out) == invalid
    rows = map(json.loads, lines_in(out / "quarantine"))
    assert len({(row["topic"], row["partition"], row["offset"]) for row in rows}) == len(invalid)
    state = folded(*map(json.loads, valid))
    assert tables_as_dict(LineageTables.load(spark, out)) == state_as_dict(state)
    counts = [json.loads(path.read_text()) for path in out.glob("counts/*.json")]
    assert sum(it["valid"] for it in counts) == len(valid)
    assert max(it["lines"] for it in counts) <= LIMIT + PARTITIONS, "Spark rounds up for each partition"
    assert (out / "records" / "0-9").exists(), "records of batches were merged"
