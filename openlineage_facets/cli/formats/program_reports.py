"""Reports for programs: JSON, workflow commands of GitHub Actions, JUnit XML and SARIF."""

from __future__ import annotations

import hashlib
import json
import os
import time
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO, Any, TextIO
from urllib.parse import quote
from xml.sax.saxutils import escape, quoteattr

from typing_extensions import override

from openlineage_facets.base.display.printable import printable
from openlineage_facets.base.display.short_values import counted
from openlineage_facets.cli.formats.report import Report
from openlineage_facets.cli.results.codes import every_code
from openlineage_facets.cli.results.finding_groups import fingerprint
from openlineage_facets.cli.results.summary import ReportedFinding, Summary
from openlineage_facets.cli.workflow_commands import escape_commands, escape_json_commands
from openlineage_facets.version import __version__


class _JsonItems(Report):
    """Report that contains a JSON array with one finding per line."""

    _separator = "\n  "

    def _write_item(self, item: dict[str, Any]) -> None:
        self._file.write(self._separator + escape_json_commands(json.dumps(item)))
        self._separator = ",\n  "


class JsonReport(_JsonItems):
    """Report as one JSON object with one finding per line.

    It has the form `{"version": 1, "findings": [...], "summary": {...}}`.
    """

    @override
    def begin(self) -> None:
        self._file.write('{"version": 1, "findings": [')

    @override
    def add(self, file: str, reported: ReportedFinding) -> None:
        position = {"file": file, "line": reported.line, "event": reported.event}
        self._write_item({**position, **reported.finding.to_dict(), "about": reported.about})

    @override
    def end(self, summary: Summary) -> None:
        totals = escape_json_commands(json.dumps(summary.as_json()))
        self._file.write(f'\n], "summary": {totals}}}\n')


class GithubReport(Report):
    """Report as workflow commands of GitHub Actions, which annotate the lines of a change.

    It has one `::error`, `::warning` or `::notice` command per finding, and a summary line.
    """

    @override
    def add(self, file: str, reported: ReportedFinding) -> None:
        finding = reported.finding
        properties = {
            "file": file,
            "line": reported.line,
            "title": f"{finding.code} {finding.pointer}".strip(),
        }
        escaped = ",".join(
            f"{key}={_escape_property(value)}" for key, value in properties.items() if value is not None
        )
        level = "notice" if finding.severity == "note" else finding.severity
        self._file.write(f"::{level} {escaped}::{_escape_data(str(finding))}\n")

    @override
    def end(self, summary: Summary) -> None:
        self._file.write(summary.one_line() + "\n")


def _escape_data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(value: object) -> str:
    return _escape_data(printable(str(value))).replace(":", "%3A").replace(",", "%2C")


_MAX_BYTES_IN_MEMORY = 1 << 20


class JunitReport(Report):
    """Report as JUnit XML, with a test suite per file and a failed test per event with errors.

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
            if (last_file, _tested(last)) != (file, _tested(reported)):
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
            test = f"{counted(passed, 'event')} without errors"
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


def _tested(reported: ReportedFinding) -> object:
    """Return what a test is about: an event, or a line without one, such as that of a policy."""
    return reported.event, None if reported.event is not None else reported.line


def _temporary_file() -> IO[str]:
    return SpooledTemporaryFile(_MAX_BYTES_IN_MEMORY, "w+", encoding="utf-8", newline="\n")


def _copy(source: IO[str], file: TextIO) -> None:
    source.seek(0)
    while part := source.read(1 << 16):
        file.write(part)


def _attribute(text: str) -> str:
    return quoteattr(escape_commands(printable(text)))


def _line(file: str, reported: ReportedFinding) -> str:
    finding = f"{reported.finding.severity} {reported.finding.code} {reported.finding}"
    return escape_commands(printable(f"{reported.location(file)}: {finding}"))


_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


class SarifReport(_JsonItems):
    """Report as SARIF 2.1.0 for code scanning services, with one run.

    Its results come first, because the rules they need are known at the end.
    """

    def __init__(self, file: TextIO) -> None:
        super().__init__(file)
        self._rules: dict[str, int] = {}

    @override
    def begin(self) -> None:
        head = f'{{"$schema": "{_SCHEMA}", "version": "2.1.0", "runs": [{{'
        self._file.write(f'{head}"columnKind": "unicodeCodePoints", "results": [')

    @override
    def add(self, file: str, reported: ReportedFinding) -> None:
        finding = reported.finding
        number = self._rules.setdefault(finding.code, len(self._rules))
        identity = "\0".join(fingerprint(file, reported)).encode("utf-8", "backslashreplace")
        self._write_item(
            {
                "ruleId": finding.code,
                "ruleIndex": number,
                "level": finding.severity,
                "message": {"text": printable(str(finding))},
                "locations": [_location(file, reported)],
                "partialFingerprints": {"openlineageFacets/v1": hashlib.sha256(identity).hexdigest()},
            }
        )

    @override
    def end(self, summary: Summary) -> None:
        driver = {
            "name": "openlineage-facets",
            "semanticVersion": __version__,
            "rules": [_rule(code) for code in self._rules],
        }
        counts = {"properties": summary.as_json()}
        tail = f'"tool": {json.dumps({"driver": driver})}, {json.dumps(counts)[1:-1]}'
        self._file.write(f"\n], {escape_json_commands(tail)}}}]}}\n")


def _location(file: str, reported: ReportedFinding) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": {"uri": _uri(file)}}
    if reported.line is not None:
        region: dict[str, Any] = {"startLine": reported.line}
        if reported.snippet:
            region["snippet"] = {"text": reported.snippet}
        physical["region"] = region
    location: dict[str, Any] = {"physicalLocation": physical}
    if reported.finding.pointer:
        location["logicalLocations"] = [{"fullyQualifiedName": reported.finding.pointer, "kind": "member"}]
    return location


def _uri(file: str) -> str:
    path = Path(file)
    if path.is_absolute():
        return path.as_uri()
    return quote(file.encode("utf-8", "surrogateescape"))


def _rule(code: str) -> dict[str, Any]:
    entry = every_code().get(code)
    if entry is None:
        return {"id": code}
    rule: dict[str, Any] = {
        "id": code,
        "shortDescription": {"text": entry.title},
        "fullDescription": {"text": entry.page},
        "defaultConfiguration": {"level": entry.severity},
        "help": {"text": entry.page, "markdown": entry.page},
    }
    if entry.see:
        rule["helpUri"] = entry.see
    return rule
