"""Base class of reports."""

from __future__ import annotations

from typing import TextIO

from openlineage_facets.cli.results.chunk_results import ReportedFinding
from openlineage_facets.cli.results.summary import Summary


class Report:
    """Writer of findings.

    Methods are called in this order: `begin`, then for each file `add` per finding and `end_file`, then
    `add` for findings that are only known after all files, then `end`.

    Args:
        file: File to write to.
    """

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def begin(self) -> None:
        """Write the beginning of the report."""

    def add(self, file: str, reported: ReportedFinding) -> None:
        """Write a finding.

        Args:
            file: Path of the file as passed by the user.
            reported: The finding.
        """
        raise NotImplementedError

    def flush(self) -> None:
        """Show the findings written so far, also to the reader of a pipe."""
        self._file.flush()

    def end_file(self, file: str, events: int) -> None:
        """Complete the findings of a file.

        Args:
            file: Path of the file.
            events: Number of events in it.
        """

    def end(self, summary: Summary) -> None:
        """Write the end of the report."""
