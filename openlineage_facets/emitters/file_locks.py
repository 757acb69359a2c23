"""Lock, create and write files that several processes share.

Events may contain SQL and personal names, so new files and folders are accessible only to their owner.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from openlineage_facets.event_files.file_opening import file_type

FILE_MODE, _FOLDER_MODE = 0o600, 0o700
"""Permissions of new files and folders; existing ones keep theirs."""

_NO_LOCKS = {errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL}
"""Errors of file systems without locks."""

_BUSY = {errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES, errno.EDEADLK}

try:
    import fcntl
except ImportError:  # pragma: no cover - Windows
    import msvcrt

    def _lock(descriptor: int, wait: bool) -> None:
        # Windows locks byte ranges: use a byte far beyond the end of the file.
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
        # Closing does not unlock a file that a forked process has open, too.
        fcntl.flock(descriptor, fcntl.LOCK_UN)


_HELD: set[int] = set()
"""Locked descriptors."""


def _forget_held() -> None:
    """Close the parent's locked files in a forked process: it would keep them locked if the parent dies."""
    for descriptor in _HELD:
        os.close(descriptor)
    _HELD.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_held)


@contextmanager
def locked(
    path: Path, *, append: bool = False, create: bool = True, wait: bool = True, private: bool = False
) -> Iterator[int]:
    """Open a file with an exclusive lock. The lock is released when the process ends.

    Args:
        path: The file.
        append: Whether to write at the end, also on file systems without locks.
        create: Whether to create a missing file.
        wait: Whether to wait for a process that holds the lock.
        private: Whether to require a regular file, and not to follow symbolic links. Otherwise, anyone with
            write access to the folder could redirect writes to another file of the user or block the process
            with a pipe. To write, use `locked_for_writing`.

    Yields:
        The descriptor, open for reading and writing.

    Raises:
        BlockingIOError: Another process holds the lock and `wait` is false.
        OSError: The file cannot be opened or is not of the expected type.
    """
    flags = os.O_RDWR | (os.O_CREAT if create else 0) | (os.O_APPEND if append else 0)
    flags |= getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
    while True:
        descriptor = _open_private(path, flags) if private else os.open(path, flags, FILE_MODE)
        _HELD.add(descriptor)
        try:
            if private:
                _assert_kind(path, os.fstat(descriptor).st_mode)
            has_lock = _try_lock(descriptor, wait, needed=not append)
            # Another process may have moved or removed the file in the meantime.
            if not has_lock or _is_at(descriptor, path, follow=not private):
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


@contextmanager
def locked_for_writing(
    path: Path, *, create: bool = True, check: Callable[[int], None] = lambda descriptor: None
) -> Iterator[int]:
    """Open a regular file with an exclusive lock, so that writing changes no other file.

    A file with further hard links, such as `cp -al` creates for a backup, is replaced by a copy first.

    Args:
        path: The file.
        create: Whether to create a missing file.
        check: Raises an error for a descriptor of a file that must not be replaced or changed.

    Raises:
        OSError: The file cannot be opened, copied, or is not a regular file.
    """
    while True:
        with locked(path, create=create, private=True) as descriptor:
            check(descriptor)
            if os.fstat(descriptor).st_nlink <= 1:
                os.lseek(descriptor, 0, os.SEEK_SET)
                yield descriptor
                return
            # Processes that wait for the lock find that the path has another file, and open that.
            _replace_by_copy(descriptor, path)


def _replace_by_copy(descriptor: int, path: Path) -> None:
    copy = path.with_name(f"{path.name}.copy")
    copy.unlink(missing_ok=True)  # Of a process that was killed.
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    target = os.open(copy, flags, FILE_MODE)
    try:
        os.chmod(copy, stat.S_IMODE(os.fstat(descriptor).st_mode))
        os.lseek(descriptor, 0, os.SEEK_SET)
        while part := os.read(descriptor, _COPIED_AT_ONCE):
            write_or_restore(target, part, sync=False)
        os.fsync(target)
    finally:
        os.close(target)
    os.replace(copy, path)
    sync_folder(path.parent)


_COPIED_AT_ONCE = 2**20


def _open_private(path: Path, flags: int) -> int:
    with suppress(FileNotFoundError):
        # Opening a device may have side effects, and Windows has no O_NOFOLLOW.
        _assert_kind(path, path.lstat().st_mode)
    # The file may be replaced between this check and `open`: the descriptor is checked again.
    flags |= getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
    try:
        return os.open(path, flags, FILE_MODE)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.EMLINK):
            raise _not_regular(path, file_type(stat.S_IFLNK)) from None
        raise


def _assert_kind(path: Path, mode: int) -> None:
    found = file_type(mode)
    if found and not stat.S_ISDIR(mode):  # Opening a folder fails anyway.
        raise _not_regular(path, found)


def _not_regular(path: Path, found: str) -> OSError:
    return OSError(errno.EINVAL, f"expected a regular file, found {found}; remove it", str(path))


def make_folders(folder: Path) -> None:
    """Create a folder and its missing parents, accessible only to their owner."""
    if folder.is_dir():
        return
    if folder.parent != folder:
        make_folders(folder.parent)
    folder.mkdir(_FOLDER_MODE, exist_ok=True)


def make_private_folder(folder: Path) -> None:
    """Create a folder unless it exists, and reject a symbolic link.

    Raises:
        OSError: The folder cannot be created, or is a symbolic link, which would redirect writes.
    """
    make_folders(folder)
    if folder.is_symlink():
        raise OSError(errno.ENOTDIR, "expected a folder, found a symbolic link; remove it", str(folder))


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


def _is_at(descriptor: int, path: Path, *, follow: bool) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(path, follow_symlinks=follow))
    except FileNotFoundError:
        return False


def write_or_restore(descriptor: int, data: bytes, sync: bool) -> None:
    """Append all of `data`, or restore the file's previous size.

    Args:
        descriptor: A locked file, positioned at its end.
        data: The bytes to write.
        sync: Whether to flush them to the disk.

    Raises:
        OSError: Writing failed, for example because the disk is full.
    """
    end = os.fstat(descriptor).st_size
    try:
        write_all(descriptor, data)
        if sync:
            os.fsync(descriptor)
    except BaseException:
        with suppress(OSError):  # Devices cannot be truncated.
            os.ftruncate(descriptor, end)
        raise


def write_all(descriptor: int, data: bytes) -> None:
    """Write all of `data`, also if the system accepts only a part at once."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def sync_folder(folder: Path) -> None:
    """Flush a folder's entries to the disk, where the system supports it."""
    if os.name == "nt":  # pragma: no cover - Windows cannot open folders
        return
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except PermissionError:
        return  # The folder is writable but not readable.
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in _NO_LOCKS:
            raise
    finally:
        os.close(descriptor)
