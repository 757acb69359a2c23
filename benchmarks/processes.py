"""Time and memory of whole processes: imports, the first event, the command line."""

from __future__ import annotations

import compileall
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.timing import Timing

ROOT = Path(__file__).resolve().parent.parent

IMPORT_OURS = "import openlineage_facets; openlineage_facets.RunEvent"
IMPORT_PYDANTIC = "import pydantic"
IMPORT_BASE_MODEL = "from pydantic import BaseModel"

DEFINE_MODEL = """
from pydantic import BaseModel
class Job(BaseModel, defer_build=True):
    name: str
"""

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
class Usage:
    """Time and memory of a process.

    Args:
        seconds: Time from start to exit.
        memory: Peak memory in bytes.
        processor_seconds: Time of processors, also that of its own processes.
    """

    seconds: float
    memory: int
    processor_seconds: float


def compile_package() -> None:
    """Write the bytecode of this package, as installing it does, also if the environment disables that."""
    compileall.compile_dir(ROOT / "openlineage_facets", quiet=2)


def python(code: str, *arguments: str) -> list[str]:
    """Return the command that runs code in a new Python process."""
    return [sys.executable, "-c", code, *arguments]


def run(command: Sequence[str], exit_codes: Sequence[int] = (0,)) -> Usage:
    """Run a command and measure it.

    Args:
        command: The command.
        exit_codes: The exit codes that it may return.

    Raises:
        RuntimeError: The command failed.
    """
    memory = 0
    with tempfile.TemporaryFile() as stderr:
        start, used_before = time.perf_counter(), _processor_seconds()
        process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=stderr)
        while process.poll() is None:
            memory = max(memory, peak_memory(process.pid))
            time.sleep(_POLL_INTERVAL)
        seconds = time.perf_counter() - start
        stderr.seek(0)
        if process.returncode not in exit_codes:
            raise RuntimeError(f"{command[:4]} failed: {stderr.read()[-500:].decode()}")
    return Usage(seconds, memory, _processor_seconds() - used_before)


def _processor_seconds() -> float:
    """Return the processor time of all processes that this one has started and that have exited."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


_POLL_INTERVAL = 0.002
"""Seconds between two measurements of memory."""


def peak_memory(pid: int) -> int:
    """Return the peak memory of a running process in bytes, 0 if it has exited.

    The resource usage of an exited process cannot be used, because it includes that of its parent.
    """
    try:
        status = Path(f"/proc/{pid}/status").read_text("utf-8")
    except OSError:
        return 0
    peak = re.search(r"^VmHWM:\s+(\d+) kB$", status, re.MULTILINE)
    return int(peak[1]) * 1024 if peak else 0


@dataclass(frozen=True)
class Processes:
    """Measurements of two commands."""

    timing: Timing
    memory: tuple[int, int]


def alternate(
    ours: Sequence[str], theirs: Sequence[str], rounds: int, exit_codes: Sequence[int] = (0,)
) -> Processes:
    """Run two commands in alternating rounds."""
    usages: tuple[list[Usage], list[Usage]] = ([], [])
    for number in range(rounds):
        for side in (0, 1) if number % 2 == 0 else (1, 0):
            usages[side].append(run((ours, theirs)[side], exit_codes))
    ratios = tuple(slow.seconds / fast.seconds for fast, slow in zip(*usages, strict=True))
    fastest = [min(one.seconds for one in side) for side in usages]
    peaks = [max(one.memory for one in side) for side in usages]
    return Processes(Timing(fastest[0], fastest[1], ratios), (peaks[0], peaks[1]))
