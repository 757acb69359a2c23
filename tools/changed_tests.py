"""Run the tests nearest to a change, without Spark, within half a minute: the tests of `make quick`.

Files of tests are ordered by their distance from the changed modules: first the folder that mirrors a changed
package, then files by the number of imports between them and a changed module. After the time limit no
further test starts, which is reported.
"""

from __future__ import annotations

import argparse
import subprocess
import time
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("openlineage_facets", "codegen", "tests", "tools")
SECONDS = 35.0
LIMIT_REACHED = 124
"""The result of a run in which no test failed, and some were not started; no exit code of pytest."""

SELECTION = (
    "-q",
    "-m",
    "not check and not thorough",
    "--hypothesis-profile",
    "quick",
    "-p",
    "no:cacheprovider",
)


def main() -> int:
    """Select and run the tests."""
    parser = argparse.ArgumentParser(description="Run the tests nearest to a change, without Spark.")
    parser.add_argument(
        "--base", help="the commit to compare with (default: where the branch left origin/main)"
    )
    parser.add_argument("--seconds", type=float, default=SECONDS, help="start no test after this time")
    options = parser.parse_args()
    changed = changed_files(options.base)
    files = nearest_tests(changed)
    if not files:
        print("No changed file has tests without Spark.")
        return 0
    status = run(files, options.seconds)
    return 0 if status == LIMIT_REACHED else status


def run(files: Iterable[str], seconds: float, options: Iterable[str] = ()) -> int:
    """Run files of tests, start none after some time, and return 0 if none has failed.

    If none has failed, but some were not started, the result is `LIMIT_REACHED`.

    Args:
        files: The files, in the order to run them.
        seconds: The time in seconds.
        options: More options of pytest.
    """
    limit = TimeLimit(seconds)
    status = pytest.main([*SELECTION, *options, *files], plugins=[limit])
    if limit.was_reached:
        print(f"No test was started after {seconds:g} s; `make test` runs them all.")
    return 0 if status in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED) else int(status)


@dataclass
class TimeLimit:
    """Start no test after some time.

    Args:
        seconds: The time in seconds, from now on.
    """

    seconds: float

    def __post_init__(self) -> None:
        self._end = time.monotonic() + self.seconds
        self.was_reached = False

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Set the exit status of a session that this limit has ended: pytest reports it as interrupted."""
        if self.was_reached and session.exitstatus == pytest.ExitCode.INTERRUPTED:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED if session.testsfailed else LIMIT_REACHED

    def pytest_runtest_protocol(self, item: pytest.Item) -> None:
        """End the session if the time has passed."""
        if time.monotonic() > self._end:
            self.was_reached = True
            item.session.shouldstop = f"{self.seconds:g} s have passed"


def changed_files(base: str | None) -> list[str]:
    """Return the paths that differ from a commit, including files that are not committed."""
    start = base or _output("merge-base", "HEAD", "origin/main") or "HEAD"
    lines = _output("diff", "--name-only", start).splitlines()
    untracked = _output("ls-files", "--others", "--exclude-standard").splitlines()
    return sorted({*lines, *untracked})


def _output(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip()


def nearest_tests(changed: Iterable[str], *, spark: bool = False) -> list[str]:
    """Return the files of tests that a change concerns, the nearest first.

    Args:
        changed: The paths of the changed files.
        spark: Whether to include tests that start Spark, if a changed file needs it.
    """
    graph = _imports()
    modules = {name for path in changed if (name := module_name(path)) in graph.modules}
    distances = dict.fromkeys(modules, 0)
    layer = modules
    while layer:
        importers = {one for name in layer for one in graph.find_modules_that_directly_import(name)}
        layer = importers - distances.keys()
        distances.update(dict.fromkeys(layer, max(distances.values()) + 1))
    spark = spark and any(name.startswith("openlineage_facets.spark.") for name in modules)
    folders = {mirrored_folder(name) for name in modules}
    own = {f"test_{name.rpartition('.')[2]}" for name in modules}
    for name in graph.modules:  # Packages load some of their modules lazily, which are no imports.
        if name.startswith(tuple(f"tests.{folder}." for folder in folders)):
            distances.setdefault(name, len(graph.modules))
    tests = sorted(
        (
            -max(shared_parts(name, folder) for folder in folders),
            name.rpartition(".")[2] not in own,
            distance,
            name,
        )
        for name, distance in distances.items()
        if name.startswith("tests.") and (spark or not name.startswith("tests.spark.")) and _is_test(name)
    )
    return [name.replace(".", "/") + ".py" for *_, name in tests]


@cache
def _imports() -> grimp.ImportGraph:
    return grimp.build_graph(*PACKAGES, cache_dir=None)


def shared_parts(test: str, folder: str) -> int:
    """Return how many parts of its package a test has in common with a folder that mirrors a module."""
    parts = [own == other for own, other in zip(test.split(".")[1:-1], folder.split("."), strict=False)]
    return [*parts, False].index(False)


def module_name(path: str) -> str:
    """Return the name of the module in a file."""
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def mirrored_folder(module: str) -> str:
    """Return the package below `tests` that mirrors that of a module."""
    package = module.rpartition(".")[0]
    return package.removeprefix("openlineage_facets").removeprefix(".") or module.rpartition(".")[2]


def _is_test(module: str) -> bool:
    return module.rpartition(".")[2].startswith("test_")


if __name__ == "__main__":
    raise SystemExit(main())
