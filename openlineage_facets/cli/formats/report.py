"""What every form of report is told."""

from __future__ import annotations

from typing import TextIO

from openlineage_facets.cli.results import Judged
from openlineage_facets.cli.summary import Summary

__all__ = ["Report"]


class Report:
    """Writes what a check finds, as it finds it.

    Told in this order: `begin`; for each file its findings and `end_file`; the findings that only the
    end of all files gives; `end`.

    Args:
        file: What to write to.
    """

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def begin(self) -> None:
        """Write what stands before everything."""

    def add(self, file: str, judged: Judged) -> None:
        """Write a finding.

        Args:
            file: The file it is in, as the user named it.
            judged: The finding.
        """
        raise NotImplementedError

    def end_file(self, file: str, events: int) -> None:
        """Write what stands behind a file's findings.

        Args:
            file: The file.
            events: How many events it holds.
        """

    def end(self, summary: Summary) -> None:
        """Write what stands behind everything."""
