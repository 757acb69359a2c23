"""Emitter that appends events to a file or writes them to an object store."""

from __future__ import annotations

import glob
import os
import re
import stat
import time
from contextlib import suppress
from os import PathLike
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from openlineage_facets.base.redaction.redact import redact_for_display
from openlineage_facets.emitters.background_worker import PerProcess
from openlineage_facets.emitters.base_emitter import BoundedEmitter
from openlineage_facets.emitters.errors import OnError, emission_error
from openlineage_facets.emitters.event_lines import ordering_key
from openlineage_facets.emitters.file_locks import locked, make_folders, write_all, write_or_restore


class FileEmitter(BoundedEmitter):
    """Appends each event to a file as one line of JSON.

    New files have mode 0600 and new folders 0700. Existing ones keep their permissions, also when the file is
    rotated. `path` may be a symbolic link, a device such as `/dev/stdout`, or a pipe that a program reads.

    Several threads and processes may write to the same file: a line is written completely or not at all. A
    URL supported by fsspec (`s3://`, `gs://`, `memory://`) names a folder in which each event becomes a
    separate object, because object stores cannot append. The object names sort by time.

    Args:
        path: The file, or the URL of a folder. Missing folders are created, but not the bucket of an object
            store.
        rotate_bytes: Maximum file size. A larger file is renamed from `lineage.ndjson` to
            `lineage.000001.ndjson` and so on. Files are never removed.
        fsync: Whether to flush each event to the disk.
        timeout: Maximum number of seconds to delay the job without a delivery, in total for `emit`, `close`
            and interpreter exit.
        on_error: "log" to log each kind of failure once, "raise" to raise `EmissionError`.

    Raises:
        ImportError: `path` is a URL and fsspec, or its driver for the URL, is not installed.
        ValueError: It is neither a path nor a URL that fsspec supports.

    Example:
        >>> with FileEmitter("lineage.ndjson") as emitter:
        ...     emitter.emit(event)
    """

    def __init__(
        self,
        path: str | PathLike[str],
        *,
        rotate_bytes: int | None = None,
        fsync: bool = False,
        timeout: float = 5.0,
        on_error: OnError = "log",
    ) -> None:
        if rotate_bytes is not None and rotate_bytes <= 0:
            raise ValueError(
                f"rotate_bytes: expected a number of bytes greater than 0, found {rotate_bytes!r}"
            )
        self._shown = os.fspath(path)
        self._objects: ObjectStoreFolder | None = None
        local = local_path(self._shown)
        if local is None:
            if rotate_bytes is not None or fsync:
                raise ValueError("rotate_bytes and fsync: expected only for local files, found with a URL")
            self._objects = ObjectStoreFolder(self._shown)
        # The job may change its working directory later.
        self._path = Path(local or "").absolute()
        self._stream: int | None = None
        self._rotate_bytes = rotate_bytes
        self._fsync = fsync
        super().__init__(timeout, on_error)

    def send(self, line: bytes) -> None:
        """Append one line.

        Raises:
            EmissionError: The file cannot be written; it is unchanged.
        """
        try:
            if self._objects is not None:
                self._objects.write(line)
            else:
                self._append(line + b"\n")
        except Exception as error:
            raise emission_error(error, f"could not write {self._shown}") from error

    def _append(self, line: bytes) -> None:
        make_folders(self._path.parent)
        if self._stream is None:
            self._stream = _open_stream(self._path)
        if self._stream is not None:
            try:
                write_all(self._stream, line)
            except BaseException:
                self._close_stream()  # The pipe has no reader any more.
                raise
            return
        mode: int | None = None
        while True:
            with locked(self._path, append=True) as descriptor:
                status = os.fstat(descriptor)
                if mode is not None and mode != stat.S_IMODE(status.st_mode):
                    with suppress(OSError):  # Another user has created the file meanwhile.
                        os.chmod(self._path if os.name == "nt" else descriptor, mode)
                size = status.st_size  # 0 for pipes and devices.
                if not size or self._rotate_bytes is None or size + len(line) <= self._rotate_bytes:
                    # End an incomplete last line of another program first.
                    whole = line if not size or _ends_line(descriptor, size) else b"\n" + line
                    write_or_restore(descriptor, whole, self._fsync and stat.S_ISREG(status.st_mode))
                    return
                mode = stat.S_IMODE(status.st_mode)
                target = self._path.resolve()  # Of a symbolic link, the file is rotated.
                target.rename(_next_name(target))

    def _finish(self, seconds: float, *, at_exit: bool = False) -> None:
        super()._finish(seconds, at_exit=at_exit)
        if not self._worker.waiting:
            self._close_stream()

    def _close_stream(self) -> None:
        if self._stream is not None:
            os.close(self._stream)
            self._stream = None

    def __str__(self) -> str:
        return f"FileEmitter({self._shown})"


