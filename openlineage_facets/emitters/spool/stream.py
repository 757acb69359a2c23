"""The spool file of one run: events go in at the end, and are taken off in the same order."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from openlineage_facets.emitters.locking import locked, sync_folder, write_whole
from openlineage_facets.emitters.spool.records import DELIVERED, Record, encoded, read_record

__all__ = ["LEASE", "Stream"]

LEASE = ".lease"
"""What the name of a file ends with whose lock is held by the one who delivers."""


class Stream:
    """The events of one run, or of one job or dataset, that wait in a file.

    Every method takes the file's lock for a moment, so that processes may use one file at the same time. A
    file that ends within a record is one whose writer died before it was done: nobody was told that this
    event is safe, and it is cut off.

    Args:
        path: The file; it is there as long as any event waits.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def append(self, event: bytes) -> None:
        """Write an event to the disk, wholly or not at all.

        Args:
            event: One line of JSON.

        Raises:
            OSError: The disk will not have it.
        """
        with locked(self.path) as descriptor:
            end = _cut_torn_end(descriptor)
            os.lseek(descriptor, end, os.SEEK_SET)
            write_whole(descriptor, encoded(event), sync=True)
            if not end:
                sync_folder(self.path.parent)

    @contextmanager
    def lease(self) -> Iterator[None]:
        """Be the only one who delivers these events.

        Raises:
            BlockingIOError: Another process is.
        """
        path = self.path.with_suffix(LEASE)
        with locked(path, wait=False):
            try:
                yield
            finally:
                path.unlink(missing_ok=True)

    def clear_lease(self) -> None:
        """Remove the lease of a process that was killed when it had delivered everything."""
        if not self.path.exists():
            with suppress(OSError), self.lease():
                pass

    def next(self, after: Record | None = None) -> Record | None:
        """Return the first event that waits; where none does, remove the file.

        Args:
            after: The event that was returned before. It is delivered, and marked so.
        """
        try:
            with locked(self.path, create=False) as descriptor, _reading(descriptor) as file:
                if after is not None:
                    os.lseek(descriptor, after.start, os.SEEK_SET)
                    os.write(descriptor, DELIVERED)
                for record in _records(file, after.start + after.size if after else 0):
                    if record.waits:
                        return record
                self._remove(descriptor)
        except FileNotFoundError:
            pass
        return None

    def count(self) -> int:
        """Return how many events wait."""
        try:
            with locked(self.path, create=False) as descriptor, _reading(descriptor) as file:
                return sum(record.waits for record in _records(file, 0))
        except FileNotFoundError:
            return 0

    def _remove(self, descriptor: int) -> None:
        try:
            self.path.unlink()
        except PermissionError:  # Windows removes no file that is open.
            os.ftruncate(descriptor, 0)


@contextmanager
def _reading(descriptor: int) -> Iterator[BinaryIO]:
    with open(descriptor, "rb", closefd=False) as file:
        yield file


def _records(file: BinaryIO, start: int) -> Iterator[Record]:
    file.seek(start)
    for raw in file:
        if not raw.endswith(b"\n"):
            return
        yield read_record(raw, start)
        start += len(raw)


def _cut_torn_end(descriptor: int) -> int:
    """Cut off what stands behind the last whole line, and return where that ends."""
    end = size = os.lseek(descriptor, 0, os.SEEK_END)
    while end:
        start = max(0, end - 65536)
        os.lseek(descriptor, start, os.SEEK_SET)
        found = os.read(descriptor, end - start).rfind(b"\n")
        if found >= 0:
            end = start + found + 1
            break
        end = start
    if end < size:
        os.ftruncate(descriptor, end)
    return end
