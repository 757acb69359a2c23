"""Which files a command reads: paths, folders and patterns as files in a fixed order."""

from __future__ import annotations

import glob
import os
import re
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from openlineage_facets.cli.failure import CommandError

__all__ = ["STDIN", "Source", "sources_of"]

STDIN = "-"
"""The path that stands for standard input."""

_EVENT_FILE = re.compile(r"\.(?:json|ndjson|jsonl)(?:\.(?:gz|zst))?$", re.IGNORECASE)
_LINES = re.compile(r"\.(?:ndjson|jsonl)(?:\.(?:gz|zst))?$", re.IGNORECASE)
_PATTERN = re.compile(r"[*?\[]")


@dataclass(frozen=True)
class Source:
    """One file of events, or standard input.

    Args:
        name: Its path as reports name it: as it was given, with slashes; "<stdin>" for standard input.
        path: Where it is, None for standard input.
        size: Its size in bytes, None where only reading tells.
    """

    name: str
    path: Path | None
    size: int | None = None

    @property
    def says_lines(self) -> bool:
        """Whether its name says that each line is an event."""
        return _LINES.search(self.name) is not None


def sources_of(paths: Iterable[str]) -> list[Source]:
    """Return the files that `paths` stand for, each once.

    A folder stands for the event files in it, at any depth, by name and number (`part-2` before
    `part-10`); hidden files and folders are passed over. A pattern (`*`, `**`, `?`) stands for what it
    matches. A file that is named is read whatever its name is.

    Args:
        paths: What the user named.

    Raises:
        CommandError: There is no such path, or there are no event files at all.
    """
    found: dict[str, Source] = {}
    missing = []
    for path in paths:
        named = list(_named(path))
        if not named:
            missing.append(f"{path}: {_nothing(path)}")
        for source in named:
            key = STDIN if source.path is None else os.path.normpath(os.path.abspath(source.path))
            found.setdefault(key, source)
    if missing:
        raise CommandError("\n".join(missing))
    return list(found.values())


def _nothing(path: str) -> str:
    if os.path.isdir(path):
        return "no event files in this folder; expected .json, .ndjson or .jsonl, also with .gz or .zst"
    if _PATTERN.search(path):
        return "no file matches this pattern"
    return "no such file or folder"


def _named(path: str) -> Iterator[Source]:
    if path == STDIN:
        yield Source("<stdin>", None)
    elif "\0" in path:
        return
    elif os.path.isdir(path):
        yield from _in_folder(path)
    elif os.path.lexists(path):
        yield _file(path)
    elif _PATTERN.search(path):
        for match in sorted(glob.glob(path, recursive=True), key=_by_number):
            if os.path.isdir(match):
                yield from _in_folder(match) if not path.endswith("**") else ()
            else:
                yield _file(match)


def _in_folder(folder: str) -> Iterator[Source]:
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted((name for name in folders if not name.startswith(".")), key=_by_number)
        for name in sorted(files, key=_by_number):
            if not name.startswith(".") and _EVENT_FILE.search(name):
                path = os.path.join(parent, name)
                if os.path.isfile(path) or not os.path.exists(path):  # Not a pipe, which would block.
                    yield _file(path)


def _file(path: str) -> Source:
    try:
        status = os.stat(path)
        size = status.st_size if stat.S_ISREG(status.st_mode) else None
    except OSError:
        size = None  # Reading it will say why.
    return Source(Path(path).as_posix(), Path(path), size)


def _by_number(name: str) -> tuple[tuple[int, int | str], ...]:
    """Return a key that sorts runs of digits as numbers."""
    return tuple(
        (0, int(part)) if part.isdecimal() else (1, part) for part in re.split(r"(\d+)", name) if part
    )
