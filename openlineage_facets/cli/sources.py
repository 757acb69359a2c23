"""Which files a command reads: paths, folders and patterns as files in a fixed order."""

from __future__ import annotations

import glob
import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from openlineage_facets.cli.failure import CommandError

__all__ = ["STDIN", "Source", "sources_of"]

STDIN = "-"
"""The path that stands for standard input."""

_EVENT_FILE = re.compile(r"\.(?:json|ndjson|jsonl)(?:\.(?:gz|zst))?$", re.IGNORECASE)
_LINES = re.compile(r"\.(?:ndjson|jsonl)(?:\.(?:gz|zst))?$", re.IGNORECASE)
_ANY_FOLDERS = re.compile(r"(?:^|(?<=[/\\]))\*\*(?:[/\\]+|$)")
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
    """Return the files that `paths` stand for, each once, by whichever links they are found.

    A folder stands for the event files in it, at any depth, by name and number (`part-2` before
    `part-10`); hidden files and folders are passed over. A pattern (`*`, `**`, `?`) stands for what it
    matches. A file that is named is read whatever its name is. Links to folders are followed where they
    are named, and not on the way down: they may lead in a circle.

    Args:
        paths: What the user named.

    Raises:
        CommandError: There is no such path, or there are no event files at all.
    """
    found: dict[str, Source] = {}
    real: Callable[[Path], str] = lru_cache(lambda path: os.path.realpath(path))
    missing = []
    for path in paths:
        named = list(_named(path))
        if not named:
            missing.append(f"{path}: {_nothing(path)}")
        for source in named:
            found.setdefault(STDIN if source.path is None else _real(source.path, real), source)
    if missing:
        raise CommandError("\n".join(missing))
    return list(found.values())


def _real(path: Path, real: Callable[[Path], str]) -> str:
    """Return the path of a file behind all links; that of a folder is the same for all files in it."""
    return real(path) if path.is_symlink() else os.path.join(real(path.parent), path.name)


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
        for match in sorted(_matches(path), key=_by_number):
            if os.path.isdir(match):
                yield from _in_folder(match) if not path.endswith("**") else ()
            else:
                yield _file(match)


def _matches(pattern: str) -> Iterator[str]:
    """Yield what a pattern matches; `**` stands for any folders, but for hidden ones and for links."""
    deep = _ANY_FOLDERS.search(pattern)
    if deep is None:
        yield from glob.glob(pattern)
        return
    for top in glob.glob(pattern[: deep.start()] or os.curdir):
        for folder, _, _ in _walk(top):
            yield from _matches(os.path.join(glob.escape(folder), pattern[deep.end() :] or "*"))


def _walk(folder: str) -> Iterator[tuple[str, list[str], list[str]]]:
    """Yield folders at any depth, with the folders and files in them; hidden ones are passed over."""
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted((name for name in folders if not name.startswith(".")), key=_by_number)
        yield parent, folders, files


def _in_folder(folder: str) -> Iterator[Source]:
    for parent, _, files in _walk(folder):
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
