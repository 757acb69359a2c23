"""Folders of whatever file system Spark reaches: looked for, moved, removed."""

from __future__ import annotations

from typing import Any

from pyspark.sql import SparkSession

from openlineage_facets.spark.session import has_jvm

__all__ = ["FileSystem"]


class FileSystem:
    """The file systems of a session, by the schemes of paths.

    Args:
        spark: The session; not one of Spark Connect, whose driver is out of reach.

    Raises:
        ValueError: It is one of Spark Connect.
    """

    def __init__(self, spark: SparkSession) -> None:
        if not has_jvm(spark):
            raise ValueError(
                "Spark Connect does not reach the folders of its server, and nothing was written: use "
                "another session (SparkSession.builder.master(...), spark-submit), or write the tables that "
                "read_events(...) and fold_events(...) give, which work here"
            )
        session: Any = spark
        self._hadoop = session._jvm.org.apache.hadoop.fs
        self._configuration = session._jsc.hadoopConfiguration()

    def exists(self, path: str) -> bool:
        """Return whether anything is at `path`."""
        at, files = self._of(path)
        return bool(files.exists(at))

    def lies_in(self, path: str, folder: str) -> bool:
        """Return whether `path` is `folder`, or is below it."""
        steps = self._absolute(folder).split("/")
        return self._absolute(path).split("/")[: len(steps)] == steps

    def is_read_with(self, path: str, pattern: str) -> bool:
        """Return whether `path` is what a glob matches, or is below it, whether it is there or not."""
        steps = self._absolute(path).split("/")
        for glob in self._hadoop.GlobExpander.expand(self._absolute(pattern)):
            globs = glob.split("/")
            if len(globs) <= len(steps) and all(
                self._hadoop.GlobPattern(one).matches(step) for one, step in zip(globs, steps, strict=False)
            ):
                return True
        return False

    def make(self, path: str) -> None:
        """Make a folder and those above it, unless it is there."""
        at, files = self._of(path)
        files.mkdirs(at)

    def remove(self, path: str) -> None:
        """Remove whatever is at `path`, if anything is."""
        at, files = self._of(path)
        files.delete(at, True)

    def move(self, source: str, target: str) -> None:
        """Move a folder to a path where nothing is yet, into another file system if need be.

        Raises:
            OSError: It could not be moved.
        """
        origin, files = self._of(source)
        goal, others = self._of(target)
        if goal.getParent() is not None:
            others.mkdirs(goal.getParent())
        if files.getUri().equals(others.getUri()):
            moved = files.rename(origin, goal)
        else:
            copy = self._hadoop.FileUtil.copy
            moved = copy(files, origin, others, goal, True, self._configuration)
        if not moved:
            raise OSError(f"{target}: {source} could not be moved here")

    def _absolute(self, path: str) -> str:
        at, files = self._of(path)
        return str(files.makeQualified(at).toString()).rstrip("/")

    def _of(self, path: str) -> tuple[Any, Any]:
        at = self._hadoop.Path(path)
        return at, at.getFileSystem(self._configuration)
