"""Find, create, move and remove folders in the file systems of a Spark session."""

from __future__ import annotations

import re
from os import PathLike, fspath
from typing import Any

from py4j.protocol import Py4JJavaError  # type: ignore[import-untyped,unused-ignore]
from pyspark.sql import SparkSession

from openlineage_facets.spark.jvm import has_jvm

_GLOB = re.compile(r"[\\{}\[\]*?]")


def without_globs(path: str) -> str:
    r"""Return the pattern that matches exactly this path, because Spark reads paths as globs.

    Example:
        >>> without_globs("state[1]")
        'state\\[1\\]'
    """
    return _GLOB.sub(r"\\\g<0>", path)


def folder_path(name: str, path: str | PathLike[str]) -> str:
    """Return the path of a folder to write.

    Args:
        name: The parameter with the path.
        path: The path.

    Raises:
        ValueError: The path is empty.
    """
    text = fspath(path)
    if not text.strip("/"):
        raise ValueError(f"{name}: expected the path of a new folder, found {text!r}")
    return text.rstrip("/")


class FileSystem:
    """The file systems of a session, selected by path scheme.

    Args:
        spark: The session. Spark Connect is not supported.

    Raises:
        ValueError: The session is a Spark Connect session.
    """

    def __init__(self, spark: SparkSession) -> None:
        if not has_jvm(spark):
            raise ValueError(
                "Spark Connect cannot move folders on its server; nothing was written: use "
                "another session (SparkSession.builder.master(...), spark-submit), or write the tables "
                "returned by read_events(...) and fold_events(...)"
            )
        session: Any = spark
        self._hadoop = session._jvm.org.apache.hadoop.fs
        self._configuration = session._jsc.hadoopConfiguration()

    def exists(self, path: str) -> bool:
        """Return whether `path` exists."""
        at, files = self._of(path)
        return bool(files.exists(at))

    def assert_new(self, path: str) -> None:
        """Check that a folder can be created.

        Raises:
            FileExistsError: `path` exists.
            NotADirectoryError: A part of `path` is a file.
        """
        at, files = self._of(path)
        if files.exists(at):
            raise FileExistsError(f"{path}: already exists; remove it or choose another folder")
        parent = at.getParent()
        while parent is not None and not files.exists(parent):
            parent = parent.getParent()
        if parent is not None and not files.getFileStatus(parent).isDirectory():
            file = parent.toString()
            raise NotADirectoryError(
                f"{path}: expected a folder at {file}, found a file; choose another folder"
            )

    def names(self, folder: str) -> list[str]:
        """Return the names of files and folders in a folder, none if it does not exist."""
        at, files = self._of(folder)
        statuses = files.listStatus(at) if files.exists(at) else ()
        return [str(status.getPath().getName()) for status in statuses]

    def lies_in(self, path: str, folder: str) -> bool:
        """Return whether `path` is `folder` or inside it."""
        steps = self._absolute(folder).split("/")
        return self._absolute(path).split("/")[: len(steps)] == steps

    def is_read_with(self, path: str, pattern: str) -> bool:
        """Return whether `path` matches a glob or is inside a match. It need not exist."""
        steps = self._absolute(path).split("/")
        for glob in self._hadoop.GlobExpander.expand(self._absolute(pattern)):
            globs = glob.split("/")
            if len(globs) <= len(steps) and all(
                self._hadoop.GlobPattern(step_glob).matches(step)
                for step_glob, step in zip(globs, steps, strict=False)
            ):
                return True
        return False

    def size(self, path: str) -> int:
        """Return the size of all files in a folder in bytes."""
        at, files = self._of(path)
        return int(files.getContentSummary(at).getLength())

    def write(self, path: str, content: bytes) -> None:
        """Create a file and the folders that contain it."""
        at, files = self._of(path)
        stream = files.create(at, False)
        try:
            stream.write(content)
        finally:
            stream.close()

    def make(self, path: str) -> None:
        """Create a folder and its parents, unless it exists."""
        at, files = self._of(path)
        files.mkdirs(at)

    def remove(self, path: str) -> None:
        """Remove `path` if it exists."""
        at, files = self._of(path)
        files.delete(at, True)

    def move(self, source: str, target: str) -> None:
        """Move a folder to a new path, which may be in another file system.

        Raises:
            OSError: The folder could not be moved.
        """
        try:
            moved = self._move(source, target)
        except Py4JJavaError as error:
            reason = error.java_exception.toString()
            raise OSError(f"{target}: could not move {source} here: {reason}") from None
        if not moved:
            raise OSError(f"{target}: could not move {source} here")

    def _move(self, source: str, target: str) -> bool:
        origin, files = self._of(source)
        goal, others = self._of(target)
        if goal.getParent() is not None:
            others.mkdirs(goal.getParent())
        if files.getUri().equals(others.getUri()):
            return bool(files.rename(origin, goal))
        return bool(self._hadoop.FileUtil.copy(files, origin, others, goal, True, self._configuration))

    def replace(self, source: str, target: str) -> None:
        """Move a file or folder to a path, and remove what is there.

        Raises:
            OSError: It could not be moved.
        """
        self.remove(target)
        self.move(source, target)

    def _absolute(self, path: str) -> str:
        at, files = self._of(path)
        return str(files.makeQualified(at).toString()).rstrip("/")

    def _of(self, path: str) -> tuple[Any, Any]:
        at = self._hadoop.Path(path)
        return at, at.getFileSystem(self._configuration)
