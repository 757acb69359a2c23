"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from openlineage_facets.cli.failure import CommandError

__all__ = ["written_whole"]


@contextmanager
def written_whole(path: Path) -> Iterator[TextIO]:
    """Open a text file to write, that takes its place when all of it is there.

    Where the block raises, whatever stood there before stays. A pipe or a device is written as it is.

    Args:
        path: The file; its folder must be there.

    Raises:
        CommandError: It cannot be written.
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
        raise CommandError(f"{path}: cannot be written: {(error.strerror or str(error)).lower()}") from None


def _mode(path: Path) -> int:
    """Return the permissions of the file that is replaced, or those of a new one."""
    try:
        return path.stat().st_mode & 0o777
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
