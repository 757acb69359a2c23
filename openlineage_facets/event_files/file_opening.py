"""Open files for reading, without blocking on FIFOs that have no writer, and name the types of files."""

from __future__ import annotations

import os
import select
import stat
from pathlib import Path
from typing import IO

_NAMES = {
    stat.S_IFLNK: "a symbolic link",
    stat.S_IFIFO: "a FIFO",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFDIR: "a folder",
}


def file_type(mode: int) -> str:
    """Return the name of the file type in a mode, such as "a FIFO", or "" for a regular file.

    Args:
        mode: `st_mode` of the file.
    """
    return _NAMES.get(stat.S_IFMT(mode), "")


FIFO_TIMEOUT = 5.0
"""Seconds to wait for the writer of a FIFO."""


class UnsupportedFile(OSError):
    """The path is a FIFO without a writer, a socket or a device.

    Args:
        found: Type of the file.
        hint: How to fix the problem.
    """

    def __init__(self, found: str, hint: str) -> None:
        self.found = found
        self.hint = hint
        super().__init__(f"expected a readable file, found {found}; {hint}")


def open_source(path: Path) -> IO[bytes]:
    """Open a file for reading. FIFOs with a writer, such as `<(zcat events.gz)`, and terminals are supported.

    Args:
        path: The file.

    Raises:
        OSError: The file cannot be opened.
        UnsupportedFile: The file is a socket, a device, or a FIFO that has no writer within five seconds.
    """
    kind = file_type(os.stat(path).st_mode)
    if kind == "a socket":
        raise UnsupportedFile(kind, "pass an event file")
    # Without O_NONBLOCK, opening a FIFO waits for a writer.
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        mode = os.fstat(handle).st_mode
        if stat.S_ISFIFO(mode) and not _has_writer(handle):
            raise UnsupportedFile("a FIFO without a writer", "start its writer first, or exclude it")
        if stat.S_ISBLK(mode) or (stat.S_ISCHR(mode) and not _is_harmless(handle)):
            raise UnsupportedFile("a device", "pass an event file, or - for standard input")
        if not stat.S_ISREG(mode):
            os.set_blocking(handle, True)
        return open(handle, "rb")
    except BaseException:
        os.close(handle)
        raise


def _has_writer(fifo: int) -> bool:
    """Return whether a FIFO has or had a writer within `FIFO_TIMEOUT`."""
    poller = select.poll()
    poller.register(fifo, select.POLLIN)
    if poller.poll(FIFO_TIMEOUT * 1000):
        return True
    try:
        return os.read(fifo, 1) != b""  # End of file: there is no writer.
    except BlockingIOError:
        return True  # There is a writer that has not written yet.


def _is_harmless(device: int) -> bool:
    """Return whether a device is a terminal or the null device."""
    return os.isatty(device) or os.path.samestat(os.fstat(device), os.stat(os.devnull))
