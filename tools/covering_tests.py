"""Record which tests execute each line, so that a mutation needs to run only those.

    .venv-newest/bin/python -m pytest -p tools.covering_tests tests

A plugin of pytest. It needs Python 3.12 or later, whose monitoring reports a line once per test and costs
next to nothing after that. Lines that a test executes in other processes are not seen. Of the tests of a
line, those are kept that execute the fewest lines: they say most about it.
"""

from __future__ import annotations

import hashlib
import json
import sys
from bisect import insort
from collections import defaultdict
from collections.abc import Generator, Iterator
from pathlib import Path
from types import CodeType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
RECORD = ROOT / ".venv-newest" / "covering-tests.json"
MOST = 24
"""How many tests are kept for a line."""

_PACKAGES = tuple(f"{ROOT / name}/" for name in ("openlineage_facets", "codegen"))
_GENERATED = str(ROOT / "openlineage_facets" / "generated")

Lines = dict[str, dict[int, list[tuple[int, str]]]]
"""For each file and line, the tests that execute it, with the number of lines that they execute."""


class CoveringTests:
    """Records the lines of each test."""

    def __init__(self) -> None:
        self.lines: Lines = defaultdict(lambda: defaultdict(list))
        self._executed: set[tuple[str, int]] = set()
        self._monitoring: Any = sys.monitoring  # type: ignore[attr-defined,unused-ignore]
        self._tool: int = self._monitoring.COVERAGE_ID
        self._monitoring.use_tool_id(self._tool, "covering tests")
        self._monitoring.register_callback(self._tool, self._monitoring.events.LINE, self._line)

    def _line(self, code: CodeType, line: int) -> object:
        file = code.co_filename
        if file.startswith(_PACKAGES) and not file.startswith(_GENERATED):
            self._executed.add((file, line))
        return self._monitoring.DISABLE

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Record the lines that a test and its fixtures execute."""
        self._executed.clear()
        self._monitoring.restart_events()
        self._monitoring.set_events(self._tool, self._monitoring.events.LINE)
        try:
            return (yield)
        finally:
            self._monitoring.set_events(self._tool, 0)
            entry = len(self._executed), item.nodeid
            for file, line in self._executed:
                tests = self.lines[file][line]
                insort(tests, entry)
                del tests[MOST:]

    def pytest_sessionfinish(self) -> None:
        """Write the record."""
        RECORD.write_text(json.dumps(dict(self._files())), encoding="utf-8")

    def _files(self) -> Iterator[tuple[str, Any]]:
        for file, lines in self.lines.items():
            path = Path(file)
            names = {line: [name for _, name in tests] for line, tests in lines.items()}
            yield path.relative_to(ROOT).as_posix(), {"digest": digest(path.read_bytes()), "lines": names}


def pytest_configure(config: pytest.Config) -> None:
    """Register the plugin."""
    config.pluginmanager.register(CoveringTests())


def digest(source: bytes) -> str:
    """Return the same text for the same content of a file."""
    return hashlib.sha256(source).hexdigest()


class Record:
    """The written record.

    Args:
        path: The file. Without it, no line has a test.
    """

    def __init__(self, path: Path) -> None:
        self._files: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}

    def tests(self, path: str, line: int) -> list[str]:
        """Return the tests that execute a line, the most specific first; none if the file has changed."""
        file = self._files.get(path)
        if file is None or file["digest"] != digest((ROOT / path).read_bytes()):
            return []
        found: list[str] = file["lines"].get(str(line), [])
        return found
