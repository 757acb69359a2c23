"""Measure the speed and memory of `openlineage-facets spark-validate`.

    python -m benchmarks.archives make --count 1000000 --folder /tmp/archive
    python -m benchmarks.archives measure --folder /tmp/archive --master 'local[2]'
    python -m benchmarks.archives jsonschema --folder /tmp/archive --lines 20000

`make` writes a deterministic archive: eight files with START, RUNNING and COMPLETE events of 200 jobs and 200
datasets, in three sizes (2, 3 and 9 kB, as 5:3:2). One line in a hundred is invalid in one of six ways.
`measure` runs `spark-validate` on it in a new process and measures memory and CPU time of this process and
its children. `jsonschema` validates the same lines with the `jsonschema` package in a Python UDF.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

PRODUCER = "https://example.com/v7/etl"
SPEC = "https://openlineage.io/spec"
FILES = 8
JOBS, DATASETS = 200, 200
COLUMNS = {1: 2, 3: 9, 8: 20}
"""Number of columns per dataset, by approximate size of the event in kB."""


def facet(schema_name: str, version: str, /, **fields: Any) -> dict[str, Any]:
    """Return a facet with the URL of its published schema."""
    url = f"{SPEC}/facets/{version}/{schema_name}.json#/$defs/{schema_name}"
    return {"_producer": PRODUCER, "_schemaURL": url, **fields}


def schema(table: int, columns: int) -> dict[str, Any]:
    """Return the schema facet of a table."""
    fields = [
        {
            "name": f"column_{number}",
            "type": "decimal(18,2)",
            "description": f"Measure {number} of table {table}",
        }
        for number in range(columns)
    ]
    return facet("SchemaDatasetFacet", "1-2-0", fields=fields)


def dataset(table: int, columns: int) -> dict[str, Any]:
    """Return a table as a dataset with facets."""
    return {
        "namespace": "s3://lake",
        "name": f"layer_{table % 3}/table_{table}",
        "facets": {
            "schema": schema(table, columns),
            "dataSource": facet("DatasourceDatasetFacet", "1-0-1", name="lake", uri="s3://lake"),
        },
    }


def column_lineage(source: dict[str, Any], columns: int) -> dict[str, Any]:
    """Return the column lineage of a copy."""
    step = {"type": "DIRECT", "subtype": "IDENTITY", "description": "", "masking": False}
    return facet(
        "ColumnLineageDatasetFacet",
        "1-2-0",
        fields={
            f"column_{number}": {
                "inputFields": [
                    {
                        "namespace": source["namespace"],
                        "name": source["name"],
                        "field": f"column_{number}",
                        "transformations": [step],
                    }
                ]
            }
            for number in range(columns)
        },
    )


def event(number: int, random: Random) -> dict[str, Any]:
    """Return an event. Three consecutive events are START, RUNNING and COMPLETE of a run."""
    run, step = divmod(number, 3)
    size = random.choices((1, 3, 8), (5, 3, 2))[0]
    job = run % JOBS
    columns = COLUMNS[size]
    source, target = (dataset((job + by) % DATASETS, columns) for by in (0, 7))
    if size == 8:
        target["facets"]["columnLineage"] = column_lineage(source, columns)
    if step == 2:
        target["outputFacets"] = {
            "outputStatistics": facet(
                "OutputStatisticsOutputDatasetFacet", "1-0-2", rowCount=number, size=number
            )
        }
    second = 10 * run + 3 * step
    day, of_day = divmod(second, 86_400)
    clock = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(day * 86_400 + of_day + 1_767_225_600))
    return {
        "eventType": ("START", "RUNNING", "COMPLETE")[step],
        "eventTime": f"{clock}.{number % 1_000_000:06d}Z",
        "producer": PRODUCER,
        "schemaURL": f"{SPEC}/2-0-2/OpenLineage.json#/$defs/RunEvent",
        "run": {
            "runId": str(UUID(int=(0x0195_0000_0000_7000_8000 << 48) + run)),
            "facets": {"nominalTime": facet("NominalTimeRunFacet", "1-0-1", nominalStartTime=f"{clock}Z")},
        },
        "job": {
            "namespace": "etl",
            "name": f"job_{job}",
            "facets": {"sql": facet("SQLJobFacet", "1-1-0", query=f"INSERT INTO t SELECT * FROM t{job}")},
        },
        "inputs": [source],
        "outputs": [target],
    }


def malformed(document: dict[str, Any], kind: int) -> bytes:
    """Return an event as an invalid line, in one of six ways."""
    if kind == 0:
        document["eventTime"] = "yesterday"
    elif kind == 1:
        del document["job"]["namespace"]
    elif kind == 2:
        document["run"]["runId"] = "no uuid"
    elif kind == 3:
        document["run"]["facets"]["nominalTime"]["nominalStartTime"] = 5
    line = json.dumps(document, separators=(",", ":")).encode()
    return line[:-20] if kind == 4 else b"\xff" + line if kind == 5 else line


def lines(count: int) -> Iterator[bytes]:
    """Yield the lines of the archive."""
    random = Random(2026)
    for number in range(count):
        document = event(number, random)
        if number % 100 == 99:
            yield malformed(document, number // 100 % 6)
        else:
            yield json.dumps(document, separators=(",", ":")).encode()


def make(folder: Path, count: int) -> None:
    """Write the archive."""
    folder.mkdir(parents=True, exist_ok=True)
    of_a_file = -(-count // FILES)
    made = lines(count)
    total = 0
    for number in range(FILES):
        with (folder / f"events-{number}.ndjson").open("wb") as file:
            for line in islice(made, of_a_file):
                total += file.write(line + b"\n")
    print(f"{count:,} events, {total / 1e9:.2f} GB, {total / max(count, 1):,.0f} bytes each")


def measure(folder: Path, master: str, output: Path, state: bool) -> None:
    """Run the command and measure it."""
    command = [
        sys.executable,
        "-m",
        "openlineage_facets.cli.commands.spark_validate",
        f"--master={master}",
        str(folder),
    ]
    folders = ["valid", "quarantine", *(["state"] if state else [])]
    command += [f"--{name}={output / name}" for name in folders]
    began = time.monotonic()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        usage = measure_until_exit(process)
        printed = process.stdout.read() if process.stdout else ""
    seconds = time.monotonic() - began
    print(printed, end="")
    counts = {name: int(number.replace(",", "")) for name, number in map(str.split, printed.splitlines())}
    assert counts["lines"] == counts["valid"] + counts["quarantined"] + counts["blank"]
    print(f"{seconds:.1f} s, {counts['lines'] / seconds:,.0f} events/s; {usage}")


@dataclass
class Usage:
    """Peak memory and CPU time of a command and its children."""

    jvm: int = 0
    one_python: int = 0
    all_python: int = 0
    cpu: dict[tuple[str, int], float] = field(default_factory=dict)

    def __str__(self) -> str:
        spent = {
            kind: sum(seconds for (of, _), seconds in self.cpu.items() if of == kind)
            for kind in ("java", "python")
        }
        return (
            f"peak memory: JVM {self.jvm / 1e6:,.0f} MB, one Python process {self.one_python / 1e6:,.0f} MB, "
            f"all of them {self.all_python / 1e6:,.0f} MB; CPU: JVM {spent['java']:,.0f} s, "
            f"Python {spent['python']:,.0f} s"
        )


def measure_until_exit(process: subprocess.Popen[Any], every: float = 0.5) -> Usage:
    """Measure a process and its children until it exits, with an interval in seconds."""
    import psutil

    usage = Usage()
    while process.poll() is None:
        sizes: dict[str, list[int]] = {"java": [], "python": []}
        try:
            for one in [psutil.Process(process.pid), *psutil.Process(process.pid).children(recursive=True)]:
                # For a moment, a child of Java, such as chmod, has its memory and the name of a thread.
                kind = next((kind for kind in sizes if kind in one.name()), "other")
                if kind == "java":
                    sizes[kind].append(one.memory_info().rss)
                elif kind == "python":
                    sizes[kind].append(one.memory_full_info().uss)
                usage.cpu[kind, one.pid] = sum(one.cpu_times()[:2])
        except psutil.NoSuchProcess:
            pass
        usage.jvm = max(usage.jvm, *sizes["java"], 0)
        usage.one_python = max(usage.one_python, *sizes["python"], 0)
        usage.all_python = max(usage.all_python, sum(sizes["python"]))
        time.sleep(every)
    return usage


def by_jsonschema(folder: Path, master: str, count: int) -> None:
    """Validate lines with the `jsonschema` package in a Python UDF."""
    from pyspark.sql import SparkSession
    from pyspark.sql.functions import col, udf

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    spark = SparkSession.builder.master(master).getOrCreate()
    # As bytes, because PySpark fails on text that is not UTF-8.
    text = (
        spark.read.text(str(folder))
        .selectExpr("cast(value as binary) value")
        .limit(count)
        .repartition(8)
        .cache()
    )
    text.count()

    @udf("boolean")
    def is_valid(line: bytearray) -> bool:
        from benchmarks.combined_schema import validator_with_registry

        try:
            return bool(validator_with_registry().is_valid(json.loads(bytes(line))))
        except ValueError:
            return False

    began = time.monotonic()
    valid = text.where(is_valid(col("value"))).count()
    seconds = time.monotonic() - began
    print(
        f"jsonschema in a UDF: {valid:,} valid of {count:,}, {seconds:.1f} s, {count / seconds:,.0f} events/s"
    )
    spark.stop()


def main() -> None:
    """Run the script."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("task", choices=("make", "measure", "jsonschema"))
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--count", type=int, default=50_000)
    parser.add_argument("--lines", type=int, default=5_000)
    parser.add_argument("--master", default="local[2]")
    parser.add_argument(
        "--output", type=Path, help="output folder of `measure` (default: next to the archive)"
    )
    parser.add_argument("--no-state", action="store_true", help="do not write the state")
    options = parser.parse_args()
    if options.task == "make":
        make(options.folder, options.count)
    elif options.task == "measure":
        output = options.output or options.folder.with_name(options.folder.name + "-split")
        measure(options.folder, options.master, output, not options.no_state)
    else:
        by_jsonschema(options.folder, options.master, options.lines)


if __name__ == "__main__":
    main()
