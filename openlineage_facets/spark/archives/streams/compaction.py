"""Merge the small files of a stream's finished batches, so that each line remains exactly once."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from os import PathLike

from pyspark.sql import SparkSession

from openlineage_facets.spark.archives.file_system import FileSystem, folder_path
from openlineage_facets.spark.archives.outcomes import QUARANTINE, VALID, text_in

_FILE_BYTES = 128 << 20
"""Size of merged files. A folder of this size is not merged again."""

_BATCH = re.compile(r"batch=(\d+)")
_MERGED = re.compile(r"(\d+)-(\d+)")


def compact_stream(spark: SparkSession, folder: str | PathLike[str], *, compression: str = "none") -> None:
    """Merge the folders of finished batches in `valid` and `quarantine` into folders with few files.

    The query may be running: it does not repeat finished batches. A merged folder has the number of its last
    batch. Folders of 128 MB or more remain as they are. Call it again after a failure, to complete what it
    has begun; until then, the lines that it was merging may be missing.

    Args:
        spark: The session. Spark Connect is not supported.
        folder: The folder of `fold_stream`. Merge it in one process at a time, and do not read `valid` and
            `quarantine` meanwhile.
        compression: The compression of lines, see `fold_stream`.

    Raises:
        ValueError: The session is a Spark Connect session.
        FileNotFoundError: The folder does not contain the checkpoint of a stream.

    Example:
        >>> compact_stream(spark, "s3a://lake/lineage")
    """
    path = folder_path("folder", folder)
    files = FileSystem(spark)
    if not files.exists(f"{path}/checkpoint"):
        raise FileNotFoundError(f"{path}: expected a folder of fold_stream, found no folder 'checkpoint'")
    finished = max(map(int, filter(str.isdigit, files.names(f"{path}/checkpoint/commits"))), default=-1)
    for name in (VALID, QUARANTINE):
        batches = _Batches(spark, files, f"{path}/{name}", f"{path}/_compacting/{name}")
        batches.replace_merged()
        batches.merge(finished, compression)
        batches.replace_merged()
    files.remove(f"{path}/_compacting")


@dataclass(frozen=True)
class _Batches:
    """The folders of batches with one outcome, and a folder for what is merged."""

    spark: SparkSession
    files: FileSystem
    folder: str
    merging: str

    def merge(self, finished: int, compression: str) -> None:
        """Merge the finished batches since the last large folder, to a folder named `FIRST-LAST`."""
        small: list[int] = []
        total = 0
        for batch in self._numbers():
            if batch > finished:
                break
            size = self.files.size(self._path(batch))
            if size >= _FILE_BYTES:
                small, total = [], 0
            else:
                small.append(batch)
                total += size
        if len(small) < 2:
            return
        unfinished = f"{self.merging}/unfinished"
        self.files.remove(unfinished)
        lines = text_in(self.spark, *map(self._path, small))
        few = lines.coalesce(-(-total // _FILE_BYTES) or 1)
        few.write.option("lineSep", "\n").text(unfinished, compression=compression)
        self.files.move(unfinished, f"{self.merging}/{small[0]}-{small[-1]}")

    def replace_merged(self) -> None:
        """Replace batches by the folder in which they were merged."""
        for match in _matches(_MERGED, self.files.names(self.merging)):
            first, last = int(match[1]), int(match[2])
            for batch in self._numbers():
                if first <= batch <= last:
                    self.files.remove(self._path(batch))
            self.files.move(f"{self.merging}/{match[0]}", self._path(last))

    def _numbers(self) -> list[int]:
        return sorted(int(match[1]) for match in _matches(_BATCH, self.files.names(self.folder)))

    def _path(self, batch: int) -> str:
        return f"{self.folder}/batch={batch}"


def _matches(pattern: re.Pattern[str], names: Iterable[str]) -> list[re.Match[str]]:
    return [match for match in map(pattern.fullmatch, names) if match]
