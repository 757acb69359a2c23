"""Format the generated package and put it in place: whole, or not at all."""

from __future__ import annotations

import difflib
import errno
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from stat import S_ISDIR

from codegen.errors import SchemaError

LINE_LENGTH = "110"


def formatted(sources: Mapping[str, str]) -> dict[str, str]:
    """Return the sources as ruff formats them, imports sorted and unused ones gone.

    Args:
        sources: Source text by file name.

    Raises:
        SchemaError: A source is no Python, which the generator should have prevented.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file, source in sources.items():
            (folder / file).write_text(source, encoding="utf-8", newline="\n")
        options = [
            "--isolated",
            "--no-cache",
            "--quiet",
            "--line-length",
            LINE_LENGTH,
            "--target-version",
            "py310",
        ]
        first_party = 'lint.isort.known-first-party = ["openlineage_facets"]'
        _ruff(folder, "check", "--fix", "--select", "F401,I", "--config", first_party, *options, ".")
        _ruff(folder, "format", *options, ".")
        return {file: (folder / file).read_text(encoding="utf-8") for file in sources}


def _ruff(folder: Path, *arguments: str) -> None:
    command = [sys.executable, "-m", "ruff", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        said = " ".join((done.stdout or done.stderr).split())
        raise SchemaError(
            "the generated code", "", f"is no valid Python, which no schema should bring about: {said}"
        )


def differences(files: Mapping[str, str], output: Path) -> Iterator[str]:
    """Yield the lines of a unified diff from what stands in `output` to `files`."""
    present = {path.name: path for path in output.glob("*") if path.is_file()} if output.is_dir() else {}
    for name in sorted({*files, *present}):
        old = present[name].read_text(encoding="utf-8", errors="replace") if name in present else ""
        new = files.get(name, "")
        yield from difflib.unified_diff(
            old.splitlines(keepends=True),
            new.splitlines(keepends=True),
            f"{output}/{name}",
            f"generated/{name}",
        )


def write(files: Mapping[str, str], output: Path) -> None:
    """Replace the folder `output` by `files`, written aside and swapped in at the end.

    Raises:
        SchemaError: `output` holds files that the generator has not written.
    """
    output = output.resolve()
    _assert_ours(output)
    output.parent.mkdir(parents=True, exist_ok=True)
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
    """Put `aside` in the place of `output`, which goes to `old`, or back where that fails."""
    for turn in range(_TURNS):
        moved = old / str(turn)
        try:
            with suppress(FileNotFoundError):
                os.replace(output, moved)
            os.replace(aside, output)
            return
        except BaseException as error:
            if moved.exists() and not output.exists():
                os.replace(moved, output)
            # Another run was quicker: what it put there is moved away in the next turn.
            if getattr(error, "errno", None) not in (errno.ENOTEMPTY, errno.EEXIST) or turn == _TURNS - 1:
                raise


_TURNS = 100


def _assert_ours(output: Path) -> None:
    """Refuse to replace a folder that holds anything but generated modules."""
    with suppress(FileNotFoundError):  # Another run may swap the folder meanwhile, for one of its own.
        if not S_ISDIR(output.stat().st_mode):
            raise SchemaError(output, "", "is a file; name a folder")
        for path in sorted(output.iterdir()):
            if path.name != "__pycache__" and not _is_generated(path):
                raise SchemaError(path, "", "was not generated, and would be lost; name an empty folder")


def _is_generated(path: Path) -> bool:
    return path.suffix == ".py" and path.read_text(errors="replace").startswith("# Generated ")