def _open_stream(path: Path) -> int | None:
    """Open a pipe, or the file of a standard stream of this process; return None for other files.

    A pipe ends for its reader when its last writer closes it, so it stays open. The file of a standard
    stream, opened again, would have a second position, at which one overwrites what the other has written.
    """
    if (output := standard_stream_of(path)) is not None:
        return os.dup(output)
    if not path.is_fifo():
        return None
    # Without O_NONBLOCK, this would wait for a program that reads.
    descriptor = os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    os.set_blocking(descriptor, True)
    return descriptor


def standard_stream_of(path: Path) -> int | None:
    """Return the descriptor of the standard output or error if it writes to this file or pipe."""
    try:
        status = path.stat()
    except OSError:
        return None
    if stat.S_ISCHR(status.st_mode):  # Devices such as a terminal have no position.
        return None
    for descriptor in (1, 2):
        with suppress(OSError):  # It may be closed.
            if os.path.samestat(os.fstat(descriptor), status):
                return descriptor
    return None


def _next_name(path: Path) -> Path:
    stem, suffix = path.stem, path.suffix
    numbers = (
        other.name.removeprefix(f"{stem}.").removesuffix(suffix)
        for other in path.parent.glob(f"{glob.escape(stem)}.*{glob.escape(suffix)}")
    )
    last = max((int(number) for number in numbers if number.isascii() and number.isdigit()), default=0)
    return path.with_name(f"{stem}.{last + 1:06}{suffix}")


def _ends_line(descriptor: int, size: int) -> bool:
    os.lseek(descriptor, size - 1, os.SEEK_SET)
    return os.read(descriptor, 1) == b"\n"


_ONE_SLASH = re.compile(r"([A-Za-z][\w+.-]+:)/(?!/)", re.ASCII)
"""A URL with one slash, as Spark accepts it and as `Path` writes it; not the drive of Windows."""


def local_path(path: str) -> str | None:
    """Return the path of a local file, None for any URL other than `file:`.

    Raises:
        ValueError: It is another URL with one slash, which would become a folder such as `s3:`.
    """
    one_slash = _ONE_SLASH.match(path)
    if "://" not in path and not one_slash:
        return path
    from urllib.request import url2pathname

    url = urlsplit(path)
    if url.scheme == "file" and url.netloc in ("", "localhost"):
        return url2pathname(url.path)
    if one_slash:
        raise ValueError(
            f"expected a URL or the path of a file, found {redact_for_display(path)!r}; "
            f"begin it with {one_slash[1]}//, or with ./ if it is a file"
        )
    return None


class ObjectStoreFolder:
    """A folder in a file system supported by fsspec.

    Args:
        url: The folder.

    Raises:
        ImportError: fsspec, or its driver for this URL, is not installed.
        ValueError: fsspec does not support this URL.
    """

    def __init__(self, url: str) -> None:
        try:
            from fsspec.core import url_to_fs  # type: ignore[import-untyped,unused-ignore]
        except ImportError:
            raise ImportError(f"writing to {url} needs fsspec: pip install fsspec") from None

        def opened() -> tuple[Any, str]:
            system, folder = url_to_fs(url)
            return system, folder.rstrip("/")

        # The connections of a file system do not work in forked processes.
        self._opened = PerProcess(opened(), opened)
        self._has_folder = False
        self._last = 0

    def write(self, line: bytes) -> None:
        """Add an object with `line` as its content. Object names sort by time."""
        system, folder = self._opened.get()
        # In an object store, whose paths begin with a bucket, this would create the bucket.
        if not self._has_folder and folder.startswith("/"):
            system.makedirs(folder, exist_ok=True)
            self._has_folder = True
        self._last = max(self._last + 1, time.time_ns())
        seconds, nanoseconds = divmod(self._last, 1_000_000_000)
        timestamp = f"{time.strftime('%Y%m%dT%H%M%S', time.gmtime(seconds))}.{nanoseconds:09}Z"
        name = f"{timestamp}-{ordering_key(line)}-{os.urandom(4).hex()}.json"
        system.pipe_file(f"{folder}/{name}", line + b"\n")
