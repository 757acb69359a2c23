"""Write output files: completely or not at all, and over no file of somebody else."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from openlineage_facets.cli.command_error import CommandError

FORCE_HELP = "Replace the file whatever it contains."


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
        make_folder: Whether to create a missing folder.
    """

    path: Path
    kind: str
    recognize: Callable[[str], bool]
    force: bool | None = False
    make_folder: bool = False

    def assert_replaceable(self) -> None:
        """Reject a file of somebody else, and a link to a file, before there is anything to write.

        Raises:
            CommandError: Writing would destroy a file.
        """
        path = self.path
        with self._one_line():
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
            raise CommandError(f"{self.path}: cannot write: {reason}") from None


def _mode(path: Path) -> int:
    """Return the permissions of an existing file, or the default ones of a new file."""
    try:
        return path.stat().st_mode & 0o777
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
