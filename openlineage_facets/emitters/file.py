"""Events as lines of a file."""

from __future__ import annotations

import os
from os import PathLike
from pathlib import Path
from urllib.parse import urlsplit

from openlineage_facets.emitters.errors import emission_error
from openlineage_facets.emitters.locking import locked, write_whole
from openlineage_facets.emitters.objects import Objects
from openlineage_facets.emitters.sending import BoundedEmitter, OnError

__all__ = ["FileEmitter"]


class FileEmitter(BoundedEmitter):
    """Appends each event to a file, as one line of JSON.

    Several threads and processes may write the same file: a line is whole there, or not there at all. Where
    `path` is a URL that fsspec knows (`s3://`, `gs://`, `memory://`), it names a folder, and each event
    becomes an object of its own in it, since object stores can't append; their names sort by time.

    Args:
        path: The file; folders on the way are made. Or the URL of a folder.
        rotate_bytes: Size beyond which the file is renamed, `lineage.ndjson` to `lineage.000001.ndjson` and
            further, and a new one begun. Nothing is ever removed.
        fsync: Whether to wait, for each event, until the disk holds it.
        timeout: Seconds that `emit` waits at most; what takes longer goes on in the background.
        on_error: "log" to log each kind of failure once, "raise" to raise `EmissionError`.

    Raises:
        ImportError: `path` is a URL, and fsspec or what it needs for that URL is not installed.

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
            raise ValueError(f"rotate_bytes: expected a number of bytes above 0, found {rotate_bytes!r}")
        self._shown = os.fspath(path)
        self._objects: Objects | None = None
        local = _local(self._shown)
        if local is None:
            if rotate_bytes is not None or fsync:
                raise ValueError("rotate_bytes and fsync: expected for a local file alone, found with a URL")
            self._objects = Objects(self._shown)
        # The job may change its working folder later.
        self._path = Path(local or "").absolute()
        self._rotate_bytes = rotate_bytes
        self._fsync = fsync
        super().__init__(timeout, on_error)

    def send(self, line: bytes) -> None:
        """Append one line.

        Raises:
            EmissionError: The file can't be written; it is as it was.
        """
        try:
            if self._objects is not None:
                self._objects.write(line)
            else:
                self._append(line + b"\n")
        except Exception as error:
            raise emission_error(error, f"writing {self._shown}") from error

    def _append(self, line: bytes) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        while True:
            with locked(self._path, append=True) as descriptor:
                size = os.fstat(descriptor).st_size  # Of a pipe or a device, 0.
                if not size or self._rotate_bytes is None or size + len(line) <= self._rotate_bytes:
                    # A line that someone left without an end stays a line of its own.
                    whole = line if not size or _ends_line(descriptor, size) else b"\n" + line
                    write_whole(descriptor, whole, self._fsync)
                    return
                self._path.rename(self._next_name())

    def _next_name(self) -> Path:
        stem, suffix = self._path.stem, self._path.suffix
        numbers = (
            path.name.removeprefix(f"{stem}.").removesuffix(suffix)
            for path in self._path.parent.glob(f"{_literal(stem)}.*{_literal(suffix)}")
        )
        last = max((int(number) for number in numbers if number.isascii() and number.isdigit()), default=0)
        return self._path.with_name(f"{stem}.{last + 1:06}{suffix}")

    def __str__(self) -> str:
        return f"FileEmitter({self._shown})"


def _literal(name: str) -> str:
    """Return a pattern that matches `name` alone."""
    return "".join(f"[{char}]" if char in "*?[" else char for char in name)


def _ends_line(descriptor: int, size: int) -> bool:
    os.lseek(descriptor, size - 1, os.SEEK_SET)
    return os.read(descriptor, 1) == b"\n"


def _local(path: str) -> str | None:
    """Return the path of a local file, None for a URL of something else."""
    if "://" not in path:
        return path
    from urllib.request import url2pathname

    url = urlsplit(path)
    return url2pathname(url.path) if url.scheme == "file" and url.netloc in ("", "localhost") else None
