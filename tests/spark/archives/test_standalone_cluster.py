"""An archive is folded by a cluster whose workers are processes of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from pyspark.sql import SparkSession

from benchmarks.archives import lines
from benchmarks.standalone_cluster import standalone_cluster
from openlineage_facets.spark.archives import LineageTables
from openlineage_facets.validation import validate
from tests.conftest import ROOT
from tests.events import folded
from tests.spark.archives.sample_archives import write_lines
from tests.spark.archives.table_contents import state_as_dict, tables_as_dict

pytestmark = pytest.mark.thorough

PROGRAM = """
import sys
from openlineage_facets.cli.commands.spark_validate import main
from openlineage_facets.spark.archives.tables import saved_state
saved_state._IN_DRIVER = 0
sys.exit(main(sys.argv[1:]))
"""
"""Without this limit, the driver would merge the records of so few events."""


def test_a_cluster_folds_like_lineage_state(spark: SparkSession, tmp_path: Path) -> None:
    archive = list(lines(300))
    for part in range(4):
        write_lines(tmp_path / "in" / f"{part}.ndjson", Random(part).sample(archive, len(archive)))
    valid = [json.loads(line) for line in archive if not validate(line, rules=False)]
    state, bad = tmp_path / "state", tmp_path / "bad"
    with standalone_cluster(tmp_path) as url:
        settings = {
            "spark.driver.host": "127.0.0.1",
            "spark.executor.memory": "600m",
            "spark.sql.files.maxPartitionBytes": "200k",
            "spark.sql.shuffle.partitions": "4",
        }
        command = [sys.executable, "-c", PROGRAM, f"--master={url}", str(tmp_path / "in")]
        command += [f"--state={state}", f"--quarantine={bad}"]
        command += [f"--conf={name}={value}" for name, value in settings.items()]
        environment = {**os.environ, "PYSPARK_PYTHON": sys.executable, "PYTHONPATH": str(ROOT)}
        ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    assert ended.returncode == 1, ended.stderr
    assert ended.stdout.split()[:4] == ["lines", "1,200", "valid", str(f"{4 * len(valid):,}")]
    assert tables_as_dict(LineageTables.load(spark, state).cached()) == state_as_dict(folded(*valid))
    executors = {path.parent.name for path in tmp_path.glob("worker-*/app-*/*/stderr")}
    assert len(executors) == 2, "both workers had an executor"
