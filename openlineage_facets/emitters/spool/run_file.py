"""The spool file of one run, a queue of events.

Each line is a record: a mark, a checksum and an event.

    + 5a3c01ff {"eventTime": ...}

The mark is `+` for a pending event and `-` for a delivered one, and is overwritten in place. The checksum is
the CRC-32 of the JSON, in hexadecimal.

Why not a queue in SQLite: a trial stored 50 to 100 events per second with its rollback journal, where these
files store 200 to 450, and its faster WAL needs shared memory, which network file systems lack. It needs
lease files as well, it writes into the hard links of a backup, and 512 damaged bytes can make the events of
all runs unreadable, where they cost one or two lines of these files. It saved 90 lines, before these were
handled.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, NamedTuple
from zlib import crc32

from openlineage_facets.emitters.file_locks import (
    locked,
    locked_for_writing,
    sync_folder,
    write_or_restore,
)

DELIVERED = b"-"

_RECORD = re.compile(rb"([+-]) ([0-9a-f]{8}) (\{.*\})", re.DOTALL)


_HEAD = (b"+-", b" ", *[b"0123456789abcdef"] * 8, b" ", b"{")
"""The allowed values of each of a record's first bytes."""


class Record(NamedTuple):
    """One line of a spool file.

    Attributes:
        start: Byte offset in the file.
        is_pending: Whether the event is not yet delivered.
        event: The line of JSON, None if the record is damaged.
        raw: The record without its line break.
    """

    start: int
    is_pending: bool
    event: bytes | None
    raw: bytes


def encoded(event: bytes) -> bytes:
    """Return the record of a pending event."""
    return b"+ %08x %s\n" % (crc32(event), event)


def read_record(raw: bytes, start: int) -> Record:
    """Return the record of a complete line at offset `start`."""
    text = raw.removesuffix(b"\n")
    record = _RECORD.fullmatch(text)
    event = record[3] if record and int(record[2], 16) == crc32(record[3]) else None
    return Record(start, text[:1] != DELIVERED, event, text)


LEASE = ".lease"
"""Suffix of the file that the delivering process locks."""


_SEARCHED = 2**20
"""Bytes to search for an intact record if the first record is damaged."""


class RunFile:
    """The pending events of one run, or of one job or dataset.

    Every method locks the file briefly, so several processes may use it at the same time. An incomplete last
    record was being written when its process died, before `emit` returned; it is removed. A file without
    records belongs to another program and is never changed.

    Args:
        path: The file. It exists as long as events are pending.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def append(self, event: bytes) -> None:
        """Append an event to the file and flush it to the disk, completely or not at all.

        Args:
            event: One line of JSON.

        Raises:
            OSError: The event cannot be written.
        """
        with self._opened() as descriptor:
            end = _cut_torn_end(descriptor)
            os.lseek(descriptor, end, os.SEEK_SET)
            write_or_restore(descriptor, encoded(event), sync=True)
            if not end:
                sync_folder(self.path.parent)

    def _opened(self, *, create: bool = True) -> AbstractContextManager[int]:
        return locked_for_writing(self.path, create=create, check=self._assert_records)

    def _assert_records(self, descriptor: int) -> None:
        if not _holds_records(descriptor):
            raise _foreign_file(self.path, "expected a spool file, found another file format")

    @contextmanager
    def lease(self) -> Iterator[None]:
        """Acquire the exclusive right to deliver these events.

        Raises:
            BlockingIOError: Another process has it.
        """
        path = self.path.with_suffix(LEASE)
        with locked(path, wait=False, private=True) as descriptor:
            if os.fstat(descriptor).st_size:
                raise _foreign_file(path, "expected an empty lease file, found content")
            try:
                yield
            finally:
                path.unlink(missing_ok=True)

    def clear_lease(self) -> None:
        """Remove the lease of a process that was killed after delivering all events."""
        if not self.path.exists():
            with suppress(OSError), self.lease():
                pass

    def next(self, after: Record | None = None) -> Record | None:
        """Return the first pending event. Remove the file if there is none.

        Args:
            after: The previously returned event, which is marked as delivered.
        """
        try:
            with self._opened(create=False) as descriptor, open(descriptor, "rb", closefd=False) as file:
                if after is not None:
                    os.lseek(descriptor, after.start, os.SEEK_SET)
                    os.write(descriptor, DELIVERED)
                for record in _records(file, after.start + len(after.raw) + 1 if after else 0):
                    if record.is_pending:
                        return record
                self._remove(descriptor)
        except FileNotFoundError:
            pass
        return None

    def count(self) -> int:
        """Return the number of pending events."""
        try:
            with self._opened(create=False) as descriptor, open(descriptor, "rb", closefd=False) as file:
                return sum(record.is_pending for record in _records(file, 0))
        except FileNotFoundError:
            return 0

    def _remove(self, descriptor: int) -> None:
        try:
            self.path.unlink()
        except PermissionError:  # Windows cannot remove an open file.
            os.ftruncate(descriptor, 0)


def _holds_records(descriptor: int) -> bool:
    os.lseek(descriptor, 0, os.SEEK_SET)
    head = os.read(descriptor, len(_HEAD))
    if all(byte in allowed for byte, allowed in zip(head, _HEAD, strict=False)):
        return True  # Also a record that is truncated.
    os.lseek(descriptor, 0, os.SEEK_SET)
    lines = os.read(descriptor, _SEARCHED).splitlines(keepends=True)
    return any(read_record(line, 0).event is not None for line in lines)


def _foreign_file(path: Path, message: str) -> OSError:
    return OSError(errno.EINVAL, f"{message}; move it elsewhere", str(path))


def _records(file: BinaryIO, start: int) -> Iterator[Record]:
    file.seek(start)
    for raw in file:
        if not raw.endswith(b"\n"):
            return
        yield read_record(raw, start)
        start += len(raw)


def _cut_torn_end(descriptor: int) -> int:
    """Truncate the file after its last complete line and return its size."""
    end = size = os.lseek(descriptor, 0, os.SEEK_END)
    while end:
        start = max(0, end - 65536)
        os.lseek(descriptor, start, os.SEEK_SET)
        line_end = os.read(descriptor, end - start).rfind(b"\n")
        if line_end >= 0:
            end = start + line_end + 1
            break
        end = start
    if end < size:
        os.ftruncate(descriptor, end)
    return end
