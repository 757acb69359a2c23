"""Write output files: completely or not at all, and over no file of somebody else."""

from __future__ import annotations

import errno
import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from openlineage_facets.cli.command_error import CommandError

FORCE_HELP = "Replace the file whatever it contains."


def file_path(text: str) -> Path:
    """Return the path of a file to write.

    Raises:
        CommandError: It ends with a slash, which a path does not preserve.
    """
    if text.endswith(("/", os.sep)):
        raise CommandError(f"{text}: {_FOLDER}")
    return Path(text)


_FOLDER = "expected a file, found a folder; add the name of a file to it"


@dataclass(frozen=True)
class OutputFile:
    """A file that a command writes.

    An existing file is replaced if it is empty, if the command wrote it, or with `--force`. Symlinks are not
    followed. Pipes and devices are written directly.

    Args:
        path: The file.
        kind: What the command writes, such as "a graph".
        recognize: Returns whether a text is of that kind.
        force: Whether `--force` was passed, None if the command does not have it.
        make_folder: Whether to create a missing folder: the user has passed only the folder.
        inputs: The files that the command reads, None for standard input.
    """

    path: Path
    kind: str
    recognize: Callable[[str], bool]
    force: bool | None = False
    make_folder: bool = False
    inputs: Iterable[Path | None] = ()

    def assert_replaceable(self) -> None:
        """Reject an input, a file of somebody else, a link or a folder, before anything is written.

        Raises:
            CommandError: Writing would destroy a file, or is impossible.
        """
        path = self.path
        if str(path) == "-":
            raise CommandError("-: expected the name of a file; leave the option out for standard output")
        with self._one_line():
            if path.is_dir():
                raise CommandError(f"{path}: {_FOLDER}")
            if not (self.make_folder or path.parent.is_dir()):
                raise CommandError(
                    f"{path}: expected a file in an existing folder, found no folder {path.parent}; create it"
                )
            self._assert_no_input()
            if self._is_stream() or not os.path.lexists(path):
                return
            if path.is_symlink():
                raise CommandError(
                    f"{path}: expected a file, found a symlink to {os.readlink(path)}; "
                    "pass that or remove the link"
                )
            text = "" if self.force else path.read_text(encoding="utf-8", errors="replace")
        if text and not self.recognize(text):
            fix = "choose another name or remove it"
            force = "" if self.force is None else ", or add --force"
            raise CommandError(f"{path} exists and is not {self.kind}; {fix}{force}")

    @contextmanager
    def opened(self) -> Iterator[TextIO]:
        """Open the file for writing, and replace an existing one when the block completes.

        If the block raises, the existing file is unchanged.

        Raises:
            CommandError: The file cannot be written, or writing would destroy a file.
        """
        self.assert_replaceable()
        path = self.path
        with self._one_line():
            if self._is_stream():
                with open(path, "w", encoding="utf-8", newline="\n") as file:
                    yield file
                return
            if self.make_folder:
                path.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
            try:
                with open(handle, "w", encoding="utf-8", newline="\n", errors="backslashreplace") as file:
                    yield file
                os.chmod(name, _mode(path))
                os.replace(name, path)
            except BaseException:
                os.unlink(name)
                raise

    def _assert_no_input(self) -> None:
        """Reject a file that the command reads, also by another name. Pipes and devices may be both."""
        if not self.path.is_file():
            return
        output = self.path.stat()
        for path in self.inputs:
            status = _status(path)
            if status is not None and os.path.samestat(status, output):
                name = "standard input" if path is None else path
                raise CommandError(
                    f"{self.path}: expected another file than the input, found {name}; choose another name"
                )

    def _is_stream(self) -> bool:
        """Return whether the file is a pipe or a device, or is named as one: `/dev/stdout` may be a file."""
        return self.path.parts[:2] == ("/", "dev") or (self.path.exists() and not self.path.is_file())

    @contextmanager
    def _one_line(self) -> Iterator[None]:
        try:
            yield
        except BrokenPipeError:
            raise
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            fix = _FIXES.get(error.errno or 0, "choose another name")
            raise CommandError(f"{self.path}: cannot write: {reason}; {fix}") from None


def _mode(path: Path) -> int:
    """Return the permissions of an existing file, or the default ones of a new file."""
    try:
        return path.stat().st_mode & 0o777
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


_FIXES = {
    errno.ENAMETOOLONG: "choose a shorter name",
    **dict.fromkeys(
        (errno.EACCES, errno.EPERM, errno.EROFS),
        "check the permissions of the file and its folder, or choose another folder",
    ),
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT), "free some space, or choose another folder"),
}
"""How to fix that a file cannot be written, by the number of the error."""


def _status(path: Path | None) -> os.stat_result | None:
    """Return the status of an input, None if it has none: it does not exist, or is no file of the system."""
    try:
        return os.fstat(sys.stdin.fileno()) if path is None else path.stat()
    except (OSError, ValueError):
        return None
