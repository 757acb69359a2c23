"""The folder of a spool: a file for each run with events that wait."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

from openlineage_facets.emitters.errors import EventRejected
from openlineage_facets.emitters.locking import locked, sync_folder, write_whole
from openlineage_facets.emitters.spool.records import Record
from openlineage_facets.emitters.spool.stream import LEASE, Stream
from openlineage_facets.emitters.wire import stream_of

__all__ = ["SpoolDirectory"]

_SUFFIX = ".spool"


class SpoolDirectory:
    """Events on their way, kept until they are delivered.

    `DIR/NAME.spool` holds the events of one run, in order. `DIR/rejected/NAME.spool` holds events that
    their receiver will never take, `DIR/rejected/NAME.answers` what it said, a line for each.
    `DIR/damaged/NAME` holds what the disk has spoiled.

    Args:
        path: The folder.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path).absolute()

    @property
    def rejected(self) -> SpoolDirectory:
        """The events that were rejected, a spool like this one."""
        return SpoolDirectory(self.path / "rejected")

    def append(self, event: bytes) -> str:
        """Write an event to the disk, and return the name of its run's file.

        Args:
            event: One line of JSON.

        Raises:
            OSError: The disk will not have it.
        """
        name = stream_of(event)
        stream = self.stream(name)
        try:
            stream.append(event)
        except FileNotFoundError:
            self._make()
            stream.append(event)
        return name

    def _make(self) -> None:
        missing = [folder for folder in (self.path, *self.path.parents) if not folder.exists()]
        self.path.mkdir(parents=True, exist_ok=True)
        for folder in missing:
            sync_folder(folder.parent)

    def stream(self, name: str) -> Stream:
        """Return the events of one run."""
        return Stream(self.path / f"{name}{_SUFFIX}")

    def names(self) -> list[str]:
        """Return the runs of which events wait, the oldest first.

        Raises:
            OSError: The folder can't be read.
        """
        try:
            with os.scandir(self.path) as entries:
                found = [
                    (_age(entry), entry.name)
                    for entry in entries
                    if entry.name.endswith(_SUFFIX) and entry.is_file()
                ]
        except FileNotFoundError:
            return []
        return [name.removesuffix(_SUFFIX) for _, name in sorted(found)]

    def clear_leases(self) -> None:
        """Remove what processes have left that were killed when they had delivered everything."""
        for path in self.path.glob(f"*{LEASE}"):
            self.stream(path.stem).clear_lease()

    def count(self) -> int:
        """Return how many events wait."""
        return sum(self.stream(name).count() for name in self.names())

    def deliver(self, name: str, send: Callable[[bytes], None]) -> Iterator[EventRejected | None]:
        """Deliver the events of one run in order, and forget them.

        Args:
            name: The run.
            send: What delivers one line; it may be called twice with the same one.

        Yields:
            For each event, None where it was delivered, or how it was rejected; it is among `rejected` then.

        Raises:
            BlockingIOError: Another process delivers them.
            EmissionError: An event could not be delivered; it waits, and those behind it.
            OSError: The disk has failed.
        """
        stream = self.stream(name)
        with stream.lease():
            record = stream.next()
            while record is not None:
                rejection: EventRejected | None = None
                if record.event is None:
                    rejection = self._set_damaged_aside(name, record)
                else:
                    try:
                        send(record.event)
                    except EventRejected as error:
                        self._reject(name, record.event, error)
                        rejection = error
                following = stream.next(after=record)
                yield rejection
                record = following

    def _reject(self, name: str, event: bytes, error: EventRejected) -> None:
        answer = json.dumps({"answer": error.answer or str(error)}).encode()
        _append(self.rejected.path / f"{name}.answers", answer + b"\n")
        self.rejected.append(event)

    def take_back_rejected(self) -> int:
        """Put the rejected events at the end of those that wait, and return how many.

        Raises:
            OSError: The disk has failed.
        """
        taken = 0
        rejected = self.rejected
        for name in rejected.names():
            taken += sum(1 for _ in rejected.deliver(name, self._take_back))
            (rejected.path / f"{name}.answers").unlink(missing_ok=True)
        return taken

    def _take_back(self, event: bytes) -> None:
        self.append(event)

    def _set_damaged_aside(self, name: str, record: Record) -> EventRejected:
        place = self.path / "damaged" / name
        _append(place, record.raw + b"\n")
        message = (
            f"{self.stream(name).path}: a record at byte {record.start} is damaged; it is kept in {place}"
        )
        return EventRejected(message, kind="damaged")


def _append(path: Path, line: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with locked(path) as descriptor:
        os.lseek(descriptor, 0, os.SEEK_END)
        write_whole(descriptor, line, sync=True)
    sync_folder(path.parent)


def _age(entry: os.DirEntry[str]) -> float:
    try:
        return entry.stat().st_mtime
    except FileNotFoundError:
        return 0.0
