"""Whole processes, from start to end: imports, the first event, the command line."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measure import Timing

ROOT = Path(__file__).resolve().parent.parent

IMPORT_OURS = "import openlineage_facets; openlineage_facets.RunEvent"
IMPORT_PYDANTIC = "import pydantic"
IMPORT_BASE_MODEL = "from pydantic import BaseModel"

FIRST_EVENT_OURS = """
import sys
from openlineage_facets import Job, OutputDataset, Run, RunEvent
from openlineage_facets.emitters import FileEmitter
from openlineage_facets.facets import OutputStatisticsOutputDatasetFacet, SQLJobFacet
written = OutputStatisticsOutputDatasetFacet(row_count=365)
daily = OutputDataset(namespace="s3://lake", name="curated/daily", output_facets=[written])
job = Job(namespace="etl", name="orders.daily", facets=[SQLJobFacet(query="SELECT 1")])
with FileEmitter(sys.argv[1]) as emitter:
    emitter.emit(RunEvent(event_type="COMPLETE", run=Run(), job=job, outputs=[daily]))
"""

FIRST_EVENT_OFFICIAL = """
import sys
from datetime import datetime, timezone
from openlineage.client import OpenLineageClient
from openlineage.client.event_v2 import Job, OutputDataset, Run, RunEvent, RunState
from openlineage.client.facet_v2 import output_statistics_output_dataset, sql_job
from openlineage.client.transport.file import FileConfig, FileTransport
from openlineage.client.uuid import generate_new_uuid
written = output_statistics_output_dataset.OutputStatisticsOutputDatasetFacet(rowCount=365)
daily = OutputDataset("s3://lake", "curated/daily", outputFacets={"outputStatistics": written})
job = Job("etl", "orders.daily", facets={"sql": sql_job.SQLJobFacet(query="SELECT 1")})
now = datetime.now(timezone.utc).isoformat()
client = OpenLineageClient(transport=FileTransport(FileConfig(log_file_path=sys.argv[1], append=True)))
run = Run(runId=str(generate_new_uuid()))
client.emit(RunEvent(eventTime=now, run=run, job=job, eventType=RunState.COMPLETE, outputs=[daily]))
"""

JSONSCHEMA_SCRIPT = """
import json, sys
from jsonschema import Draft202012Validator
schema = json.load(open(sys.argv[1]))
validator = Draft202012Validator(schema, format_checker=Draft202012Validator.FORMAT_CHECKER)
wrong = sum(not validator.is_valid(json.loads(line)) for line in open(sys.argv[2]))
sys.exit(wrong > 0)
"""


@dataclass(frozen=True)
class Ended:
    """What a process took.

    Args:
        seconds: From start to end.
        memory: The most memory it held, in bytes.
    """

    seconds: float
    memory: int


def python(code: str, *arguments: str) -> list[str]:
    """Return the command that runs code in a Python of its own."""
    return [sys.executable, "-c", code, *arguments]


def run(command: Sequence[str]) -> Ended:
    """Run a command to its end.

    Raises:
        RuntimeError: It failed, so that it has not done the work.
    """
    memory = 0
    with tempfile.TemporaryFile() as said:
        start = time.perf_counter()
        process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=said)
        while process.poll() is None:
            memory = max(memory, most_memory(process.pid))
            time.sleep(_GLANCE)
        seconds = time.perf_counter() - start
        said.seek(0)
        if process.returncode:
            raise RuntimeError(f"{command[:4]} failed: {said.read()[-500:].decode()}")
    return Ended(seconds, memory)


_GLANCE = 0.002
"""Seconds between two looks at a process."""


def most_memory(pid: int) -> int:
    """Return the most memory that a process has held so far, in bytes; 0 where it has ended.

    What the system tells of a process that has ended will not do: it counts in the one that started it.
    """
    try:
        status = Path(f"/proc/{pid}/status").read_text("utf-8")
    except OSError:
        return 0
    held = re.search(r"^VmHWM:\s+(\d+) kB$", status, re.MULTILINE)
    return int(held[1]) * 1024 if held else 0


@dataclass(frozen=True)
class Processes:
    """Two commands, run in turn."""

    timing: Timing
    memory: tuple[int, int]


def in_turn(ours: Sequence[str], theirs: Sequence[str], rounds: int) -> Processes:
    """Run two commands, one after the other, round by round."""
    ended: tuple[list[Ended], list[Ended]] = ([], [])
    for number in range(rounds):
        for side in (0, 1) if number % 2 == 0 else (1, 0):
            ended[side].append(run((ours, theirs)[side]))
    ratios = tuple(slow.seconds / fast.seconds for fast, slow in zip(*ended, strict=True))
    fastest = [min(one.seconds for one in side) for side in ended]
    most = [max(one.memory for one in side) for side in ended]
    return Processes(Timing(fastest[0], fastest[1], ratios), (most[0], most[1]))
