"""Compare what `SparkRun` and OpenLineage's Spark listener report for the corpus, in one session.

    python -m tests.spark.corpus.compare_listener [--verbose] [--lakes] [JOB...]

The listener's jar is downloaded like those of Delta and Iceberg. Its events for the commands of a job are
merged, as a backend does: the inputs and outputs of all of them, with the latest version of each facet.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pyspark
from pyspark.sql import SparkSession

from tests.spark.corpus.conftest import new_workspace
from tests.spark.corpus.job_runs import Workspace, job_names, lineage_of, run_job, summary_of
from tests.spark.corpus.lake_runs import namespace
from tests.spark.lake.session import lake_session
from tools.java_home import java_of_machine
from tools.lake_jars import FOLDER, jars
from tools.maven_jars import fetch, file_of

LISTENER = "1.53.0"
ASPECTS = ("datasets", "schema", "change", "rows", "columns", "all columns")
_KINDS = re.compile(r" ([A-Z_]+(?:, [A-Z_]+)*)$")
VERDICTS = ("equal", "only ours", "only listener", "different")


def main() -> None:
    """Compare the selected jobs, or all, and print the number of agreements per facet."""
    parser = argparse.ArgumentParser(description="Compare the lineage of SparkRun and the Spark listener.")
    parser.add_argument("jobs", nargs="*", metavar="JOB", help="jobs whose name starts with one of these")
    parser.add_argument("--verbose", action="store_true", help="print every difference")
    parser.add_argument("--lakes", action="store_true", help="compare the jobs with Delta and Iceberg tables")
    options = parser.parse_args()
    os.environ["PYSPARK_PYTHON"] = sys.executable
    folder = Path(tempfile.mkdtemp(prefix="corpus"))
    events = folder / "listener.ndjson"
    events.touch()
    spark = _lake_session(folder, events) if options.lakes else _session(folder, events)
    try:
        workspace = new_workspace(spark, folder)
        totals = {aspect: Counter[str]() for aspect in ASPECTS}
        for name in job_names(lakes=options.lakes):
            if not options.jobs or name.startswith(tuple(options.jobs)):
                with namespace(spark) if options.lakes else nullcontext():
                    found = list(_compare(workspace, name, events))
                for aspect, verdict, what in found:
                    totals[aspect][verdict] += 1
                    if options.verbose and verdict != "equal":
                        print(f"{name}: {aspect}: {verdict}: {what}")
    finally:
        spark.stop()
        shutil.rmtree(folder)
    print(f"{'':<12}" + "".join(f"{verdict:>15}" for verdict in VERDICTS))
    for aspect in ASPECTS:
        print(f"{aspect:<12}" + "".join(f"{totals[aspect][verdict]:>15,}" for verdict in VERDICTS))


def listener_settings(events: Path, folder: Path = FOLDER / "listener") -> dict[str, str]:
    """Return the settings of a session in which the listener, downloaded to a folder, writes to a file."""
    scala = "2.13" if pyspark.__version__.startswith("4") else "2.12"
    coordinate = f"io.openlineage:openlineage-spark_{scala}:{LISTENER}"
    jar = folder / file_of(coordinate)
    if not jar.exists():
        fetch([coordinate], folder)
    return {
        "spark.jars": str(jar),
        "spark.extraListeners": "io.openlineage.spark.agent.OpenLineageSparkListener",
        "spark.openlineage.transport.type": "file",
        "spark.openlineage.transport.location": str(events),
    }


def _session(folder: Path, events: Path) -> SparkSession:
    settings = listener_settings(events) | {
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.ui.enabled": "false",
    }
    builder = SparkSession.builder.master("local[2]")
    for key, value in settings.items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    return spark


def _lake_session(folder: Path, events: Path) -> SparkSession:
    settings = listener_settings(events)
    loaded = [*map(str, jars()), settings.pop("spark.jars")]
    spark = lake_session(str(folder), loaded, str(java_of_machine()), settings)
    spark.sparkContext.setLogLevel("OFF")
    return spark


def _compare(workspace: Workspace, name: str, events: Path) -> Iterator[tuple[str, str, str]]:
    """Yield facet, verdict and description of each fact about the datasets of a job."""
    _drain(workspace.spark)
    start = events.stat().st_size
    ours = lineage_of(workspace, name, run_job(workspace, name))
    _drain(workspace.spark)
    with events.open("rb") as file:
        file.seek(start)
        merged = _merged(json.loads(line) for line in file)
    theirs = summary_of(merged, workspace)
    for role in ("inputs", "outputs"):
        for dataset in sorted(ours[role].keys() | theirs[role].keys()):
            mine, other = ours[role].get(dataset), theirs[role].get(dataset)
            yield "datasets", _verdict(mine, other, lambda _: True), f"{role} {dataset}"
            if mine is not None and other is not None:
                for aspect in ASPECTS[1:]:
                    a, b = mine.get(aspect), other.get(aspect)
                    if a is not None or b is not None:
                        what = f"{role} {dataset}: ours {a}, listener {b}"
                        yield aspect, _verdict(a, b, _unordered), what


def _verdict(mine: Any, other: Any, key: Any) -> str:
    if other is None:
        return "only ours"
    if mine is None:
        return "only listener"
    return "equal" if key(mine) == key(other) else "different"


def _unordered(value: Any) -> Any:
    """Return a value without the order of the transformations in texts such as `orders.id FILTER, JOIN`."""
    if isinstance(value, dict):
        return {column: _unordered(sources) for column, sources in value.items()}
    if isinstance(value, list):
        return {(source, frozenset(kinds.split(", "))) for source, _, kinds in _parts(value)}
    return value


def _parts(sources: list[str]) -> Iterator[tuple[str, str, str]]:
    """Yield the name of each source, and its transformations: words of capitals at the end."""
    for source in sources:
        kinds = _KINDS.search(source)
        yield (source, "", "") if kinds is None else (source[: kinds.start()], " ", kinds[1])


def _drain(spark: SparkSession) -> None:
    """Wait until the listener has received all that happened."""
    spark.sparkContext._jsc.sc().listenerBus().waitUntilEmpty()


def _merged(events: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Return one event with the inputs and outputs of all events."""
    merged: dict[str, dict[tuple[str, str], dict[str, Any]]] = {"inputs": {}, "outputs": {}}
    for event in events:
        for role, datasets in merged.items():
            for dataset in event.get(role) or ():
                known = datasets.setdefault(
                    (dataset["namespace"], dataset["name"]),
                    {"namespace": dataset["namespace"], "name": dataset["name"]},
                )
                for facets in ("facets", "inputFacets", "outputFacets"):
                    known.setdefault(facets, {}).update(dataset.get(facets) or {})
    return {"eventType": "COMPLETE"} | {role: list(datasets.values()) for role, datasets in merged.items()}


if __name__ == "__main__":
    main()
