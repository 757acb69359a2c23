"""What a job does, apart from its lineage: what it prints, raises, writes, and leaves behind in the session.

Two executions of a job are compared, so everything that differs between any two is masked: the ids of
expressions, jobs, tasks and plans, UUIDs, times and addresses of objects.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.orc
import pyarrow.parquet
from pyspark.sql import SparkSession

from openlineage_facets.spark.metrics.sql_executions import SqlExecutions

PLAN_SETTINGS = {
    "spark.sql.ui.explainMode": "extended",
    "spark.sql.debug.maxToStringFields": "1000",
}
"""Settings with which the status store contains the complete logical plans of each execution: long texts."""

_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_MASKS = (
    (_UUID, "UUID"),
    (re.compile(r"(?m)^\s+at .*\n|^\s+\.\.\. \d+ more\n"), ""),  # The JVM's stack: it compiles hot methods.
    (re.compile(r"\b(plan_id=|TID |stage |task |RDD\[|SQLExecution\.|o)\d+(\.\d+)?"), r"\1N"),
    (re.compile(r"(SPARK_GEN_SUBQ_|CTERelation(?:Def|Ref) )\d+"), r"\1N"),
    (re.compile(r"(Sample [\d.]+, [\d.]+, \w+, )-?\d+"), r"\1SEED"),
    (re.compile(r"_pyspark_[0-9a-f]{32}"), "_pyspark_ID"),
    (re.compile(r"@[0-9a-f]{5,}"), "@ADDRESS"),
    (re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d\.\d+"), "TIME"),
    (re.compile(r"(Created Time|Last Access): [^\n,]*"), r"\1"),
    # Cut off by `DataFrame.show`.
    (re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{3}\.\.\."), "UUID..."),
    (re.compile(r"\b\d{4}-\d\d-\d\d \d\d:\d\d:\.\.\."), "TIME..."),
    # Tables of Delta and Iceberg: files of a log, tasks in names of files, times and ids of snapshots.
    (re.compile(r"DeprecatedRawLocalFileStatus\{[^}]*\}"), "FILE"),
    (re.compile(r"\b(\d{5})-\d+-UUID"), r"\1-TASK-UUID"),
    (re.compile(r"\b\d{13,19}\b"), "TIME OR SNAPSHOT"),
    (re.compile(r'TimeMs":"\d+"'), 'TimeMs":"N"'),
)
_DELTA_LOG = "DeltaLogFileIndex"
"""Part of the plans with which Delta reads the checkpoint of a table once, as capture may cause it to."""
_DELTA_STATE = "Delta Table State"
"""Start of the names of RDDs in which Delta keeps what it has read of its log."""
_EXPRESSION_ID = re.compile(r"#(\d+)(?=L?\b)")


class JobEffects:
    """Observe what a job does.

    Args:
        spark: The session.
        folders: Folders that the job writes to.
    """

    def __init__(self, spark: SparkSession, *folders: Path) -> None:
        self._spark = spark
        self._folders = folders
        self._executions = SqlExecutions(spark)
        self._drain()
        self._newest = self._executions.newest_id()
        self._jobs = self._number_of_jobs()

    def found(self, printed: str, error: BaseException | None) -> dict[str, Any]:
        """Return what the job has done, with the same keys for every job.

        Args:
            printed: The text that it has printed.
            error: The exception that ended it.
        """
        self._drain()
        session: Any = self._spark._jsparkSession
        context: Any = self._spark.sparkContext._jsc
        executions = list(self._executions.after(self._newest))
        of_delta = [one for one in executions if _DELTA_LOG in one.plan]
        names_of_rdds = [masked(str(rdd.name())) for rdd in list(context.getPersistentRDDs().values())]
        settings = session.conf().getAll().mkString("\n").splitlines()
        return {
            "output": masked(printed),
            "exception": "" if error is None else masked(f"{type(error).__name__}: {error}"),
            # Before anything else here executes queries or jobs.
            "plans": sorted(_logical_plans(one.plan) for one in executions if one not in of_delta),
            "number of jobs": self._number_of_jobs() - self._jobs - sum(len(one.jobs) for one in of_delta),
            "files": sorted(content for folder in self._folders for content in _files(folder)),
            "tables": sorted(self._tables(session)),
            "cached data": (
                sorted(name for name in names_of_rdds if not name.startswith(_DELTA_STATE)),
                session.sharedState().cacheManager().isEmpty(),
            ),
            "settings": sorted(map(masked, settings)),
        }

    def _tables(self, session: Any) -> Iterator[str]:
        for table in self._spark.sql("SHOW TABLES").collect():
            name = table.tableName
            if not table.isTemporary:
                identifier = session.sessionState().sqlParser().parseTableIdentifier(name)
                description = session.sessionState().catalog().getTableMetadata(identifier).toString()
                yield masked(description)
            else:
                yield f"temporary view {name}: {self._spark.table(name).dtypes}"

    def _number_of_jobs(self) -> int:
        context: Any = self._spark.sparkContext._jsc
        return int(context.sc().dagScheduler().numTotalJobs())

    def _drain(self) -> None:
        context: Any = self._spark.sparkContext._jsc
        context.sc().listenerBus().waitUntilEmpty()


def masked(text: str) -> str:
    """Return a text without what differs between two executions of the same job."""
    for pattern, replacement in _MASKS:
        text = pattern.sub(replacement, text)
    numbers: dict[str, int] = {}
    return _EXPRESSION_ID.sub(lambda found: f"#{numbers.setdefault(found[1], len(numbers))}", text)


def _logical_plans(description: str) -> str:
    """Return the parsed, analyzed and optimized plan of an execution.

    The physical plan follows from the optimized plan; the final one depends on the order in which stages end.
    """
    return masked(description.partition("== Physical Plan ==")[0])


def _files(folder: Path) -> Iterator[tuple[str, str, list[str]]]:
    """Yield the name, the schema and the rows or lines of each file, in any order."""
    for path in folder.rglob("*"):
        if path.is_file():
            name = masked(path.relative_to(folder.parent).as_posix())
            yield (name, *_content(path))


def _content(path: Path) -> tuple[str, list[str]]:
    """Return schema and rows of a file, or its lines."""
    is_log = "_delta_log" in path.parts or path.name.endswith(".metadata.json")
    mask = masked if is_log else str
    if path.suffix in {".parquet", ".orc"}:
        file = pyarrow.parquet.ParquetFile if path.suffix == ".parquet" else pyarrow.orc.ORCFile
        table = file(path).read()
        return table.schema.to_string(), sorted(mask(repr(row)) for row in table.to_pylist())
    if path.suffix == ".crc" or "checkpoint" in path.parts or "_spark_metadata" in path.parts:
        return "", []  # Checksums, and the progress of a stream, with times.
    if path.name == "_last_checkpoint":  # The size of a compressed file with times.
        return "", []
    if path.suffix == ".avro":  # Iceberg's lists of files; its metadata has their number, rows and bytes.
        return "", []
    content = path.read_bytes()
    lines = (gzip.decompress(content) if path.suffix == ".gz" else content).splitlines()
    return "", sorted(mask(repr(line)) for line in lines)
