"""The spool folder, with one file per run that has pending events."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Generator
from functools import partial
from pathlib import Path

from openlineage_facets.emitters.errors import LOG, EventRejected
from openlineage_facets.emitters.event_lines import ordering_key
from openlineage_facets.emitters.file_locks import (
    locked_for_writing,
    make_folders,
    make_private_folder,
    sync_folder,
    write_or_restore,
)
from openlineage_facets.emitters.spool.run_file import LEASE, Record, RunFile

_SUFFIX = ".spool"


class SpoolDirectory:
    """Pending, rejected and damaged events on disk.

    `DIR/NAME.spool` contains the events of one run, in order. `DIR/rejected/NAME.spool` contains events that
    were rejected or failed too often, `DIR/rejected/NAME.answers` the reasons, one per line.
    `DIR/damaged/NAME` contains records that do not match their checksum. All files are accessible only to
    their owner. Files that are not regular files or not spool files are reported and never changed.

    Args:
        path: The folder.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path).absolute()

    @property
    def rejected(self) -> SpoolDirectory:
        """The spool of the rejected events."""
        return SpoolDirectory(self.path / "rejected")

    def append(self, event: bytes) -> str:
        """Store an event and return the name of its run.

        Args:
            event: One line of JSON.

        Raises:
            OSError: The event cannot be written.
        """
        name = ordering_key(event)
        self._append(name, event)
        return name

    def _append(self, name: str, event: bytes) -> None:
        run_file = self.run_file(name)
        try:
            run_file.append(event)
        except FileNotFoundError:
            self._make()
            run_file.append(event)

    def _make(self) -> None:
        missing = [folder for folder in (self.path, *self.path.parents) if not folder.exists()]
        make_folders(self.path)
        for folder in missing:
            sync_folder(folder.parent)

    def run_file(self, name: str) -> RunFile:
        """Return the file of a run."""
        return RunFile(self.path / f"{name}{_SUFFIX}")

    def names(self) -> list[str]:
        """Return the names of runs with pending events, oldest first.

        Raises:
            OSError: The folder cannot be read.
        """
        by_age = []
        try:
            with os.scandir(self.path) as entries:
                for entry in entries:
                    if not entry.name.endswith(_SUFFIX):
                        continue
                    if entry.is_file(follow_symlinks=False):
                        by_age.append((_age(entry), entry.name))
                    else:
                        LOG.warning("%s: expected a regular file, found another type; ignored", entry.path)
        except FileNotFoundError:
            return []
        return [name.removesuffix(_SUFFIX) for _, name in sorted(by_age)]

    def clear_leases(self) -> None:
        """Remove leases of processes that were killed after delivering all events."""
        for path in self.path.glob(f"*{LEASE}"):
            self.run_file(path.stem).clear_lease()

    def count(self) -> int:
        """Return the number of pending events."""
        return sum(self.run_file(name).count() for name in self.names())

    def deliver(
        self, name: str, send: Callable[[bytes], None]
    ) -> Generator[EventRejected | None, None, None]:
        """Deliver the events of one run in order and remove them from the spool.

        Args:
            name: The run.
            send: Delivers one line. It may be called twice with the same line.

        Yields:
            For each event, None if it was delivered, or the rejection if it was moved to `rejected`.

        Raises:
            BlockingIOError: Another process delivers this run.
            EmissionError: An event could not be delivered. It stays in the spool with all later ones.
            OSError: Reading or writing the spool failed.
        """
        yield from self._consume(name, lambda event: _send_json(event, send))

    def _consume(
        self, name: str, take: Callable[[bytes], None]
    ) -> Generator[EventRejected | None, None, None]:
        run_file = self.run_file(name)
        with run_file.lease():
            record = run_file.next()
            while record is not None:
                rejection: EventRejected | None = None
                if record.event is None:
                    rejection = self._store_damaged(name, record)
                else:
                    try:
                        take(record.event)
                    except EventRejected as error:
                        self._reject(name, record.event, error)
                        rejection = error
                following = run_file.next(after=record)
                yield rejection
                record = following

    def _reject(self, name: str, event: bytes, error: EventRejected) -> None:
        answer = json.dumps({"answer": error.answer or str(error)}).encode()
        rejected = self.rejected
        _append_line(rejected.path / f"{name}.answers", answer + b"\n")
        rejected._append(name, event)

    def restore_rejected(self) -> int:
        """Append the rejected events to the pending ones and return their number.

        Raises:
            OSError: Reading or writing the spool failed.
        """
        taken = 0
        rejected = self.rejected
        if rejected.path.exists():
            make_private_folder(rejected.path)
        for name in rejected.names():
            taken += sum(1 for _ in rejected._consume(name, partial(self._append, name)))
            (rejected.path / f"{name}.answers").unlink(missing_ok=True)
        return taken

    def _store_damaged(self, name: str, record: Record) -> EventRejected:
        damaged = self.path / "damaged" / name
        _append_line(damaged, record.raw + b"\n")
        message = (
            f"{self.run_file(name).path}: a record at byte {record.start} is damaged; moved to {damaged}"
        )
        return EventRejected(message, kind="damaged")


def _send_json(event: bytes, send: Callable[[bytes], None]) -> None:
    """Send an event if it is valid JSON; another program may have spooled invalid JSON."""
    try:
        json.loads(event)
    except (ValueError, RecursionError) as error:
        raise EventRejected(f"not valid JSON: {error}", kind="not valid JSON") from None
    send(event)


def _append_line(path: Path, line: bytes) -> None:
    make_private_folder(path.parent)
    with locked_for_writing(path) as descriptor:
        os.lseek(descriptor, 0, os.SEEK_END)
        write_or_restore(descriptor, line, sync=True)
    sync_folder(path.parent)


def _age(entry: os.DirEntry[str]) -> float:
    try:
        return entry.stat().st_mtime
    except FileNotFoundError:
        return 0.0
