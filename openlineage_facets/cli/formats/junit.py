"""Report as JUnit XML, which CI servers show like test results."""

from __future__ import annotations

import os
import time
from tempfile import SpooledTemporaryFile
from typing import IO, TextIO
from xml.sax.saxutils import escape, quoteattr

from typing_extensions import override

from openlineage_facets.base.display.printable import printable
from openlineage_facets.cli.formats.report import Report
from openlineage_facets.cli.results.summary import ReportedFinding, Summary
from openlineage_facets.cli.workflow_commands import escape_commands

_MAX_BYTES_IN_MEMORY = 1 << 20


class JunitReport(Report):
    """Report with a test suite per file and a failed test per event with errors.

    All events without errors are one test. Warnings are the output of the suite. A suite starts with its
    number of tests and failures, so its content is written to a temporary file first.
    """

    def __init__(self, file: TextIO) -> None:
        super().__init__(file)
        epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
        seconds = int(epoch) if epoch.isdecimal() else time.time()
        self._timestamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))
        self._suites = 0
        self._suite = _Suite()

    @override
    def begin(self) -> None:
        self._file.write('<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n')

    @override
    def add(self, file: str, reported: ReportedFinding) -> None:
        self._suite.add(file, reported)

    @override
    def end_file(self, file: str, events: int) -> None:
        self._suite.end(file, events)
        self._write_suite(file)

    @override
    def end(self, summary: Summary) -> None:
        if self._suite.has_findings:  # About runs that span several files.
            self._suite.end("runs", 0)
            self._write_suite("runs")
        self._suite.close()
        self._file.write("</testsuites>\n")

    def _write_suite(self, name: str) -> None:
        """Write the current suite and start another one."""
        suite = self._suite
        counts = f'tests="{suite.tests}" failures="{suite.failures}" errors="0" skipped="0" time="0"'
        names = f'name={_attribute(name)} package="openlineage" id="{self._suites}"'
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
    """Tests of a file, stored until their number is known.

    Attributes:
        tests: Number of tests.
        failures: Number of failed tests.
        cases: XML of the tests.
        warnings: Warnings as XML text.
        has_findings: Whether a finding has been added.
    """

    def __init__(self) -> None:
        self.tests = self.failures = 0
        self.has_findings = False
        self.cases = _temporary_file()
        self.warnings = _temporary_file()
        self._errors: list[tuple[str, ReportedFinding]] = []
        self._failed_events = 0

    def add(self, file: str, reported: ReportedFinding) -> None:
        """Add a finding. Errors fail the test of their event, others are output."""
        self.has_findings = True
        if reported.finding.severity != "error":
            self.warnings.write(escape(f"{_line(file, reported)}\n"))
            return
        if self._errors:
            last_file, last = self._errors[-1]
            if (last_file, last.event) != (file, reported.event):
                self._end_event()
        self._errors.append((file, reported))

    def end(self, name: str, events: int) -> None:
        """Add the test of the events without errors.

        Args:
            name: Path of the file.
            events: Number of events in it.
        """
        self._end_event()
        passed = events - self._failed_events
        if passed or not self.tests:
            test = f"{passed:,} event{'' if passed == 1 else 's'} without errors"
            self._add_test(name, test if passed else "no errors", "")

    def close(self) -> None:
        """Delete the temporary files."""
        self.cases.close()
        self.warnings.close()

    def _end_event(self) -> None:
        """Add the failed test of the event with the last errors."""
        if not self._errors:
            return
        file, first = self._errors[0]
        if first.event is not None:
            name = f"event {first.event} on line {first.line}"
            self._failed_events += 1
        else:
            name = "the file" if first.line is None else f"line {first.line}"
        message, kind = _attribute(str(first.finding)), quoteattr(first.finding.code)
        lines = escape("\n".join(_line(*error) for error in self._errors))
        self._add_test(file, name, f"<failure message={message} type={kind}>{lines}</failure>")
        self.failures += 1
        self._errors = []

    def _add_test(self, file: str, name: str, content: str) -> None:
        self.tests += 1
        head = f'<testcase classname={_attribute(file)} name="{name}" time="0"'
        self.cases.write(f"    {head}>{content}</testcase>\n" if content else f"    {head}/>\n")


def _temporary_file() -> IO[str]:
    return SpooledTemporaryFile(_MAX_BYTES_IN_MEMORY, "w+", encoding="utf-8", newline="\n")


def _copy(source: IO[str], file: TextIO) -> None:
    source.seek(0)
    while part := source.read(1 << 16):
        file.write(part)


def _attribute(text: str) -> str:
    return quoteattr(escape_commands(printable(text)))


def _line(file: str, reported: ReportedFinding) -> str:
    location = file if reported.line is None else f"{file}:{reported.line}"
    finding = reported.finding
    return escape_commands(printable(f"{location}: {finding.severity} {finding.code} {finding}"))
