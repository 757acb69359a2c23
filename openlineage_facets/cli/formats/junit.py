"""Findings as JUnit XML, which CI servers show beside the results of tests."""

from __future__ import annotations

import os
import time
from tempfile import SpooledTemporaryFile
from typing import IO, TextIO
from xml.sax.saxutils import escape, quoteattr

from typing_extensions import override

from openlineage_facets.cli.formats.report import Report
from openlineage_facets.cli.results import Judged
from openlineage_facets.cli.snippet import printable
from openlineage_facets.cli.summary import Summary

__all__ = ["JunitReport"]

_IN_MEMORY = 1 << 20


class JunitReport(Report):
    """Writes a suite for each file, and in it a failed test for each event with errors.

    The events without errors are one test together. Warnings are the output of the suite. What a suite
    counts stands before its tests, so these wait in a file.
    """

    def __init__(self, file: TextIO) -> None:
        super().__init__(file)
        epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
        moment = int(epoch) if epoch.isdecimal() else time.time()
        self._timestamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(moment))
        self._suites = 0
        self._suite = _Suite()

    @override
    def begin(self) -> None:
        self._file.write('<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n')

    @override
    def add(self, file: str, judged: Judged) -> None:
        self._suite.add(file, judged)

    @override
    def end_file(self, file: str, events: int) -> None:
        self._suite.end(file, events)
        self._write(file)

    @override
    def end(self, summary: Summary) -> None:
        if self._suite.is_told:  # Of runs that go on over the files.
            self._suite.end("runs", 0)
            self._write("runs")
        self._suite.close()
        self._file.write("</testsuites>\n")

    def _write(self, name: str) -> None:
        """Write the suite, and begin another."""
        suite = self._suite
        counts = f'tests="{suite.tests}" failures="{suite.failures}" errors="0" skipped="0" time="0"'
        names = f'name={quoteattr(printable(name))} package="openlineage" id="{self._suites}"'
        when = f'timestamp="{self._timestamp}" hostname="localhost"'
        self._file.write(f"  <testsuite {names} {when} {counts}>\n    <properties/>\n")
        _copy(suite.cases, self._file)
        self._file.write("    <system-out>")
        _copy(suite.warnings, self._file)
        self._file.write("</system-out>\n    <system-err/>\n  </testsuite>\n")
        suite.close()
        self._suites += 1
        self._suite = _Suite()


class _Suite:
    """The tests of a file, kept aside until they are counted.

    Attributes:
        tests: How many there are.
        failures: How many of them failed.
        cases: Their XML.
        warnings: The warnings, as text in XML.
        is_told: Whether there is anything in it.
    """

    def __init__(self) -> None:
        self.tests = self.failures = 0
        self.is_told = False
        self.cases = _spool()
        self.warnings = _spool()
        self._event: list[tuple[str, Judged]] = []
        self._failed_events = 0

    def add(self, file: str, judged: Judged) -> None:
        """Take a finding: an error fails the test of its event, a warning is output."""
        self.is_told = True
        if judged.finding.severity == "warning":
            self.warnings.write(escape(f"{_line(file, judged)}\n"))
            return
        if self._event:
            last_file, last = self._event[-1]
            if (last_file, last.event) != (file, judged.event):
                self._end_event()
        self._event.append((file, judged))

    def end(self, name: str, events: int) -> None:
        """Add the test of the events without errors.

        Args:
            name: The file.
            events: How many events it holds.
        """
        self._end_event()
        good = events - self._failed_events
        if good or not self.tests:
            told = f"{good:,} event{'' if good == 1 else 's'} without errors"
            self._add_test(name, told if good else "no errors", "")

    def close(self) -> None:
        """Let go of what was kept aside."""
        self.cases.close()
        self.warnings.close()

    def _end_event(self) -> None:
        """Add the test of the event that the last errors are about."""
        if not self._event:
            return
        file, first = self._event[0]
        if first.event is not None:
            name = f"event {first.event} on line {first.line}"
            self._failed_events += 1
        else:
            name = "the file" if first.line is None else f"line {first.line}"
        message, kind = quoteattr(printable(str(first.finding))), quoteattr(first.finding.code)
        lines = escape("\n".join(_line(*one) for one in self._event))
        self._add_test(file, name, f"<failure message={message} type={kind}>{lines}</failure>")
        self.failures += 1
        self._event = []

    def _add_test(self, file: str, name: str, content: str) -> None:
        self.tests += 1
        head = f'<testcase classname={quoteattr(printable(file))} name="{name}" time="0"'
        self.cases.write(f"    {head}>{content}</testcase>\n" if content else f"    {head}/>\n")


def _spool() -> IO[str]:
    return SpooledTemporaryFile(_IN_MEMORY, "w+", encoding="utf-8", newline="\n")


def _copy(spool: IO[str], file: TextIO) -> None:
    spool.seek(0)
    while part := spool.read(1 << 16):
        file.write(part)


def _line(file: str, judged: Judged) -> str:
    place = file if judged.line is None else f"{file}:{judged.line}"
    finding = judged.finding
    return printable(f"{place}: {finding.severity} {finding.code} {finding}")
