"""Find event files: paths, folders and glob patterns, in a stable order."""

from __future__ import annotations

import glob
import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from openlineage_facets.event_files.file_opening import file_type

STDIN = "-"
"""Path of standard input."""

_EVENT_FILE = re.compile(r"\.(?:json|ndjson|jsonl)(?:\.(?:gz|zst))?$", re.IGNORECASE)
_LINES_FILE = re.compile(r"\.(?:ndjson|jsonl)(?:\.(?:gz|zst))?$", re.IGNORECASE)
_RECURSIVE = re.compile(r"(?:^|(?<=[/\\]))\*\*(?:[/\\]+|$)")
_PATTERN = re.compile(r"[*?\[]")


@dataclass(frozen=True)
class Source:
    """An event file or standard input.

    Args:
        name: Path as passed by the user, with slashes, for reports. "<stdin>" for standard input.
        path: Path of the file, None for standard input.
        size: Size in bytes, None if unknown.
    """

    name: str
    path: Path | None
    size: int | None = None

    @property
    def is_named_as_lines(self) -> bool:
        """Whether the name has a suffix for one event per line, such as `.ndjson`."""
        return _LINES_FILE.search(self.name) is not None


def sources_of(paths: Iterable[str], skipped: Callable[[str, str], object]) -> list[Source]:
    """Return the files to read, without duplicates. Symbolic links to the same file count as one.

    A folder is searched recursively for event files, in natural order (`part-2` before `part-10`). Hidden
    files and folders are ignored; FIFOs, sockets and devices are skipped. Patterns may contain `*`, `**` and
    `?`. A file that is passed explicitly is read regardless of its suffix. Links to folders are only followed
    if passed explicitly, since they may form a cycle.

    Args:
        paths: Files, folders, patterns, or "-" for standard input.
        skipped: Called with the path and the type of each file in a folder that is skipped.

    Raises:
        FileNotFoundError: A path does not exist, or a folder or pattern contains no event files.
    """
    by_path: dict[str, Source] = {}
    real: Callable[[Path], str] = lru_cache(lambda path: os.path.realpath(path))
    missing = []
    for path in paths:
        sources = list(_expanded(path, skipped))
        if not sources:
            missing.append(f"{path}: {_reason_for_none(path)}")
        for source in sources:
            by_path.setdefault(STDIN if source.path is None else _real(source.path, real), source)
    if missing:
        raise FileNotFoundError("\n".join(missing))
    return list(by_path.values())


def _real(path: Path, real: Callable[[Path], str]) -> str:
    """Return the path of a file with all links resolved. Folders are resolved once, with a cache."""
    return real(path) if path.is_symlink() else os.path.join(real(path.parent), path.name)


def _reason_for_none(path: str) -> str:
    if os.path.isdir(path):
        return "no event files in this folder; expected .json, .ndjson or .jsonl, also with .gz or .zst"
    if _PATTERN.search(path):
        return "no file matches this pattern"
    return "no such file or folder"


def _expanded(path: str, skipped: Callable[[str, str], object]) -> Iterator[Source]:
    if path == STDIN:
        yield Source("<stdin>", None)
    elif "\0" in path:
        return
    elif os.path.isdir(path):
        yield from _in_folder(path, skipped)
    elif os.path.lexists(path):
        yield _file(path)
    elif _PATTERN.search(path):
        for match in sorted(_matches(path), key=_natural_key):
            if os.path.isdir(match):
                yield from _in_folder(match, skipped) if not path.endswith("**") else ()
            else:
                yield _file(match)


def _matches(pattern: str) -> Iterator[str]:
    """Yield the paths that match a pattern. `**` matches any folders except hidden ones and links."""
    recursive = _RECURSIVE.search(pattern)
    if recursive is None:
        yield from glob.glob(pattern)
        return
    for top in glob.glob(pattern[: recursive.start()] or os.curdir):
        for folder, _, _ in _walk(top):
            yield from _matches(os.path.join(glob.escape(folder), pattern[recursive.end() :] or "*"))


def _walk(folder: str) -> Iterator[tuple[str, list[str], list[str]]]:
    """Yield folders recursively, with the folders and files in them, except hidden folders."""
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted((name for name in folders if not name.startswith(".")), key=_natural_key)
        yield parent, folders, files


def _in_folder(folder: str, skipped: Callable[[str, str], object]) -> Iterator[Source]:
    for parent, _, files in _walk(folder):
        for name in sorted(files, key=_natural_key):
            if not name.startswith(".") and _EVENT_FILE.search(name):
                path = os.path.join(parent, name)
                if os.path.isfile(path) or not os.path.exists(path):
                    yield _file(path)
                else:
                    skipped(path, file_type(os.stat(path).st_mode))


def _file(path: str) -> Source:
    try:
        status = os.stat(path)
        size = status.st_size if stat.S_ISREG(status.st_mode) else None
    except OSError:
        size = None  # The reason is reported when the file is opened.
    return Source(Path(path).as_posix(), Path(path), size)


def _natural_key(name: str) -> tuple[tuple[int, int | str], ...]:
    """Return a sort key that compares digits as numbers."""
    return tuple(
        (0, int(part)) if part.isdecimal() else (1, part) for part in re.split(r"(\d+)", name) if part
    )
