"""`openlineage-facets replay`: deliver spooled events."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from openlineage_facets.base.display.printable import printable
from openlineage_facets.cli.command_error import CommandError
from openlineage_facets.cli.workflow_commands import escape_commands

if TYPE_CHECKING:
    from openlineage_facets.emitters.base_emitter import BaseEmitter


def replay(
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="Folder of a SpoolEmitter.")],
    to: Annotated[
        str | None,
        typer.Option(
            metavar="URL|FILE", help="Destination. Default: the environment, such as OPENLINEAGE_URL."
        ),
    ] = None,
    rejected: Annotated[
        bool, typer.Option("--rejected", help="Also deliver events that were rejected before.")
    ] = False,
    count: Annotated[bool, typer.Option("--count", help="Print the number of events and exit.")] = False,
) -> None:
    """Deliver the events in a spool.

    Events are appended to a file as lines, or sent to a URL with POST, using OPENLINEAGE_ENDPOINT and
    OPENLINEAGE_API_KEY. The order within each run is preserved. Exits with 0 if the spool is empty, with 1 if
    events are waiting or were rejected, and with 2 if the command could not run.
    """
    from openlineage_facets.emitters.file import standard_stream_of
    from openlineage_facets.emitters.spool.directory import SpoolDirectory
    from openlineage_facets.emitters.spool.replay import replay as replay_spool

    if not directory.is_dir():
        found = "a file" if directory.exists() else "nothing"
        raise CommandError(f"{directory}: expected the folder of a spool, found {found}")
    if count and (to is not None or rejected):
        raise CommandError("--count: expected neither --to nor --rejected, which deliver events")
    try:
        if count:
            spool = SpoolDirectory(directory)
            waiting, refused = spool.count(), spool.rejected.count()
            print(f"{waiting} waiting, {refused} rejected")
            raise typer.Exit(1 if waiting or refused else 0)
        with _destination(to) as destination:
            result = replay_spool(directory, destination, rejected=rejected)
    except OSError as error:
        raise CommandError(f"{error.filename or directory}: {error.strerror or error}") from None
    messages = [
        *(f"rejected: {reason}" for reason in result.rejected),
        f"{result.delivered} delivered, {len(result.rejected)} rejected, {result.left} waiting",
        *([f"{result.in_use} runs skipped: another process is delivering them"] if result.in_use else []),
        *(f"unusable: {reason}" for reason in result.unusable),
        *([f"stopped: {result.failure}"] if result.failure else []),
    ]
    is_output = to is not None and standard_stream_of(Path(to)) == 1
    for message in messages:  # Events in the output stay lines of JSON.
        print(escape_commands(printable(message)), file=sys.stderr if is_output else sys.stdout)
    if result.left or result.rejected or result.unusable:
        raise typer.Exit(1)


def _destination(to: str | None) -> BaseEmitter:
    from openlineage_facets.emitters.environment import receiver_from_environment
    from openlineage_facets.emitters.protocol import emitter_to

    if to is None:
        destination = receiver_from_environment()
        if destination is None:
            raise CommandError("missing destination; pass --to URL or --to FILE, or set OPENLINEAGE_URL")
        return destination
    if to == "-":
        raise CommandError("--to: expected a URL or a file, found -; pass /dev/stdout")
    try:
        return emitter_to(to, timeout=15, fsync=True)
    except (ImportError, ValueError) as error:
        raise CommandError(f"--to: {error}") from None
