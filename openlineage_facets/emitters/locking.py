"""Files that several processes write: locked meanwhile, and found again when another moved them."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

__all__ = ["locked", "sync_folder", "write_whole"]

_NO_LOCKS = {errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL}
"""What file systems without locks answer."""

_BUSY = {errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES, errno.EDEADLK}

try:
    import fcntl
except ImportError:  # pragma: no cover - there is none on Windows
    import msvcrt

    def _lock(descriptor: int, wait: bool) -> None:
        # Windows locks bytes: one far behind the end stands for the file.
        at = os.lseek(descriptor, 0, os.SEEK_CUR)
        os.lseek(descriptor, 1 << 40, os.SEEK_SET)
        try:
            while True:
                try:
                    msvcrt.locking(descriptor, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
                    return
                except OSError as error:
                    if not wait or error.errno not in _BUSY:
                        raise
        finally:
            os.lseek(descriptor, at, os.SEEK_SET)

    def _unlock(descriptor: int) -> None:
        os.lseek(descriptor, 1 << 40, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)  # type: ignore[attr-defined,unused-ignore]
else:

    def _lock(descriptor: int, wait: bool) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))

    def _unlock(descriptor: int) -> None:
        # Closing does not unlock where a forked process holds the file open, too.
        fcntl.flock(descriptor, fcntl.LOCK_UN)


_HELD: set[int] = set()
"""Descriptors under lock."""


def _forget_held() -> None:
    """Close, in a forked process, the locked files of its parent: else they stay locked when that dies."""
    for descriptor in _HELD:
        os.close(descriptor)
    _HELD.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_held)


@contextmanager
def locked(path: Path, *, append: bool = False, create: bool = True, wait: bool = True) -> Iterator[int]:
    """Open the file that stands at `path`, and keep other processes from it meanwhile.

    A process that ends, however it does, holds no lock any more.

    Args:
        path: The file.
        append: Whether whatever is written goes to the end, where a file system can't lock, too.
        create: Whether to make a file where there is none.
        wait: Whether to wait for a process that holds the lock.

    Yields:
        The descriptor, open for reading and writing.

    Raises:
        BlockingIOError: Another process holds the lock, and `wait` is false.
        OSError: The file can't be opened.
    """
    flags = os.O_RDWR | (os.O_CREAT if create else 0) | (os.O_APPEND if append else 0)
    flags |= getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
    while True:
        descriptor = os.open(path, flags, 0o644)
        _HELD.add(descriptor)
        try:
            has_lock = _try_lock(descriptor, wait, needed=not append)
            # While this one waited, another may have moved the file away or removed it.
            if not has_lock or _stands_at(descriptor, path):
                try:
                    yield descriptor
                finally:
                    if has_lock:
                        _unlock(descriptor)
                return
        finally:
            if descriptor in _HELD:
                _HELD.discard(descriptor)
                os.close(descriptor)


def _try_lock(descriptor: int, wait: bool, needed: bool) -> bool:
    try:
        _lock(descriptor, wait)
    except OSError as error:
        if not wait and error.errno in _BUSY:
            raise BlockingIOError(error.errno, "another process holds the lock") from None
        if needed or error.errno not in _NO_LOCKS:
            raise
        return False
    return True


def _stands_at(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(path))
    except FileNotFoundError:
        return False


def write_whole(descriptor: int, data: bytes, sync: bool) -> None:
    """Write all of `data` where the file stands open, or leave the file as it was.

    Args:
        descriptor: A locked file, positioned at its end.
        data: What to write.
        sync: Whether to wait until the disk holds it.

    Raises:
        OSError: It could not be written, such as for want of space.
    """
    end = os.fstat(descriptor).st_size
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(descriptor, rest) :]
        if sync:
            os.fsync(descriptor)
    except BaseException:
        with suppress(OSError):  # A device has no end to go back to.
            os.ftruncate(descriptor, end)
        raise


def sync_folder(folder: Path) -> None:
    """Wait until the disk knows which files are in `folder`, where the system can tell."""
    if os.name == "nt":  # pragma: no cover - Windows opens no folders
        return
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except PermissionError:
        return  # One may add files to a folder that one may not read.
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in _NO_LOCKS:
            raise
    finally:
        os.close(descriptor)
