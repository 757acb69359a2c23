"""`openlineage-facets replay`: deliver what a spool holds."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from openlineage_facets.cli.failure import CommandError

if TYPE_CHECKING:
    from openlineage_facets.emitters.sending import SendingEmitter

__all__ = ["deliver_spool", "replay"]


def replay(
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a SpoolEmitter.")],
    to: Annotated[
        str | None,
        typer.Option(metavar="URL|FILE", help="Where to; without it, what the environment says."),
    ] = None,
    rejected: Annotated[
        bool, typer.Option("--rejected", help="Deliver the events that were rejected before, too.")
    ] = False,
    count: Annotated[
        bool, typer.Option("--count", help="Tell how many events wait, and deliver none.")
    ] = False,
) -> None:
    """Deliver the events that wait in a spool, in order within each run.

    A file gets a line for each. A URL gets a POST each, with OPENLINEAGE_ENDPOINT and OPENLINEAGE_API_KEY.
    Exits with 0 where nothing is left, with 1 where events wait still or were rejected, and with 2 where it
    could not run.
    """
    if not deliver_spool(directory, to, rejected=rejected, count=count):
        raise typer.Exit(1)


def deliver_spool(
    directory: Path, to: str | None = None, *, rejected: bool = False, count: bool = False
) -> bool:
    """Deliver the events of a spool, print what became of them, and tell whether none is left.

    Args:
        directory: The spool.
        to: A URL or a file; None for what the environment says.
        rejected: Whether to deliver rejected events, too.
        count: Whether to count the events, and leave them.

    Raises:
        CommandError: The folder is not there or can't be read, or it is not said where to deliver.
    """
    from openlineage_facets.emitters.spool.directory import SpoolDirectory
    from openlineage_facets.emitters.spool.replaying import replay as replay_spool

    if not directory.is_dir():
        raise CommandError(f"{directory}: expected the folder of a spool, found {_what_is_at(directory)}")
    try:
        if count:
            spool = SpoolDirectory(directory)
            waiting, refused = spool.count(), spool.rejected.count()
            print(f"{waiting} waiting, {refused} rejected")
            return not waiting and not refused
        with _receiver(to) as receiver:
            done = replay_spool(directory, receiver, rejected=rejected)
    except OSError as error:
        raise CommandError(f"{error.filename or directory}: {error.strerror or error}") from None
    for said in done.rejected:
        print(f"rejected: {said}")
    print(f"{done.delivered} delivered, {len(done.rejected)} rejected, {done.left} waiting")
    if done.in_use:
        print(f"{done.in_use} runs are in use: another process delivers them")
    for said in done.unusable:
        print(f"cannot be used: {said}")
    if done.failure:
        print(f"stopped: {done.failure}")
    return not (done.left or done.rejected or done.unusable)


def _what_is_at(path: Path) -> str:
    return "a file" if path.exists() else "nothing of that name"


def _receiver(to: str | None) -> SendingEmitter:
    from openlineage_facets.emitters.environment import receiver_from_environment
    from openlineage_facets.emitters.file import FileEmitter
    from openlineage_facets.emitters.http import HttpEmitter

    if to is None:
        receiver = receiver_from_environment()
        if receiver is None:
            raise CommandError("say where to deliver: --to URL or --to FILE, or set OPENLINEAGE_URL")
        return receiver
    try:
        if to.startswith(("http:", "https:")):
            return HttpEmitter(
                to,
                endpoint=os.environ.get("OPENLINEAGE_ENDPOINT") or "api/v1/lineage",
                api_key=os.environ.get("OPENLINEAGE_API_KEY"),
                timeout=30,
            )
        return FileEmitter(to, fsync="://" not in to)
    except Exception as error:  # Of a file system of fsspec's, whatever it raises where it is not reached.
        raise CommandError(f"--to {to}: {error}") from None
