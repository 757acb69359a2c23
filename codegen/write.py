"""Write the generated package: completely, or not at all."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from stat import S_ISDIR

from .errors import SchemaError


def write(files: Mapping[str, str], output: Path) -> None:
    """Replace the folder `output` with `files`, written to a temporary folder and swapped in at the end.

    Raises:
        SchemaError: `output` contains files that the generator has not written, or is a dangling symlink.
    """
    if output.is_symlink() and not output.exists():
        message = f"a symlink to {os.readlink(output)}, which does not exist; create that or remove the link"
        raise SchemaError(output, "", message)
    output = output.resolve()
    _assert_ours(output)
    output.parent.mkdir(parents=True, exist_ok=True)
    if not os.access(output.parent, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(output.parent))
    aside = Path(tempfile.mkdtemp(prefix=f".{output.name}-new-", dir=output.parent))
    old = Path(tempfile.mkdtemp(prefix=f".{output.name}-old-", dir=output.parent))
    try:
        for name, source in files.items():
            (aside / name).write_text(source, encoding="utf-8", newline="\n")
        aside.chmod(0o755)
        _swap(aside, output, old)
    finally:
        shutil.rmtree(aside, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)


def _swap(aside: Path, output: Path, old: Path) -> None:
    """Rename `aside` to `output`, and the previous `output` into `old`; undo that on failure."""
    for turn in range(_TURNS):
        moved = old / str(turn)
        try:
            with suppress(FileNotFoundError):
                os.replace(output, moved)
            os.replace(aside, output)
            return
        except BaseException as error:
            if moved.exists() and not output.exists():
                try:
                    os.replace(moved, output)
                except OSError as occupied:
                    if not _is_occupied(occupied):
                        raise
            # Another run was faster: the next turn replaces its output.
            if not _is_occupied(error) or turn == _TURNS - 1:
                raise


_TURNS = 100


def _is_occupied(error: BaseException) -> bool:
    """Return True if a folder could not be renamed because another run has written the output."""
    return isinstance(error, OSError) and error.errno in (errno.ENOTEMPTY, errno.EEXIST)


def _assert_ours(output: Path) -> None:
    """Reject a folder that contains anything but generated modules."""
    with suppress(FileNotFoundError):  # Another run may swap the folder at the same time.
        if not S_ISDIR(output.stat().st_mode):
            raise SchemaError(output, "", "not a folder; pass a folder to write to")
        for path in foreign_files(output):
            raise SchemaError(path, "", "not a generated file and would be deleted; pass an empty folder")


def foreign_files(output: Path) -> list[Path]:
    """Return the files and folders in `output` that the generator has not written."""
    return [
        path for path in sorted(output.iterdir()) if path.name != "__pycache__" and not _is_generated(path)
    ]


def _is_generated(path: Path) -> bool:
    if path.name == "py.typed":
        return path.is_file() and path.stat().st_size == 0
    return path.suffix == ".py" and path.read_text(errors="replace").startswith("# Generated ")
