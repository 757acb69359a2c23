"""What the batches of a stream have read of files, when a function writes them (`foreachBatch`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from openlineage_facets.naming.storage import parent_folders
from openlineage_facets.spark.datasets.rdd_sources import root_rdds
from openlineage_facets.spark.datasets.sources import BatchedStream, Source
from openlineage_facets.spark.jvm.objects import JavaObject, class_of, each
from openlineage_facets.spark.metrics.counts import Counts
from openlineage_facets.spark.metrics.scans import Scan

_MAX_FILES = 1_000
"""Every file takes a few calls to the JVM. A batch of more is not counted."""


def scans_of_batches(sources: Iterable[Source]) -> list[Scan]:
    """Return the files that the batches among the sources of a DataFrame have read, without their rows.

    The function may use a batch several times: the scan of a batch is shared.
    """
    return [
        scan
        for source in sources
        if isinstance(source.query, BatchedStream) and source.query.batch is not None
        for root in root_rdds(source.query.batch, set())
        if class_of(root) == "FileScanRDD"
        for scan in _scan(root)
    ]


def _scan(rdd: JavaObject) -> Iterator[Scan]:
    """Yield the scan of an RDD of files, of which several partitions may read parts of one file."""
    parts = list(islice(_parts(rdd), _MAX_FILES + 1))
    if 0 < len(parts) <= _MAX_FILES:
        paths = {path for path, _ in parts}
        counts = Counts(None, sum(length for _, length in parts), len(paths))
        yield Scan("FileScanRDD", tuple(parent_folders(sorted(paths))), counts, shared=f"batch {rdd.id()}")


def _parts(rdd: JavaObject) -> Iterator[tuple[str, int]]:
    for partition in each(rdd.filePartitions()):
        for file in partition.files():
            yield str(file.filePath().toPath().toString()), int(file.length())
