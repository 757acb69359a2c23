"""Write files atomically."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from openlineage_facets.cli.command_error import CommandError

__all__ = ["atomic_file"]


@contextmanager
def atomic_file(path: Path) -> Iterator[TextIO]:
    """Open a text file for writing and replace the existing file when the block completes.

    If the block raises, the existing file is unchanged. Pipes and devices are written directly.

    Args:
        path: The file. Its folder must exist.

    Raises:
        CommandError: The file cannot be written.
    """
    try:
        if path.exists() and not path.is_file():
            with open(path, "w", encoding="utf-8", newline="\n") as file:
                yield file
            return
        target = path.resolve()
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
        try:
            with open(handle, "w", encoding="utf-8", newline="\n", errors="backslashreplace") as file:
                yield file
            os.chmod(name, _mode(target))
            os.replace(name, target)
        except BaseException:
            os.unlink(name)
            raise
    except BrokenPipeError:
        raise
    except OSError as error:
        raise CommandError(f"{path}: cannot write: {(error.strerror or str(error)).lower()}") from None


def _mode(path: Path) -> int:
    """Return the permissions of an existing file, or the default ones of a new file."""
    try:
        return path.stat().st_mode & 0o777
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
