"""Measure the processor time of each test, and write it as a table to `tests/PROFILE.md`.

Wall time depends on what else the machine does, and the time of pytest's own process leaves out Java and
other children. This is the processor time of the process and of everything it started.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

import psutil
import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "tests" / "PROFILE.md"
FOLDER = (
    "PROFILE_FOLDER"  # the environment variable with the folder of the measurements, one file per process
)


def processor_time() -> float:
    """Return the seconds of this process and its descendants, also of those that have ended."""
    process = psutil.Process()
    seconds = 0.0
    for member in (process, *process.children(recursive=True)):
        try:
            seconds += sum(member.cpu_times()[:4])
        except psutil.NoSuchProcess:
            continue
    return seconds


class Profile:
    """Write one line per test: its id, processor time and wall time."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("a", encoding="utf-8", buffering=1)
        self._last = processor_time()
        self._last_wall = time.perf_counter()
        self._write("(collecting and starting)", self._last, 0.0)

    def _write(self, name: str, seconds: float, wall: float) -> None:
        self._file.write(json.dumps([name, round(seconds, 4), round(wall, 4)]) + "\n")

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Measure from the end of the previous test, so that nothing between tests is lost."""
        try:
            return (yield)
        finally:
            now, wall = processor_time(), time.perf_counter()
            # The time of a process that has ended without a parent that waits for it is no longer known.
            self._write(item.nodeid, max(0.0, now - self._last), wall - self._last_wall)
            self._last, self._last_wall = now, wall


def pytest_collection_finish(session: pytest.Session) -> None:
    """Start measuring when everything is collected."""
    folder = os.environ.get(FOLDER)
    if folder and not getattr(session.config.option, "numprocesses", None):
        session.config.pluginmanager.register(Profile(Path(folder, f"{os.getpid()}.jsonl")))


def read_measurements(folder: Path) -> list[tuple[str, float, float]]:
    """Return the id, processor time and wall time of each test."""
    return [
        (name, seconds, wall)
        for path in sorted(folder.glob("*.jsonl"))
        for name, seconds, wall in map(json.loads, path.read_text(encoding="utf-8").splitlines())
    ]


def table(title: str, seconds: Mapping[str, float], tests: Counter[str], limit: int) -> Iterator[str]:
    """Yield the rows of one table, the most expensive first."""
    yield f"\n| {title} | processor seconds | tests |\n| --- | ---: | ---: |"
    for name, value in sorted(seconds.items(), key=lambda pair: -pair[1])[:limit]:
        yield f"| `{name}` | {value:.1f} | {tests[name]} |"


def page(measurements: list[tuple[str, float, float]], command: str) -> str:
    """Return the page: totals by folder, file and function."""
    kinds = ("folder", "file", "function")
    seconds: dict[str, dict[str, float]] = {kind: defaultdict(float) for kind in kinds}
    tests: dict[str, Counter[str]] = {kind: Counter() for kind in kinds}
    for nodeid, value, _ in measurements:
        file = nodeid.partition("::")[0]
        names = (str(Path(file).parent), file, nodeid.partition("[")[0])
        for kind, name in zip(kinds, names, strict=True):
            seconds[kind][name] += value
            tests[kind][name] += 1
    total = sum(value for _, value, _ in measurements)
    lines = [
        "# Processor time of the tests",
        "",
        f"`{command}` ran {len(measurements)} tests in {total:.0f} processor seconds, including Java and",
        "other processes. `make profile-tests` writes this page.",
        *table("folder", seconds["folder"], tests["folder"], 60),
        *table("file", seconds["file"], tests["file"], 60),
        *table("function", seconds["function"], tests["function"], 100),
    ]
    return "\n".join(lines) + "\n"


def main(arguments: list[str]) -> int:
    """Run pytest with the arguments and write the page."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pytest", "-p", "tools.profile_tests", *arguments]
        status = subprocess.run(command, cwd=ROOT, env={**os.environ, FOLDER: folder}, check=False).returncode
        PAGE.write_text(
            page(read_measurements(Path(folder)), shlex.join(["pytest", *arguments])), encoding="utf-8"
        )
    return status


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
