"""Open files for reading, without blocking on FIFOs, and decompress them up to the first damaged byte."""

from __future__ import annotations

import os
import select
import stat
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Protocol

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


_GZIP = b"\x1f\x8b"
_ZSTD = (b"\x28\xb5\x2f\xfd", *(bytes([first]) + b"\x2a\x4d\x18" for first in range(0x50, 0x60)))
"""What frames of Zstandard begin with; the last 16 begin frames without text, which readers skip."""

FIRST_BYTES = 4
"""Bytes at the beginning of a file that identify its compression."""

_PIECE = 1 << 20
_GZIP_PIECE, _ZSTD_PIECE = 1 << 14, 1 << 9
"""Compressed bytes per step, so that the text of a step has at most 16 MiB.

A byte of gzip expands to at most 1,032 bytes, a block of Zstandard (four bytes) to at most 128 KiB.
"""


class DamagedFile(Exception):
    """The compressed data is truncated or invalid.

    Args:
        found: Description of the damage, as used after "found" in a finding.
    """


class _Decompressor(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, /) -> bytes: ...


def is_compressed(head: bytes) -> bool:
    """Return whether a file that starts with `head` is compressed."""
    return head.startswith((_GZIP, *_ZSTD))


def decompressed(file: IO[bytes], head: bytes) -> Iterator[bytes]:
    """Yield the text of a file in pieces, decompressed if its first bytes identify a known format.

    Args:
        file: The file, positioned after `head`.
        head: Bytes that have already been read from it.

    Raises:
        DamagedFile: The data is damaged. Raised after the text before the damage has been yielded.
        ModuleNotFoundError: The package to decompress the file is not installed.
    """
    if head.startswith(_GZIP):
        pieces = _pieces(file, head, _GZIP_PIECE)
        return _frames(pieces, "gzip", lambda: zlib.decompressobj(wbits=31), zlib.error)
    if head.startswith(_ZSTD):
        try:
            import zstandard
        except ModuleNotFoundError as error:
            needed = "reading .zst needs zstandard: pip install zstandard"
            raise ModuleNotFoundError(needed, name=error.name) from None
        decompressor = zstandard.ZstdDecompressor()
        pieces = _pieces(file, head, _ZSTD_PIECE)
        return _frames(pieces, "Zstandard", decompressor.decompressobj, zstandard.ZstdError)
    return _pieces(file, head, _PIECE)


def _pieces(file: IO[bytes], head: bytes, size: int) -> Iterator[bytes]:
    """Yield `head` and then the rest of the file in pieces of at most `size` bytes."""
    yield from (head[start : start + size] for start in range(0, len(head), size))
    while head and (piece := file.read(size)):
        yield piece


def _frames(
    pieces: Iterator[bytes], name: str, new: Callable[[], _Decompressor], error: type[Exception]
) -> Iterator[bytes]:
    """Yield the text of concatenated frames, such as the output of `cat a.gz b.gz`.

    Pieces have at least `_PIECE` bytes (except the last one) and at most 16 MiB more.
    """
    data, current = next(pieces, b""), new()
    parts: list[bytes] = []
    length = 0
    damage = None
    while data:
        try:
            text = current.decompress(data)
        except error as reason:
            damage = DamagedFile(f"damaged {name} data ({reason})")
            break
        parts.append(text)
        length += len(text)
        if length >= _PIECE:
            yield b"".join(parts)
            parts, length = [], 0
        if current.eof:
            data = current.unused_data.lstrip(b"\0")
            while not data and (piece := next(pieces, b"")):
                data = piece.lstrip(b"\0")  # Frames may be followed by padding.
            current = new() if data else current
        else:
            data = next(pieces, b"")
    if length:
        yield b"".join(parts)
    if damage is None and not current.eof:
        damage = DamagedFile(f"the end of the file inside {name} data")
    if damage is not None:
        raise damage
