"""Event files that a command reads."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from openlineage_facets.base.display.printable import printable
from openlineage_facets.cli.command_error import CommandError
from openlineage_facets.event_files.sources import Source, sources_of


def command_sources(paths: Iterable[str]) -> list[Source]:
    """Return the files to read, as `sources_of` does. Print a message about each file that is skipped.

    Args:
        paths: Files, folders, patterns, or "-" for standard input.

    Raises:
        CommandError: A path does not exist, or a folder or pattern contains no event files.
    """
    try:
        return sources_of(paths, _report_skipped)
    except FileNotFoundError as error:
        raise CommandError(str(error)) from None


def _report_skipped(path: str, kind: str) -> None:
    print(f"openlineage-facets: {printable(path)}: skipped: {kind}, not a file", file=sys.stderr)
